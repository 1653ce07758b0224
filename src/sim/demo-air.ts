import { plainText } from "../guide/records.ts";
import { type DemoOptions, seedDemo } from "../guide-server/demo/seed-demo.ts";
import { type Triplet, type TripletKey, tripletKey } from "../model/service.ts";
import { DAY, type EpochMs, MINUTE } from "../model/time.ts";
import type { ScheduledEvent } from "./broadcaster/tables.ts";
import { eventIdOf, type ListedAir, presentFollowing } from "./listed-air.ts";

/** The channels that `recorderd guide-server --demo` publishes with the same seed, and its programmes in their event tables. */
export function demoAir({ seed, now, channels }: DemoOptions): ListedAir {
  let from = now;
  let events = eventsAt({ seed, now, channels });
  return {
    services: seedDemo({ seed, now, channels }).channels.flatMap(({ name, ...channel }) =>
      tripletsOf(channel).map((triplet) => ({ triplet, name })),
    ),
    schedule: (service, at) => {
      if (at >= from + DAY || at < from) {
        from = at;
        events = eventsAt({ seed, now: at, channels });
      }
      return presentFollowing(events.get(tripletKey(service)) ?? [], at);
    },
  };
}

function tripletsOf({
  dvb = [],
}: Pick<ReturnType<typeof seedDemo>["channels"][number], "dvb">): readonly Triplet[] {
  return dvb.map(({ original_network_id: onid, transport_stream_id: tsid, service_id: sid }) => ({
    onid,
    tsid,
    sid,
  }));
}

function eventsAt(options: { readonly seed: number; readonly now: EpochMs; readonly channels: number }) {
  const { channels, shows } = seedDemo(options);
  const events = new Map<TripletKey, ScheduledEvent[]>();
  for (const channel of channels) {
    const own = shows
      .filter(({ channelId }) => channelId === channel.id)
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, durationMinutes, title, eitId }) => ({
        // As the guide names it, so that a recording follows its event.
        eventId: eitId ?? eventIdOf(start, plainText(title)),
        start,
        durationMs: durationMinutes * MINUTE,
        title: plainText(title),
        text: "",
      }));
    for (const triplet of tripletsOf(channel)) events.set(tripletKey(triplet), own);
  }
  return events;
}
