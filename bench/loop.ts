import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { guideAccount } from "../src/guide-wire/account.ts";
import { createGuideClient } from "../src/guide-wire/client.ts";
import { encodeDocument } from "../src/guide-wire/codec.ts";
import { silentLog } from "../src/kit/log.ts";
import { type Clock, systemClock, whenAtBy } from "../src/kit/time/clock.ts";
import { WakeSignal } from "../src/kit/time/wake-signal.ts";
import type { PlanRequest } from "../src/model/plan.ts";
import type { GuideAccount } from "../src/model/ports.ts";
import type { Channel } from "../src/model/service.ts";
import { type EpochMs, formatInstant, HOUR, MINUTE } from "../src/model/time.ts";
import type { TunerFacts } from "../src/model/tuner.ts";
import { Events } from "../src/recorder/api/events.ts";
import { emptyDocument } from "../src/recorder/engine/core/document.ts";
import type { World } from "../src/recorder/engine/core/draft.ts";
import { snapshotOf } from "../src/recorder/engine/core/snapshot.ts";
import { DOCUMENT_FORMAT } from "../src/recorder/engine/runtime/document-format.ts";
import { Engine } from "../src/recorder/engine/runtime/engine.ts";
import { openDocumentStore } from "../src/recorder/store/document-store.ts";
import { openLedger } from "../src/recorder/store/ledger.ts";
import { createDecoding } from "../src/recorder/threads/decoding.ts";
import { createPlanning } from "../src/recorder/threads/planning.ts";
import { json } from "../src/web/json.ts";
import { type Case, count, elapsedMs, ms } from "./harness.ts";
import { later } from "./orders.ts";

/** A busy machine takes longer than anybody wants to wait. */
const PATIENCE_MS = 60_000;
const PLANNING_THREAD = new URL("../src/recorder/threads/planning-thread.js", import.meta.url);
const START_CHILD = join(import.meta.dirname, "loop-start-child.js");
const DECODING_THREAD = new URL("../src/recorder/threads/decoding-thread.js", import.meta.url);

/** The orders of a household, as its service lists them. */
interface House {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly folder: string;
}

/** The same for timers that are one chain, with one change; until nothing is provisional any more. */
export function wholeLoopOfChain(name: string, house: House): Case {
  const { wishes, tuners } = house;
  const startAt = startOf(house);
  const withOneMoved = withMoved(wishes, Math.floor(wishes.length / 2));
  return {
    name,
    run: async () => {
      const folder = await mkdtemp(join(house.folder, "loop-"));
      const life = async () => {
        await using loop = await openLoop({ tuners, folder, startAt });
        await loop.begins();
        await loop.knows(channelsOf(wishes));
        const first = await loop.blockedBy(() => loop.takes(bodyOf(wishes)));
        const proof = await loop.blockedBy(loop.isProven);
        const one = await loop.blockedBy(() => loop.takes(withOneMoved));
        const again = await loop.blockedBy(loop.isProven);
        return { first, proof, one, again };
      };
      const { first, proof, one, again } = await life();
      await rm(folder, { recursive: true });
      return {
        "first list, loop blocked": ms(Math.max(first.blockedMs, proof.blockedMs)),
        "first list, proven after": ms(first.tookMs + proof.tookMs),
        "one moved, loop blocked": ms(Math.max(one.blockedMs, again.blockedMs)),
        "one moved, all planned after": ms(one.tookMs),
        "one moved, proven after": ms(one.tookMs + again.tookMs),
      };
    },
  };
}

/**
 * The daemon's loop with all that a list of timers has it do: reading it as XML, deciding, planning with the thread beside it, the document,
 * the ledger and the news of it to somebody who looks on; all but the sockets and the reports.
 */
export function wholeLoop(name: string, house: House): Case {
  const { wishes, tuners } = house;
  const startAt = startOf(house);
  const list = bodyOf(wishes);
  const withOneMoved = withMoved(wishes, 37);
  return {
    name,
    run: async () => {
      const folder = await mkdtemp(join(house.folder, "loop-"));
      const life = async () => {
        await using loop = await openLoop({ tuners, folder, startAt });
        await loop.begins();
        await loop.knows(channelsOf(wishes));
        const first = await loop.blockedBy(() => loop.takes(list));
        const same = await loop.blockedBy(() => loop.takes(list));
        const one = await loop.blockedBy(() => loop.takes(withOneMoved));
        const shown = await loop.blockedBy(loop.isShown);
        return { first, same, one, shown };
      };
      const { first, same, one, shown } = await life();
      const { stdout } = await promisify(execFile)(process.execPath, [
        START_CHILD,
        folder,
        `${tuners.length}`,
      ]);
      const next = JSON.parse(stdout) as Block;
      await rm(folder, { recursive: true });
      return {
        "first list, loop blocked": ms(first.blockedMs),
        "first list, decisions": count(first.decisions),
        "first list, all planned after": ms(first.tookMs),
        "same list, loop blocked": ms(same.blockedMs),
        "one moved, loop blocked": ms(one.blockedMs),
        "shown to one more, loop blocked": ms(shown.blockedMs),
        "after a start, loop blocked": ms(next.blockedMs),
        "after a start, all planned after": ms(next.tookMs),
      };
    },
  };
}

function startOf({ wishes }: House): EpochMs {
  return Math.min(...wishes.map(({ window }) => window.start)) - HOUR;
}

/** The list with one event moved. */
function withMoved(wishes: readonly PlanRequest[], at: number) {
  return bodyOf(wishes.map((wish, index) => (index === at ? { ...wish, event: later(wish.event) } : wish)));
}

interface Block {
  readonly blockedMs: number;
  readonly tookMs: number;
  readonly decisions: number;
}

/** A daemon's life with the data of a folder; of an empty one it is the first, and begins at `startAt`. */
export async function openLoop({
  tuners,
  folder,
  startAt,
}: Pick<House, "tuners" | "folder"> & { readonly startAt: EpochMs }) {
  const log = silentLog;
  const store = await openDocumentStore({
    file: join(folder, "document.json"),
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(startAt),
  });
  const startedAt = store.openedFrom === "nothing" ? startAt : store.current.heartbeatAt + MINUTE;
  const clock = clockAt(startedAt);
  await mkdir(join(folder, "ledger"), { recursive: true });
  const ledger = await openLedger({ folder: join(folder, "ledger") });
  const planning = createPlanning({ threadFile: PLANNING_THREAD, clock, log });
  const { plan, preview } = planning.planner;
  const standing = { trusted: true, suspendsDecisions: false, boot: "bench", baseMs: 0 } as const;
  const picture = () => ({
    snapshot: snapshotOf({
      document: store.current,
      tuners,
      policy: POLICY,
      preview,
      guide: { signInNeeded: false },
      clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
      at: clock.now(),
      startedAt,
      version: "bench",
    }),
    entries: [],
    jobs: [],
  });
  const events = new Events({ picture, clock });
  const committed = new WakeSignal();
  let decisions = 0;
  let noted = 0;
  let planned = 0;
  const planNoted: typeof plan = (...question) => {
    const made = plan(...question);
    planned = made.placements.length;
    return made;
  };
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
      return { now: clock.now(), tuners, policy: POLICY, clock: standing, plan: planNoted };
    },
    tuners: () => tuners,
    signOfLife: { before: undefined, renew: () => {} },
    isQuiet: () => false,
    watch: {
      hasMoved: false,
      isNoted: true,
      noted: () => {
        noted += 1;
        committed.signal();
      },
    },
    clock,
    log,
  });
  const over = new AbortController();
  const { signal } = over;
  const running: Promise<void>[] = [];

  /** The daemon's start: derives the work from the document and plans it; then a viewer connects. */
  async function begins(): Promise<void> {
    running.push(
      engine.run({ kind: "started", running: new Set() }, signal),
      events.run(signal),
      planning.run(signal, () => engine.postLatest({ kind: "instant" })),
    );
    await committed.waitFor(PATIENCE_MS, { clock, signal });
    // Lets the new viewer have its own turn.
    await clock.sleep(0, signal);
    events.listen(undefined)?.resume();
    await isPlanned({ least: 0, posted: 0 });
  }

  async function takes(body: Buffer): Promise<void> {
    const list = await serviceOf(body, clock).timers(signal);
    await engine.post({ kind: "timers-fetched", list });
    await isPlanned({ least: list.timers.length, posted: 1 });
  }

  /** Until at least so many and all else are planned, provisionally or not, and whoever looks on has been told; `posted` is not decided yet. */
  async function isPlanned({
    least,
    posted,
  }: {
    readonly least: number;
    readonly posted: number;
  }): Promise<void> {
    const taken = noted + posted + 1;
    await engine.post({ kind: "instant" });
    const isOver = () => {
      if (noted < taken) return false;
      const known = Object.keys(store.current.recordings).length;
      return known >= least && planned >= known;
    };
    const until = clock.monotonicMs() + PATIENCE_MS;
    while (!isOver() && clock.monotonicMs() < until) await committed.waitFor(PATIENCE_MS, { clock, signal });
    await clock.sleep(200, signal);
  }

  /** Until the planning thread has no more to do. */
  async function isProven(): Promise<void> {
    const until = clock.monotonicMs() + PATIENCE_MS;
    while (planning.planner.pendingGroups().length > 0 && clock.monotonicMs() < until)
      await committed.waitFor(100, { clock, signal });
  }

  /** Somebody comes to look on, and somebody else asks for all that there is. */
  async function isShown(): Promise<void> {
    const listener = events.listen(undefined);
    for await (const piece of listener ?? []) if (String(piece).endsWith("\n\n")) break;
    const { body = "" } = json(200, picture().snapshot);
    if (typeof body === "string" || Buffer.isBuffer(body)) return;
    for await (const _piece of body);
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
    begins,
    knows: (channels: readonly Channel[]) => engine.post({ kind: "channels-fetched", channels }),
    takes,
    isProven,
    isShown,
    blockedBy,
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await Promise.all(running);
      await store[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
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
function clockAt(at: number): Clock {
  const clock = systemClock();
  const byMs = at - clock.now();
  const now = () => clock.now() + byMs;
  // Its waits follow its own time: by the machine's, all instants would be past, and the engine would decide without a pause.
  return { ...clock, now, whenAt: whenAtBy({ now, after: clock.after }) };
}

/** The timer list in the service's format. */
function bodyOf(wishes: readonly PlanRequest[]): Buffer {
  const timers = wishes.map(({ recordingId, service, event, priority }) => ({
    id: recordingId,
    name: `${priority} Programme ${recordingId} & its sequel`,
    device_id: 1,
    channel_id: service.sid,
    show_id: Number(recordingId.replace(/\D/g, "")),
    start_time: formatInstant(event.start),
    duration_minutes: (event.stop - event.start) / MINUTE,
    action: "record",
    state: "waiting",
    series_recording_id: 0,
    keyword_id: 0,
  }));
  return encodeDocument("timers", { timers }, { format: "xml" }).body;
}

/** A service that answers with `body`, whatever it is asked. */
function serviceOf(body: Buffer, clock: Clock): GuideAccount {
  const headers = { "content-type": "application/xml" };
  const answer = async () => ({ kind: "answer", status: 200, headers, body }) as const;
  const http = { request: answer, stream: answer, close: async () => {}, async [Symbol.asyncDispose]() {} };
  const client = createGuideClient({
    baseUrl: "http://127.0.0.1/",
    apiKey: "bench",
    applicationVersion: "bench",
    wire: "xml",
    http,
    clock,
    credentials: () => ({ email: "bench@example.org", token: "bench" }),
    decodeOnThread: createDecoding({ threadFile: DECODING_THREAD, clock }),
  });
  return guideAccount(client, { regionId: 1 });
}

function channelsOf(wishes: readonly PlanRequest[]): readonly Channel[] {
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
