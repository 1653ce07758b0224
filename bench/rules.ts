import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { cpuUsage } from "node:process";
import { openShows } from "../src/guide-server/data/shows.ts";
import { type GuideStore, openGuideStore } from "../src/guide-server/data/store.ts";
import { type Account, put, remove } from "../src/guide-server/data/tables.ts";
import { addRuleOrder, orderOf } from "../src/guide-server/domain/rule-orders.ts";
import { previewRule } from "../src/guide-server/domain/rule-preview.ts";
import { accepted, isRefusal } from "../src/guide-server/refusal.ts";
import { settleAccount } from "../src/guide-server/settle.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock, yieldToLoop } from "../src/kit/time/clock.ts";
import type { RuleOrder } from "../src/model/rule.ts";
import { MINUTE } from "../src/model/time.ts";
import { type Benchmark, count, elapsedMs, type Measures, ms } from "./harness.ts";

const CHANNELS = 200;
const DAYS = 28;
const SHOWS_A_DAY = 35;
const SERIES = 8000;
const RULES = 500;
const DEVICE = 1;
const ACCOUNT: Account = { id: "1", email: "a@x", regionId: 1, createdAt: 0 };
const WORDS =
  "harbour mountain river winter doctor kitchen garden night island court ferry lighthouse station bakery theatre museum forest bridge".split(
    " ",
  );
const clock = systemClock();

/** Previews of several kinds of rules. */
const PREVIEWS: Readonly<Record<string, Omit<RuleOrder, "name" | "quality">>> = {
  "words in titles": { words: "harbour night 17" },
  "one word in titles, with conditions": {
    words: "harbour",
    newOnly: true,
    weekdays: [1, 2],
    minMinutes: 30,
  },
  "an expression for titles": { expression: "^(night|winter) .*[0-9]7$" },
  "words in descriptions": { words: "smuggler lantern", within: "all" },
  "a genre on ten channels": { genres: ["Drama"], channelIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  "an expression for descriptions": { expression: "smugglers? .*lantern", within: "all" },
  "an expression for descriptions, with matches": {
    expression: "(night|bridge) (river|forest)",
    within: "all",
  },
  "an expression for descriptions, without a text": { expression: "\\d+[a-f]+ *\\w$", within: "all" },
  "an expression for descriptions, with single letters": { expression: "z(.)a(.)q$", within: "all" },
  "a hostile expression": { expression: "(e|n)(.|x){60}(k|q)$|^found", within: "all" },
  "a genre of a quarter of all shows": { genres: ["Drama"] },
  "a word that all descriptions have": { words: "boat", within: "all", newOnly: true },
  "all titles": { expression: "." },
};

/** Rules of all kinds on a guide of 200 channels with 35 shows a day for four weeks. */
export const rulesBenchmark: Benchmark = {
  name: "rules",
  onlyWhenNamed: true,
  settles: true,
  open: async (folder) => {
    const start = Math.floor(clock.now() / MINUTE) * MINUTE;
    await fill(folder, start);
    const store = await openGuideStore(folder, silentLog);
    await furnish(store);
    return {
      cases: [
        ...Object.entries(PREVIEWS).map(([name, order]) => ({
          name: `preview: ${name}`,
          run: () => previewed(store, { order, now: start }),
        })),
        { name: `${RULES} rules expanded`, run: () => expanded(store, { orderAt: ruleOf, now: start }) },
        {
          name: `${RULES} rules for genres expanded`,
          run: () => expanded(store, { orderAt: genreRuleOf, now: start }),
        },
      ],
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  },
};

async function fill(folder: string, start: number): Promise<void> {
  using shows = await openShows(folder);
  for (let channelId = 1; channelId <= CHANNELS; channelId += 1) {
    shows.put(Array.from({ length: DAYS * SHOWS_A_DAY }, (_, index) => showOf({ channelId, index, start })));
  }
}

function showOf({
  channelId,
  index,
  start,
}: {
  readonly channelId: number;
  readonly index: number;
  readonly start: number;
}) {
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

async function furnish(store: GuideStore): Promise<void> {
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

function placed(order: Omit<RuleOrder, "name" | "quality">, name = "Rule") {
  return { order: accepted(orderOf({ name, quality: "Prefer HD", ...order })), deviceId: DEVICE };
}

interface Previewed {
  readonly order: Omit<RuleOrder, "name" | "quality">;
  readonly now: number;
}

async function previewed(store: GuideStore, { order, now }: Previewed): Promise<Measures> {
  let matches = 0;
  const measured = await watched(async () => {
    const preview = await previewRule(await store.of(ACCOUNT.id), ACCOUNT, {
      placed: placed(order),
      replaces: undefined,
      now,
    });
    matches = isRefusal(preview) ? 0 : preview.total;
  });
  return { ...measured, matches: count(matches) };
}

/** Nine kinds of rules; one in ten has an expression. */
function ruleOf(index: number): Omit<RuleOrder, "name" | "quality"> {
  const [a = "", b = ""] = [WORDS[index % WORDS.length], WORDS[(index * 7) % WORDS.length]];
  const kinds: readonly Omit<RuleOrder, "name" | "quality">[] = [
    { words: `${a} ${b} ${index % 400}` },
    { words: `${a} ${index % 400}`, newOnly: true },
    { seriesId: String(1_000_000 + index * 13) },
    { seriesId: String(1_000_000 + index * 17), airing: "first", weekdays: [1, 2, 3] },
    { expression: `^${a} ${b}.*${index % 90}$` },
    { words: `smuggler ${a} ${b}`, within: "all" },
    { words: `${b} ${index % 400}`, between: { from: 1080, until: 60 }, minMinutes: 40 },
    { words: `${a} ${index % 399}`, without: "ferry", keep: 5, folder: "Series" },
    { words: a, genres: ["Drama"], channelIds: [1 + (index % CHANNELS)] },
    { genres: ["Film"], words: `lantern ${a}`, within: "all" },
  ];
  return kinds[index % kinds.length] ?? { words: a };
}

/** Each wants a quarter of all shows, or a part of that. */
function genreRuleOf(index: number): Omit<RuleOrder, "name" | "quality"> {
  const genres = [["Drama", "Film", "News", "Sport"][index % 4] ?? ""];
  const kinds: readonly Omit<RuleOrder, "name" | "quality">[] = [
    { genres },
    { genres, newOnly: true, weekdays: [1 + (index % 7)] },
    { genres, between: { from: 1080, until: 60 }, minMinutes: 40 },
    { genres, without: WORDS[index % WORDS.length] ?? "" },
    { genres, channelIds: [1 + (index % CHANNELS)] },
  ];
  return kinds[index % kinds.length] ?? { genres };
}

interface Expanded {
  readonly orderAt: (index: number) => Omit<RuleOrder, "name" | "quality">;
  readonly now: number;
}

async function expanded(store: GuideStore, { orderAt, now }: Expanded): Promise<Measures> {
  const tables = await store.of(ACCOUNT.id);
  for (let index = 0; index < RULES; index += 1) {
    await store.commit(ACCOUNT.id, (tables) =>
      addRuleOrder(tables, ACCOUNT, { placed: placed(orderAt(index), `Rule ${index}`), now }),
    );
  }
  const first = await watched(() => settleAccount(store, { account: ACCOUNT, tables, now }));
  const { timers, rules } = tables;
  const made = timers.size;
  const [any] = rules.values();
  if (any !== undefined)
    await store.commit(ACCOUNT.id, () => ({ changes: [put("rules", { ...any })], value: undefined }));
  const again = await watched(() => settleAccount(store, { account: ACCOUNT, tables, now }));
  await store.commit(ACCOUNT.id, () => ({
    changes: [...timers.keys()]
      .map((id) => remove("timers", id))
      .concat([...rules.keys()].map((id) => remove("rules", id))),
    value: undefined,
  }));
  await settleAccount(store, { account: ACCOUNT, tables, now });
  return {
    "first time": first.elapsed,
    "time of the processor, first time": first["time of the processor"],
    "longest block, first time": first["longest block of the loop"],
    "without news": again.elapsed,
    "time of the processor, without news": again["time of the processor"],
    "longest block, without news": again["longest block of the loop"],
    timers: count(made),
  };
}

async function watched(work: () => Promise<void>) {
  const delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 1 });
  await yieldToLoop();
  delay.enable();
  const before = cpuUsage();
  const elapsed = await elapsedMs(work);
  const { user, system } = cpuUsage(before);
  await yieldToLoop();
  delay.disable();
  return {
    elapsed: ms(elapsed),
    "time of the processor": ms((user + system) / 1000),
    "longest block of the loop": ms(delay.max / 1e6),
  };
}
