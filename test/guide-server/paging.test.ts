import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openShows } from "../../src/guide-server/data/shows.ts";
import { pageOfShows } from "../../src/guide-server/http/paging.ts";
import { wireShow } from "../../src/guide-server/http/wire.ts";
import { MINUTE } from "../../src/model/time.ts";
import { turnsDuring } from "../guide-wire/loopback.ts";
import { NOW } from "./hosted.ts";

it("all shows of many channels are read in turns, in the same order as in one go", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-paging-"));
  const shows = await openShows(folder);
  try {
    const channelIds = [12, 3, ...Array.from({ length: 10 }, (_, index) => 100 - index)];
    const words = {
      seriesId: "1",
      episodeId: "",
      title: "One",
      subtitle: "",
      desc: "",
      rating: "",
      date: "",
    };
    shows.put(
      Array.from({ length: 240 }, (_, index) => ({
        ...{ ...words, id: 1000 - index, channelId: channelIds[index % channelIds.length] ?? 0 },
        ...{ start: NOW + (index % 7) * MINUTE, durationMinutes: 30, category: [], eitId: 0, updatedAt: NOW },
      })),
    );
    const wanted = { channelIds, endAfter: NOW };
    const { value, turns } = await turnsDuring(() => pageOfShows(new URLSearchParams(), shows, wanted));
    expect(turns).toBe(channelIds.length - 1);
    expect(value).toEqual({ records: shows.list(wanted).map(wireShow), headers: {} });
    const page = await pageOfShows(new URLSearchParams("per_page=7&page=3"), shows, wanted);
    expect(page).toEqual({ records: value.records.slice(14, 21), headers: { "X-Total-Count": "240" } });
  } finally {
    shows[Symbol.dispose]();
    await rm(folder, { recursive: true, force: true });
  }
});
