import { describe, expect, it } from "vitest";
import type { Show } from "../../../../src/guide-wire/records.ts";
import { HOUR, SECOND } from "../../../../src/model/time.ts";
import { BOOKING_LIMITS } from "../../../../src/recorder/subsystems/booking/limits.ts";
import { RecentShows } from "../../../../src/recorder/subsystems/booking/recent-shows.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { NOW } from "../library/entries.ts";

const ALL = Array.from({ length: BOOKING_LIMITS.freshChannels }, (_, at) => at + 1);

/** A guide service with one show on each channel. */
function service() {
  const clock = createVirtualClock(NOW);
  const requested: number[] = [];
  const client = {
    shows: async ({ channelIds = [] }: { readonly channelIds?: readonly number[] }) => {
      requested.push(...channelIds);
      return { value: { shows: channelIds.map(showOn) }, malformed: [] };
    },
  };
  const shows = new RecentShows({ client: client as never, clock, signal: new AbortController().signal });
  const channelsOf = async (ids: readonly number[]) =>
    (await shows.of(ids)).map(({ channelId }) => channelId);
  const requests = async (ids: readonly number[]) => {
    await shows.of(ids);
    return requested.splice(0);
  };
  return { clock, channelsOf, requests };
}

function showOn(channelId: number): Show {
  const unix = { start_unix: NOW / SECOND, stop_unix: (NOW + HOUR) / SECOND };
  return { id: channelId, channel_id: channelId, title: "The tide", start: "", stop: "", ...unix };
}

describe("the recent shows of the guide", () => {
  it("are those of all channels asked for, also of ones that were cached the longest", async () => {
    const { clock, channelsOf } = service();
    await channelsOf(ALL);
    await clock.advance(BOOKING_LIMITS.freshMs);
    expect(await channelsOf([1, 2, 5000])).toEqual([1, 2, 5000]);
  });

  it("are those of all channels asked for, also of more than are cached", async () => {
    const { channelsOf } = service();
    expect(await channelsOf([...ALL, 5000, 5001])).toHaveLength(ALL.length + 2);
  });

  it("R-42 are cached for a limited number of channels: those requested last", async () => {
    const { requests } = service();
    await requests([...ALL, 5000, 5001]);
    expect(await requests([3, 5000, 5001])).toEqual([]);
    expect(await requests([1, 2])).toEqual([1, 2]);
  });
});
