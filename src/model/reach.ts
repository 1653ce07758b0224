import { type Channel, type Triplet, tripletKey } from "./service.ts";
import { canReceive, type TunerFacts, type TunerId } from "./tuner.ts";

/** One channel of the guide, and which tuners receive it. */
export interface Reach {
  readonly channelId: string;
  readonly name: string;
  /** LCN */
  readonly number?: number;
  /** The first of its services that a tuner receives; none where no tuner does. */
  readonly service?: Triplet;
  readonly tuners: readonly TunerId[];
  /** Why no tuner receives it, for people. */
  readonly why?: string;
}

/**
 * Which tuners receive the channels, in the order of their numbers. A tuner that finds out only by tuning counts as one that
 * receives everything; one whose server has not answered yet, as one that receives nothing.
 */
export function reachOf(channels: readonly Channel[], tuners: readonly TunerFacts[]): readonly Reach[] {
  const reached = channels.map(({ id: channelId, name, triplets, lcns: [number] }): Reach => {
    const channel = { channelId, name, ...(number === undefined ? {} : { number }) };
    const by = triplets.map((service) => ({ service, tuners: receivers(tuners, service) }));
    const found = by.find(({ tuners: some }) => some.length > 0);
    if (found === undefined) return { ...channel, tuners: [], why: whyNot(triplets) };
    const all = new Set(by.flatMap((each) => each.tuners));
    return { ...channel, service: found.service, tuners: [...all] };
  });
  const place = ({ number = Number.MAX_SAFE_INTEGER }: Reach) => number;
  return reached.toSorted((a, b) => place(a) - place(b));
}

function receivers(tuners: readonly TunerFacts[], service: Triplet): readonly TunerId[] {
  return tuners.filter((tuner) => canReceive(tuner, tripletKey(service))).map(({ id }) => id);
}

function whyNot(triplets: readonly Triplet[]): string {
  if (triplets.length === 0) return "the guide knows no service of it";
  return `no tuner receives ${triplets.map(tripletKey).join(" or ")}`;
}
