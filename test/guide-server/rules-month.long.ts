import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Show } from "../../src/guide-server/data/show.ts";
import { type GuideStore, openGuideStore } from "../../src/guide-server/data/store.ts";
import { type Account, put } from "../../src/guide-server/data/tables.ts";
import { addRuleOrder, orderOf } from "../../src/guide-server/domain/rule-orders.ts";
import { accepted } from "../../src/guide-server/refusal.ts";
import { settleAccount } from "../../src/guide-server/settle.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";

const START = Date.UTC(2026, 9, 1);
const DAYS = 28;
const SERIES = 100;
const RULES = 200;
const ACCOUNT: Account = { id: "1", email: "a@x", regionId: 1, createdAt: START };

/** An episode of each series every four days, the same day on a second channel, and repeated two days later. */
function guide(): readonly Show[] {
  return Array.from({ length: SERIES }, (_, series) =>
    Array.from({ length: DAYS / 4 }, (_, index) => {
      const start = START + (index * 4 + 1 + (series % 3)) * DAY + (series % 20) * HOUR;
      return [0, 0, 2 * DAY].map((later, airing) => showOf({ series, index, airing, start: start + later }));
    }),
  ).flat(2);
}

function showOf(of: { series: number; index: number; airing: number; start: number }): Show {
  const { series, index, airing, start } = of;
  return {
    id: 1 + series * 1000 + index * 10 + airing,
    channelId: 1 + airing,
    seriesId: String(5000 + series),
    episodeId: `${5000 + series} e${index}`,
    ...{ start, durationMinutes: 45, title: `Serie Nummer ${series}`, subtitle: "" },
    desc: `Folge über Anker${series}`,
    category: [{ name: `Sorte ${series}` }],
    ...{ eitId: 1, rating: "", date: "", updatedAt: START },
  };
}

/** Two rules want each series, in two of five ways. */
function ruleOf(index: number) {
  const series = index % SERIES;
  const ways = [
    { words: `nummer ${series}` },
    { expression: `^serie nummer ${series}$` },
    { seriesId: String(5000 + series) },
    { words: `anker${series}`, within: "all" },
    { genres: [`Sorte ${series}`], newOnly: true },
  ];
  return { name: `Rule ${index}`, quality: "Prefer HD", ...ways[(index + Math.floor(index / SERIES)) % 5] };
}

async function furnish(store: GuideStore): Promise<void> {
  await store.commitShared(() => ({
    changes: [
      put("regions", { id: 1, name: "Home", timezone: "Europe/Berlin" }),
      put("accounts", ACCOUNT),
      put("devices", { id: 1, accountId: "1", uid: "", label: "Lounge", typeId: 1 }),
      ...[1, 2, 3].map((id) => put("channels", { id, name: `C${id}`, is_hd: id === 2 ? 1 : 0 })),
    ],
    value: undefined,
  }));
  for (let index = 0; index < RULES; index += 1) {
    const placed = { order: accepted(orderOf(ruleOf(index))), deviceId: 1 };
    accepted(
      await store.commit(ACCOUNT.id, (tables) => addRuleOrder(tables, ACCOUNT, { placed, now: START })),
    );
  }
}

it("records every episode of a month exactly once for 200 rules, while shows move and get other ids", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-rules-month-"));
  try {
    await using store = await openGuideStore(folder, silentLog);
    await furnish(store);
    const tables = await store.of(ACCOUNT.id);
    const shows = guide();
    store.shows.put(shows);
    const recorded: string[] = [];
    for (let day = 0; day < DAYS + 7; day += 1) {
      const now = START + day * DAY;
      // One in seven of the shows of the day after tomorrow moves, gets another id, or both.
      for (const show of shows.filter(
        ({ id, start }) => id % 7 === 0 && Math.floor((start - now) / DAY) === 2,
      )) {
        const moved = { ...show, start: show.start + (show.id % 3) * 20 * MINUTE };
        if (show.id % 2 === 0)
          store.shows.put([
            { ...show, gone: true },
            { ...moved, id: show.id + 900_000 },
          ]);
        else store.shows.put([moved]);
      }
      await settleAccount(store, { account: ACCOUNT, tables, now });
      // Shows that begin today are recorded.
      for (const timer of [...tables.timers.values()]) {
        if (timer.action !== "record" || timer.removedAt !== undefined || timer.state === "completed")
          continue;
        if (timer.start < now || timer.start >= now + DAY) continue;
        expect(store.shows.get(timer.showId)).toMatchObject({
          start: timer.start,
          channelId: timer.channelId,
        });
        recorded.push(timer.episode ?? "");
        await store.commit(ACCOUNT.id, () => ({
          changes: [put("timers", { ...timer, state: "completed" })],
          value: undefined,
        }));
      }
    }
    const episodes = [...new Set(shows.map(({ episodeId }) => episodeId))];
    expect(recorded.sort()).toEqual(episodes.sort());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
