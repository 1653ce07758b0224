import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createPlanning } from "../src/compose-planning.ts";
import { emptyDocument } from "../src/engine/document.ts";
import { DOCUMENT_FORMAT } from "../src/engine/document-format.ts";
import type { World } from "../src/engine/draft.ts";
import { Engine } from "../src/engine/engine.ts";
import { snapshotOf } from "../src/engine/snapshot.ts";
import { type Clock, systemClock } from "../src/kit/clock.ts";
import { silentLog } from "../src/kit/log.ts";
import { Nudge } from "../src/kit/nudge.ts";
import type { Wish } from "../src/model/plan.ts";
import type { Channel } from "../src/model/service.ts";
import { HOUR } from "../src/model/time.ts";
import type { Timer } from "../src/model/timer.ts";
import type { TunerFacts } from "../src/model/tuner.ts";
import { openDocumentStore } from "../src/store/document-store.ts";
import { openLedger } from "../src/store/ledger.ts";
import { createEvents } from "../src/web/events.ts";
import { type Case, count, elapsedMs, ms } from "./harness.ts";
import { later } from "./orders.ts";

/** A busy machine takes longer than anybody wants to wait. */
const PATIENCE_MS = 60_000;
const THREAD = new URL("../src/planning-thread.js", import.meta.url);

/** What a household ordered, as its service lists it. */
interface House {
  readonly wishes: readonly Wish[];
  readonly tuners: readonly TunerFacts[];
  readonly folder: string;
}

/**
 * The daemon's loop with all that a list of timers has it do: deciding, planning with the thread beside it, the document, the ledger and
 * the news of it to somebody who looks on; all but the exchange with the service.
 */
export function wholeLoop(name: string, house: House): Case {
  const timers = house.wishes.map(timerOf);
  const moved = timers.map((timer, index) =>
    index === 37 ? { ...timer, event: later(timer.event) } : timer,
  );
  return {
    name,
    run: async () => {
      await using loop = await openLoop(house);
      const first = await loop.blockedBy(() => loop.takes(timers));
      const same = await loop.blockedBy(() => loop.takes(timers));
      const one = await loop.blockedBy(() => loop.takes(moved));
      return {
        "first list, loop blocked": ms(first.blockedMs),
        "first list, decisions": count(first.decisions),
        "first list, all planned after": ms(first.tookMs),
        "same list, loop blocked": ms(same.blockedMs),
        "one moved, loop blocked": ms(one.blockedMs),
      };
    },
  };
}

interface Block {
  readonly blockedMs: number;
  readonly tookMs: number;
  readonly decisions: number;
}

async function openLoop({ wishes, tuners, folder: within }: House) {
  const folder = await mkdtemp(join(within, "loop-"));
  const clock = clockAt(Math.min(...wishes.map(({ window }) => window.start)) - HOUR);
  const startedAt = clock.now();
  const log = silentLog;
  const store = await openDocumentStore({
    file: join(folder, "document.json"),
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(startedAt),
  });
  await mkdir(join(folder, "ledger"));
  const ledger = await openLedger({ folder: join(folder, "ledger") });
  const planning = createPlanning({ threadFile: THREAD, clock, log });
  const { plan, look } = planning.planner;
  const standing = { trusted: true, holds: false, boot: "bench", baseMs: 0 } as const;
  const events = createEvents({
    picture: () => ({
      snapshot: snapshotOf({
        document: store.current,
        tuners,
        policy: POLICY,
        plan: look,
        guide: { signInNeeded: false },
        clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
        at: clock.now(),
        startedAt,
        version: "bench",
      }),
      entries: [],
      jobs: [],
    }),
    clock,
  });
  const committed = new Nudge();
  let decisions = 0;
  let noted = 0;
  const engine: Engine = new Engine({
    store: {
      get current() {
        return store.current;
      },
      commit: async (next) => {
        await store.commit(next);
        events.touch();
      },
    },
    ledger,
    act: () => {},
    onTrouble: () => {},
    world: () => {
      decisions += 1;
      return { now: clock.now(), tuners, policy: POLICY, clock: standing, plan };
    },
    tuners: () => tuners,
    watch: {
      hasMoved: false,
      noted: () => {
        noted += 1;
        committed.give();
      },
    },
    clock,
    log,
  });
  const over = new AbortController();
  const { signal } = over;
  const running = [
    engine.run(signal),
    events.run(signal),
    planning.run(signal, () => engine.postLatest({ kind: "instant" })),
  ];
  events.listen(undefined)?.resume();
  await engine.post({ kind: "channels-fetched", channels: channelsOf(wishes) });

  /** Until all are planned, provisionally or not, and whoever looks on has been told. */
  async function takes(timers: readonly Timer[]): Promise<void> {
    await engine.post({ kind: "timers-fetched", list: { timers, malformed: [] } });
    // One may have been under way, and these are behind it.
    const taken = noted + 2;
    await engine.post({ kind: "instant" });
    const isOver = () => {
      if (noted < taken) return false;
      const all = Object.values(store.current.recordings);
      return all.length >= timers.length && all.every(({ tunerId, trouble }) => tunerId ?? trouble);
    };
    const until = clock.monotonicMs() + PATIENCE_MS;
    while (!isOver() && clock.monotonicMs() < until) await committed.waitFor(PATIENCE_MS, { clock, signal });
    await clock.sleep(200, signal);
  }

  async function blockedBy(work: () => Promise<void>): Promise<Block> {
    const before = decisions;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const tookMs = await elapsedMs(work);
    delay.disable();
    return { blockedMs: delay.max / 1e6, tookMs, decisions: decisions - before };
  }

  return {
    takes,
    blockedBy,
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await Promise.all(running);
      await store[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const POLICY: World["policy"] = {
  padding: { beforeMs: 60_000, afterMs: 180_000 },
  completeFrom: 0.98,
  follow: { extendMs: HOUR, endEarly: false },
  repeats: "offer",
  vocabulary: "observed",
  priorities: [40, 60].map((priority) => ({ match: { title: `${priority} *` }, priority })),
  timeZone: "UTC",
};

/** The machine's clock, set to another time. */
function clockAt(now: number): Clock {
  const clock = systemClock();
  const byMs = now - clock.now();
  return { ...clock, now: () => clock.now() + byMs };
}

function timerOf({ recordingId, service, event, priority }: Wish): Timer {
  return {
    id: recordingId,
    name: `${priority} Programme ${recordingId} & its sequel`,
    deviceId: "1",
    channelId: String(service.sid),
    showId: recordingId,
    event,
    action: "record",
    state: "waiting",
    seriesRecordingId: "0",
    keywordId: "0",
  };
}

function channelsOf(wishes: readonly Wish[]): readonly Channel[] {
  const services = new Map(wishes.map(({ service }) => [service.sid, service]));
  return [...services.values()].map((service) => ({
    id: String(service.sid),
    name: `Channel ${service.sid}`,
    nameShort: `C${service.sid}`,
    knownNames: [],
    triplets: [service],
    lcns: [service.sid],
  }));
}
