import { expect, it } from "vitest";
import { type Reach, reachOf, unreceivedEpisodesText, unreceivedText } from "../../src/model/reach.ts";
import type { Channel, Triplet } from "../../src/model/service.ts";
import type { TunerFacts } from "../../src/model/tuner.ts";

const at = (sid: number): Triplet => ({ onid: 1, tsid: 2, sid });

function channel(id: string, triplets: readonly Triplet[], lcns: readonly number[] = []): Channel {
  return { id, name: id.toUpperCase(), nameShort: "", knownNames: [], triplets, lcns };
}

const asTheGuideHas = (channels: readonly Channel[]) =>
  channels.map((one) =>
    one.triplets.length === 0 ? { channel: one } : { channel: one, by: "guide" as const },
  );

function tuner(id: string, services: TunerFacts["services"]): TunerFacts {
  return { id, kind: "url", services, servicesAtOnce: () => 1, warmUpMs: 0 };
}

it("channels are listed with their service and the tuners that receive it, in order of channel numbers", () => {
  const channels = [
    channel("none", []),
    channel("other", [at(9)], [7]),
    channel("twice", [at(8), at(4), at(5)], [3]),
    channel("one", [at(3)], [2]),
  ];
  const tuners = [tuner("a", new Set(["1/2/3", "1/2/5"])), tuner("b", new Set(["1/2/4", "1/2/5"]))];
  expect(reachOf(asTheGuideHas(channels), tuners)).toEqual([
    { channelId: "one", name: "ONE", number: 2, by: "guide", service: at(3), tuners: ["a"] },
    { channelId: "twice", name: "TWICE", number: 3, by: "guide", service: at(4), tuners: ["b", "a"] },
    {
      channelId: "other",
      name: "OTHER",
      number: 7,
      by: "guide",
      tuners: [],
      why: "no tuner receives 1/2/9",
      services: [{ onid: 1, tsid: 2, sid: 9 }],
      candidates: [],
    },
    {
      channelId: "none",
      name: "NONE",
      tuners: [],
      why: "no tuner offers a service with its number or name",
      services: [],
      candidates: [],
    },
  ]);
});

it("a tuner that discovers services by tuning counts as receiving every channel with a service", () => {
  const reached = reachOf(asTheGuideHas([channel("one", [at(3)]), channel("none", [])]), [tuner("a", "any")]);
  expect(reached.map(({ tuners }) => tuners)).toEqual([["a"], []]);
});

it("the warning for a series names the channels on which its episodes cannot be recorded", () => {
  const [received, lost, alsoLost] = reachOf(
    asTheGuideHas([channel("one", [at(3)]), channel("two", []), channel("six", [])]),
    [tuner("a", new Set(["1/2/3"]))],
  ) as [Reach, Reach, Reach];
  expect(unreceivedEpisodesText([received])).toBeUndefined();
  expect(unreceivedEpisodesText([lost])).toBe(unreceivedText(lost));
  expect(unreceivedEpisodesText([received, lost, alsoLost])).toMatch(
    /^Booked, but no tuner receives TWO, SIX: episodes there cannot be recorded\. /,
  );
});

it("a channel has its network as its group, and is marked if its service is radio", () => {
  const all = [{ ...channel("one", [at(3)]), network: "Sea" }, channel("two", [at(4)])];
  const services = [{ triplet: at(3), name: "One", isRadio: true } as const, { triplet: at(4), name: "Two" }];
  const [one, two] = reachOf(asTheGuideHas(all), [tuner("a", "any")], services);
  expect(one).toMatchObject({ network: "Sea", isRadio: true });
  expect(Object.keys(two ?? {})).not.toContain("isRadio");
});
