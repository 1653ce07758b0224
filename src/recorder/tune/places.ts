import type { KnownService } from "../../model/channel-match.ts";
import { type Triplet, type TripletKey, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { wholeTriplet } from "./match.ts";
import type { Scanned } from "./scanned.ts";

/** One service of a tuner's list; without ids, a multiplex of which the list names no service. */
export interface Listed<How> {
  readonly ids: Partial<Triplet>;
  readonly name: string;
  readonly lcn?: number | undefined;
  /** Names the multiplex: the same for all services on it. */
  readonly place: string;
  /** How the tuner is asked for the service. */
  readonly how: How;
}

interface Parts<How> {
  readonly tunerId: string;
  readonly listed: readonly Listed<How>[];
  /** How the tuner is asked for a service that is on the same multiplex and not in the list. */
  readonly bare: (how: How) => How;
  readonly scanned: Scanned;
}

interface Known<How> {
  readonly services: ReadonlyMap<TripletKey, How>;
  readonly offers: readonly KnownService[];
  readonly unknown: readonly Triplet[];
  readonly placeOf: ReadonlyMap<TripletKey, string>;
}

/** The services a tuner can be asked for: those of its list, and those found on the list's multiplexes. */
export class Places<How> {
  readonly #parts: Parts<How>;
  #known: Known<How>;

  constructor(parts: Parts<How>) {
    this.#parts = parts;
    this.#known = knownOf(parts);
  }

  /** The stand-ins of multiplexes whose services are not known are included. */
  get services(): ReadonlyMap<TripletKey, How> {
    return this.#known.services;
  }

  get facts(): Pick<TunerFacts, "offers" | "unknown"> {
    const { offers, unknown } = this.#known;
    return { offers, unknown };
  }

  /** Whether another one offers the same. */
  sameAs(other: Places<How>): boolean {
    const content = ({ services, offers }: Known<How>) => JSON.stringify([[...services], offers]);
    return content(this.#known) === content(other.#known);
  }

  /** A service to try the tuner with. */
  get example(): Triplet | undefined {
    return this.#known.offers[0]?.triplet;
  }

  /** @see TunerDriver.learn */
  async learn(heard: Triplet, services: readonly KnownService[]): Promise<boolean> {
    const { tunerId, scanned } = this.#parts;
    const place = this.#known.placeOf.get(tripletKey(heard));
    if (place === undefined || services.length === 0) return false;
    if (!(await scanned.keep({ tunerId, place }, services))) return false;
    this.#known = knownOf(this.#parts);
    return true;
  }
}

function knownOf<How>({ tunerId, listed, bare, scanned }: Parts<How>): Known<How> {
  const services = new Map<TripletKey, How>();
  const placeOf = new Map<TripletKey, string>();
  const offers: KnownService[] = [];
  const unknown: Triplet[] = [];
  const named = new Set<string>();
  /** A service that is there twice is received at its first place. */
  const add = (triplet: Triplet, { place, how }: Pick<Listed<How>, "place" | "how">) => {
    const key = tripletKey(triplet);
    if (services.has(key)) return false;
    services.set(key, how);
    placeOf.set(key, place);
    return true;
  };
  for (const each of listed) {
    const triplet = wholeTriplet(each.ids);
    if (triplet === undefined) continue;
    named.add(each.place);
    const { name, lcn } = each;
    if (add(triplet, each)) offers.push({ triplet, name, ...(lcn === undefined ? {} : { lcn }) });
  }
  const multiplexes = grouped(listed);
  for (const [place, all] of multiplexes) {
    for (const service of scanned.at({ tunerId, place })) {
      named.add(place);
      const own = all.find(({ ids }) => ids.sid === service.triplet.sid);
      if (add(service.triplet, { place, how: own?.how ?? bare(all[0].how) })) offers.push(service);
    }
  }
  for (const [place, [{ how }]] of multiplexes) {
    const standIn = named.has(place) ? undefined : scanned.standIn({ tunerId, place });
    if (standIn !== undefined && add(standIn, { place, how: bare(how) })) unknown.push(standIn);
  }
  return { services, offers, unknown, placeOf };
}

function grouped<How>(
  listed: readonly Listed<How>[],
): ReadonlyMap<string, readonly [Listed<How>, ...Listed<How>[]]> {
  const groups = new Map<string, [Listed<How>, ...Listed<How>[]]>();
  for (const each of listed) {
    const group = groups.get(each.place);
    if (group === undefined) groups.set(each.place, [each]);
    else group.push(each);
  }
  return groups;
}
