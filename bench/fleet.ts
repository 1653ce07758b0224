import { setMaxListeners } from "node:events";
import { HOUR, MINUTE, SECOND } from "../src/model/time.ts";
import { coveredMs, lengthMs } from "../src/model/window.ts";
import type { Value } from "../src/recorder/fleet/database.ts";
import { createPlanner, type Planner } from "../src/recorder/plan/planner.ts";
import { ON_LOOP } from "../src/recorder/plan/solve-group.ts";
import { spansOf } from "../src/simulator/fleet/fleet-world.ts";
import { type OpenFleetWorld, openFleetWorld } from "../src/simulator/fleet/open-fleet-world.ts";
import { chanceOf } from "../src/simulator/weeks/chance.ts";
import type { Booking } from "../src/simulator/weeks/script.ts";
import { channelsOf } from "../src/simulator/weeks/setting.ts";
import { type Benchmark, count, kilobytes, type Measures, ms, quantile } from "./harness.ts";

const NODES = 16;
/** For each node. */
const TUNERS = 4;
const TIMERS = 5000;
const DAYS = 14;
/** Three to a multiplex. */
const CHANNELS = channelsOf(90);
const LENGTH_MINUTES = [30, 45, 60, 90, 120] as const;
/** Most shows of a household are in the evening. */
const EVENING = { percent: 60, from: 18, to: 23 } as const;

/** A Monday, before the evening begins. */
const START = Date.UTC(2026, 10, 2, 18);
const BOOKED_ONE_MORE = START + HOUR / 2;
const LEADER_LOST = START + 1.5 * HOUR;
const END = LEADER_LOST + 10 * MINUTE;

/** A large fleet in virtual time, with the real engine, planner and code of the fleet; its leader loses power in the evening. */
export const fleetBenchmark: Benchmark = {
  name: "fleet",
  onlyWhenNamed: true,
  settles: true,
  open: async () => ({
    cases: [{ name: `${NODES} nodes, ${NODES * TUNERS} tuners, ${TIMERS} timers`, run: evening }],
    [Symbol.asyncDispose]: async () => {},
  }),
};

async function evening(): Promise<Measures> {
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const plans = new PlanTimes();
  const size = { seed: 1, nodes: NODES, tuners: TUNERS, channels: CHANNELS, start: START };
  const world = openFleetWorld({ ...size, planner: () => plans.planner() }, over.signal);
  const commits = new CommitSizes(world);
  const [oneMore, ...bookings] = bookingsOf(TIMERS + 1);
  for (const booking of bookings) world.guide.book(booking);
  for (const node of world.nodes) node.start();
  await advance(world, BOOKED_ONE_MORE);
  const first = plans.taken();
  if (oneMore !== undefined) world.guide.book(oneMore);
  await advance(world, LEADER_LOST);
  const later = plans.taken();
  const { sizes } = commits;
  const leader = world.nodes.find(({ leads }) => leads);
  const terms = world.laws.terms;
  const before = process.cpuUsage();
  leader?.losePower();
  while (world.laws.terms === terms) await advance(world, world.time.now() + SECOND / 10);
  const ledAfterMs = world.time.now() - LEADER_LOST;
  await advance(world, LEADER_LOST + MINUTE);
  const { user, system } = process.cpuUsage(before);
  const next = plans.taken();
  await advance(world, END);
  const gaps = gapsAfter(world, LEADER_LOST);
  over.abort();
  for (const node of world.nodes) node.losePower();
  return {
    "first plan": ms(Math.max(...first)),
    "longest plan of the evening": ms(Math.max(...later)),
    "median plan": ms(quantile(later, 0.5)),
    commits: count(sizes.length),
    "rows of a commit, median": count(
      quantile(
        sizes.map(({ rows }) => rows),
        0.5,
      ),
    ),
    "rows of a commit, 99 %": count(
      quantile(
        sizes.map(({ rows }) => rows),
        0.99,
      ),
    ),
    "size of a commit, median": kilobytes(
      quantile(
        sizes.map((each) => each.bytes),
        0.5,
      ),
    ),
    "size of a commit, 99 %": kilobytes(
      quantile(
        sizes.map((each) => each.bytes),
        0.99,
      ),
    ),
    "largest commit": kilobytes(Math.max(...sizes.map((each) => each.bytes))),
    "failover: next leader after": ms(ledAfterMs),
    "failover: its first plan": ms(Math.max(...next)),
    "failover: recordings at that time": count(gaps.length),
    "failover: longest gap": ms(Math.max(0, ...gaps)),
    "failover: processor time of all nodes": ms((user + system) / 1000),
  };
}

async function advance(world: OpenFleetWorld, to: number): Promise<void> {
  await world.advanceTo(to);
  const { violation } = world.laws;
  if (violation !== undefined)
    throw new Error(`the simulated fleet broke a law: ${violation.law}: ${violation.text}`);
}

function bookingsOf(wanted: number): readonly Booking[] {
  const chance = chanceOf(1, "shows of a large fleet");
  return Array.from({ length: wanted }, (_, index) => {
    const hour = chance.percent(EVENING.percent)
      ? chance.int(EVENING.from, EVENING.to - 1)
      : chance.int(0, 23);
    const minute = 5 * chance.int(0, 11);
    const midnight = Math.floor(START / (24 * HOUR)) * 24 * HOUR;
    const start = midnight + chance.int(0, DAYS - 1) * 24 * HOUR + hour * HOUR + minute * MINUTE;
    return {
      timerId: String(100_001 + index),
      name: `Show ${index + 1}`,
      channel: chance.int(1, CHANNELS.length),
      event: { start, stop: start + chance.pick(LENGTH_MINUTES) * MINUTE },
    };
  }).map(later);
}

/** A show that would be over before the fleet starts comes at the end. */
function later(booking: Booking): Booking {
  const { start, stop } = booking.event;
  const byMs = start < START + HOUR ? DAYS * 24 * HOUR : 0;
  return { ...booking, event: { start: start + byMs, stop: stop + byMs } };
}

/** The time that is missing from each recording that was running then, and was not over ten minutes later. */
function gapsAfter(world: OpenFleetWorld, at: number): readonly number[] {
  const running = Object.values(world.document.recordings).filter(
    ({ state, event }) => state === "recording" && event.start < at && event.stop > END,
  );
  const after = { start: at - SECOND, stop: END };
  return running.map(({ id }) => lengthMs(after) - coveredMs(after, spansOf(world, id)));
}

/** Times of the plans of all leaders. */
class PlanTimes {
  #times: number[] = [];

  planner(): Planner {
    const planner = createPlanner(ON_LOOP);
    return {
      ...planner,
      plan: (...asked) => {
        const begun = performance.now();
        const plan = planner.plan(...asked);
        this.#times.push(performance.now() - begun);
        return plan;
      },
    };
  }

  /** Those since the last call. */
  taken(): readonly number[] {
    return this.#times.splice(0);
  }
}

/** The commits of the document. */
class CommitSizes {
  readonly sizes: { readonly rows: number; readonly bytes: number }[] = [];

  constructor({ database }: OpenFleetWorld) {
    database.onWrite = (values) => this.#note(values);
  }

  #note(values: readonly Value[]): void {
    const [, , gone, , put] = values;
    // A batch of the ledger has other values.
    if (!Array.isArray(gone) || !Array.isArray(put)) return;
    const texts = values.flat().map(String);
    const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.sizes.push({ rows: gone.length + put.length, bytes: size });
  }
}
