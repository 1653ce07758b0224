import { type DemoOptions, seedDemo } from "../guide-server/demo/seed-demo.ts";
import { channelOf } from "../guide-wire/account.ts";
import { plainText } from "../guide-wire/records.ts";
import { type TripletKey, tripletKey } from "../model/service.ts";
import { DAY, MINUTE } from "../model/time.ts";
import type { ScheduledEvent } from "./broadcaster/tables.ts";
import { eventIdOf, type ListedAir, presentFollowing } from "./listed-air.ts";

/** The channels that `recorderd guide-server --demo` publishes with the same seed, and its programmes in their event tables. */
export function demoAir({ seed, now, channels }: DemoOptions): ListedAir {
  let from = now;
  const guide = seedDemo({ seed, now, channels });
  let events = eventsOf(guide);
  return {
    services: guide.channels
      .map(channelOf)
      .flatMap(({ name, triplets }) => triplets.map((triplet) => ({ triplet, name }))),
    schedule: (service, at) => {
      if (at >= from + DAY || at < from) {
        from = at;
        events = eventsOf(seedDemo({ seed, now: at, channels }));
      }
      return presentFollowing(events.get(tripletKey(service)) ?? [], at);
    },
  };
}

function eventsOf({ channels, shows }: ReturnType<typeof seedDemo>) {
  const events = new Map<TripletKey, ScheduledEvent[]>();
  for (const channel of channels) {
    const own = shows
      .filter(({ channelId }) => channelId === channel.id)
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, durationMinutes, title, eitId }) => ({
        // The guide's event id, so that a recording follows its event.
        eventId: eitId ?? eventIdOf(start, plainText(title)),
        start,
        durationMs: durationMinutes * MINUTE,
        title: plainText(title),
        text: "",
      }));
    for (const triplet of channelOf(channel).triplets) events.set(tripletKey(triplet), own);
  }
  return events;
}
