import type { KnownService } from "../../model/channel-match.ts";
import { type Triplet, type TripletKey, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { completeTriplet } from "./match.ts";
import type { Scanned } from "./scanned.ts";

/** One service of a tuner's list; without ids, a multiplex listed without services. */
export interface Listed<How> {
  readonly ids: Partial<Triplet>;
  readonly name: string;
  readonly lcn?: number | undefined;
  /** Identifies the multiplex: equal for all its services. */
  readonly place: string;
  /** The driver's way to request the service. */
  readonly how: How;
}

interface Parts<How> {
  readonly tunerId: string;
  readonly listed: readonly Listed<How>[];
  /** Changes `how` for a service of the same multiplex that is not in the list. */
  readonly bare: (how: How) => How;
  readonly scanned: Scanned;
}

interface Contents<How> {
  readonly services: ReadonlyMap<TripletKey, How>;
  readonly offers: readonly KnownService[];
  readonly unknown: readonly Triplet[];
  readonly placeOf: ReadonlyMap<TripletKey, string>;
}

/** The services that a tuner can receive: those of its list, and those found on the list's multiplexes. */
export class Places<How> {
  readonly #parts: Parts<How>;
  #known: Contents<How>;

  constructor(parts: Parts<How>) {
    this.#parts = parts;
    this.#known = contentsOf(parts);
  }

  /** Includes the stand-ins of multiplexes with unknown services. */
  get services(): ReadonlyMap<TripletKey, How> {
    return this.#known.services;
  }

  get facts(): Pick<TunerFacts, "offers" | "unknown"> {
    const { offers, unknown } = this.#known;
    return { offers, unknown };
  }

  isSameAs(other: Places<How>): boolean {
    const content = ({ services, offers }: Contents<How>) => JSON.stringify([[...services], offers]);
    return content(this.#known) === content(other.#known);
  }

  /** A service for testing the tuner. */
  get example(): Triplet | undefined {
    return this.#known.offers[0]?.triplet;
  }

  /** @see TunerDriver.learn */
  async learn(heard: Triplet, services: readonly KnownService[]): Promise<boolean> {
    const { tunerId, scanned } = this.#parts;
    const place = this.#known.placeOf.get(tripletKey(heard));
    if (place === undefined || services.length === 0) return false;
    if (!(await scanned.store({ tunerId, place }, services))) return false;
    this.#known = contentsOf(this.#parts);
    return true;
  }
}

function contentsOf<How>({ tunerId, listed, bare, scanned }: Parts<How>): Contents<How> {
  const services = new Map<TripletKey, How>();
  const placeOf = new Map<TripletKey, string>();
  const offers: KnownService[] = [];
  const unknown: Triplet[] = [];
  const named = new Set<string>();
  /** A duplicate service is received at its first place. */
  const add = (triplet: Triplet, { place, how }: Pick<Listed<How>, "place" | "how">) => {
    const key = tripletKey(triplet);
    if (services.has(key)) return false;
    services.set(key, how);
    placeOf.set(key, place);
    return true;
  };
  for (const each of listed) {
    const triplet = completeTriplet(each.ids);
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
