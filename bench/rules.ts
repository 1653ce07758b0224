import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { cpuUsage } from "node:process";
import { type GuideStore, openGuideStore } from "../src/guide-server/data/store.ts";
import { put, remove } from "../src/guide-server/data/tables.ts";
import { addRuleOrder, orderOf } from "../src/guide-server/domain/rule-orders.ts";
import { previewRule } from "../src/guide-server/domain/rule-preview.ts";
import { accepted, isRefusal } from "../src/guide-server/refusal.ts";
import { settleAccount } from "../src/guide-server/settle.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock, yieldToLoop } from "../src/kit/time/clock.ts";
import { MINUTE } from "../src/model/time.ts";
import { type Benchmark, count, elapsedMs, type Measures, ms } from "./harness.ts";
import { type BenchOrder, PREVIEWS, RULE_LISTS } from "./rule-cases.ts";
import { ACCOUNT, DEVICE, fillGuide, furnish } from "./rule-world.ts";

const RULES = 500;
const clock = systemClock();

/** Rules of all kinds on a guide of 200 channels with 35 shows a day for two weeks. */
export const rulesBenchmark: Benchmark = {
  name: "rules",
  onlyWhenNamed: true,
  settles: true,
  open: async (folder) => {
    const start = Math.floor(clock.now() / MINUTE) * MINUTE;
    await fillGuide(folder, start);
    const store = await openGuideStore(folder, silentLog);
    await furnish(store);
    return {
      cases: [
        ...Object.entries(PREVIEWS).map(([name, order]) => ({
          name: `preview: ${name}`,
          run: () => previewed(store, { order, now: start }),
        })),
        ...Object.entries(RULE_LISTS).map(([name, orderAt]) => ({
          name: `${RULES} ${name} expanded`,
          run: () => expanded(store, { orderAt, now: start }),
        })),
      ],
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  },
};

function placed(order: BenchOrder, name = "Rule") {
  return { order: accepted(orderOf({ name, quality: "Prefer HD", ...order })), deviceId: DEVICE };
}

interface Previewed {
  readonly order: BenchOrder;
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

interface Expanded {
  readonly orderAt: (index: number) => BenchOrder;
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
    "longest block, time of the processor, first time": first["longest block, time of the processor"],
    "without news": again.elapsed,
    "time of the processor, without news": again["time of the processor"],
    "longest block, without news": again["longest block of the loop"],
    "longest block, time of the processor, without news": again["longest block, time of the processor"],
    timers: count(made),
  };
}

async function watched(work: () => Promise<void>) {
  const delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 1 });
  await yieldToLoop();
  delay.enable();
  const blocks = new ProcessorBlocks();
  const before = cpuUsage();
  const elapsed = await elapsedMs(work);
  const { user, system } = cpuUsage(before);
  await yieldToLoop();
  delay.disable();
  return {
    elapsed: ms(elapsed),
    "time of the processor": ms((user + system) / 1000),
    "longest block of the loop": ms(delay.max / 1e6),
    "longest block, time of the processor": ms(blocks.longestMs()),
  };
}

/** The longest turn of the loop by what the process used: other programs do not count, its helper threads do. */
class ProcessorBlocks {
  readonly #timer: NodeJS.Timeout;
  #last = cpuUsage();
  #longestMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#look(), 1);
  }

  #look(): void {
    const { user, system } = cpuUsage(this.#last);
    this.#longestMs = Math.max(this.#longestMs, (user + system) / 1000);
    this.#last = cpuUsage();
  }

  longestMs(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#longestMs;
  }
}
