import { candidatesFor, type FoundBy, type KnownService, type MatchedChannel } from "./channel-match.ts";
import { MODEL_LIMITS } from "./limits.ts";
import { type Triplet, tripletKey } from "./service.ts";
import { canReceive, type TunerFacts, type TunerId } from "./tuner.ts";
import { withoutUndefined } from "./without-undefined.ts";

/** One channel of the guide, and which tuners receive it. */
export interface Reach {
  readonly channelId: string;
  readonly name: string;
  /** LCN */
  readonly number?: number;
  /** The first of its services that a tuner receives; absent if no tuner does. */
  readonly service?: Triplet;
  /** How its service was found; absent if none was. */
  readonly by?: FoundBy;
  /** The broadcaster's group of channels, as the guide names it. */
  readonly network?: string;
  readonly isRadio?: true;
  readonly tuners: readonly TunerId[];
  /** Why no tuner receives it, as an English sentence. */
  readonly why?: string;
  /** The services that the guide names, only if no tuner receives one of them; empty if none is known. */
  readonly services?: readonly Triplet[];
  /** Services that it may be, the likeliest first; only if no tuner receives it. */
  readonly candidates?: readonly KnownService[];
}

/**
 * The tuners that receive each channel, in the order of channel numbers. A tuner counts as receiving everything if it finds out
 * only by tuning, or if its server has not answered yet.
 *
 * @param services the known services of tuners: those that are no channel's are candidates
 */
export function reachOf(
  channels: readonly MatchedChannel[],
  tuners: readonly TunerFacts[],
  services: readonly KnownService[] = [],
): readonly Reach[] {
  const used = new Set<string>();
  const radios = new Set(services.flatMap(({ triplet, isRadio }) => (isRadio ? [tripletKey(triplet)] : [])));
  const reached = channels.map(({ channel, by }) => {
    const each = channel.triplets.map((service) => ({ service, tuners: receivers(tuners, service) }));
    const found = each.filter(({ tuners: some }) => some.length > 0);
    for (const { service } of found) used.add(tripletKey(service));
    return { channel, by, found };
  });
  const free = services.filter(({ triplet }) => !used.has(tripletKey(triplet)));
  const place = ({ number = Number.MAX_SAFE_INTEGER }: Reach) => number;
  return reached
    .map(({ channel, by, found }): Reach => {
      const { id: channelId, name, lcns, triplets, network } = channel;
      const [number] = lcns;
      const about = {
        channelId,
        name,
        ...withoutUndefined({ number, by, network }),
      };
      const [first] = found;
      if (first === undefined) {
        const candidates = candidatesFor(channel, free, MODEL_LIMITS.serviceCandidates);
        return { ...about, tuners: [], why: whyNot(triplets), services: triplets, candidates };
      }
      const tuners = [...new Set(found.flatMap((each) => each.tuners))];
      const { service } = first;
      return { ...about, service, tuners, ...(radios.has(tripletKey(service)) ? { isRadio: true } : {}) };
    })
    .toSorted((a, b) => place(a) - place(b));
}

const ASSIGN_ADVICE = "Assign a service on the page Tuners, or with recorderd tuners assign.";

/** The warning for a person who books on the channel; `undefined` if a tuner receives it. */
export function unreceivedText({ name, service, why }: Reach): string | undefined {
  if (service !== undefined) return undefined;
  return `Booked, but no tuner receives ${name}: ${why}. ${ASSIGN_ADVICE}`;
}

/** Channels of an order that no tuner receives, as their names. */
export function unreceivedNames(channels: readonly Reach[]): readonly string[] {
  return channels.filter(({ service }) => service === undefined).map(({ name }) => name);
}

/** The warning for a series with episodes that no tuner can record; `undefined` if all can be recorded. */
export function unreceivedEpisodesText(channels: readonly Reach[]): string | undefined {
  const [first] = channels;
  if (first !== undefined && channels.length === 1) return unreceivedText(first);
  const names = unreceivedNames(channels).join(", ");
  if (names === "") return undefined;
  return `Booked, but no tuner receives ${names}: episodes there cannot be recorded. ${ASSIGN_ADVICE}`;
}

function receivers(tuners: readonly TunerFacts[], service: Triplet): readonly TunerId[] {
  return tuners.filter((tuner) => canReceive(tuner, tripletKey(service))).map(({ id }) => id);
}

function whyNot(triplets: readonly Triplet[]): string {
  if (triplets.length === 0) return "no tuner offers a service with its number or name";
  return `no tuner receives ${triplets.map(tripletKey).join(" or ")}`;
}
