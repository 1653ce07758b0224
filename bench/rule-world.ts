import { openShows } from "../src/guide-server/data/shows.ts";
import type { GuideStore } from "../src/guide-server/data/store.ts";
import { type Account, put } from "../src/guide-server/data/tables.ts";
import { MINUTE } from "../src/model/time.ts";

export const CHANNELS = 200;
const DAYS = 14;
const SHOWS_A_DAY = 35;
const SERIES = 8000;
export const DEVICE = 1;
export const ACCOUNT: Account = { id: "1", email: "a@x", regionId: 1, createdAt: 0 };
export const WORDS =
  "harbour mountain river winter doctor kitchen garden night island court ferry lighthouse station bakery theatre museum forest bridge".split(
    " ",
  );

/** Writes a guide of 200 channels with 35 shows a day for two weeks. */
export async function fillGuide(folder: string, start: number): Promise<void> {
  using shows = await openShows(folder);
  for (let channelId = 1; channelId <= CHANNELS; channelId += 1) {
    shows.put(Array.from({ length: DAYS * SHOWS_A_DAY }, (_, index) => showOf({ channelId, index, start })));
  }
}

interface Place {
  readonly channelId: number;
  readonly index: number;
  readonly start: number;
}

function showOf({ channelId, index, start }: Place) {
  const series = (channelId * 7919 + index * 104_729) % SERIES;
  const word = (step: number) => WORDS[Math.floor(series / step) % WORDS.length] ?? "";
  const isRare = (channelId * 31 + index) % 997 === 0;
  return {
    id: channelId * 10_000 + index,
    channelId,
    seriesId: String(1_000_000 + series),
    episodeId: index % 3 === 0 ? "" : `${1_000_000 + series} e${(channelId + index) % 40}`,
    start: start + (index + 1) * 41 * MINUTE,
    durationMinutes: 41,
    title: `${word(1)} ${word(18)} ${series % 400}`,
    subtitle: `Part ${index}`,
    desc: `${"Two friends, one boat & a storm that nobody saw coming. ".repeat(4)}${word(5)} ${word(90)} ${isRare ? "A smuggler with a lantern." : ""}`,
    category: [{ name: ["Drama", "Film", "News", "Sport"][series % 4] ?? "" }],
    eitId: index % 0x1_0000,
    rating: "",
    date: "2026",
    updatedAt: start,
    rank: 1,
  };
}

/** An account with a device, and the channels. */
export async function furnish(store: GuideStore): Promise<void> {
  const channels = Array.from({ length: CHANNELS }, (_, index) =>
    put("channels", { id: index + 1, name: `Channel ${index + 1}`, region_id: 1, is_hd: index % 2 }),
  );
  const device = { id: DEVICE, accountId: ACCOUNT.id, uid: "", label: "Lounge", typeId: 1 };
  await store.commitShared(() => ({
    changes: [
      put("regions", { id: 1, name: "Home", timezone: "Europe/Berlin" }),
      put("accounts", ACCOUNT),
      put("devices", device),
      ...channels,
    ],
    value: undefined,
  }));
}
