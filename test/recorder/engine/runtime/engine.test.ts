import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { TIME_LIMITS } from "../../../../src/kit/time/limits.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { LedgerFact } from "../../../../src/model/ledger.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import type { OverrideChange } from "../../../../src/model/timer-override.ts";
import type { DaemonDocument } from "../../../../src/recorder/engine/core/document.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import type { Command, Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { ClockWatch } from "../../../../src/recorder/engine/runtime/clock-watch.ts";
import { Engine } from "../../../../src/recorder/engine/runtime/engine.ts";
import { setTimerOverride } from "../../../../src/recorder/engine/runtime/timer-override.ts";
import { writeBehind } from "../../../../src/recorder/store/write-behind.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { Brain, channel, EIGHT, timer } from "./world.ts";

const DUE = EIGHT - MINUTE - 2 * SECOND;

/** The loop on a document with one recording planned, in virtual time, on a disk that takes its time. */
function loop({
  commitMs = 0,
  fullAt = () => false,
  ledgerFullAt = fullAt,
  isQuiet = () => false,
  isOfFleet = false,
}: {
  readonly commitMs?: number;
  readonly fullAt?: (now: number) => boolean;
  readonly ledgerFullAt?: (now: number) => boolean;
  readonly isQuiet?: () => boolean;
  /** Its state is in a database, which may be away. */
  readonly isOfFleet?: boolean;
} = {}) {
  const brain = new Brain().fetch(timer("1"));
  const clock = createVirtualClock(brain.now);
  const ended = new AbortController();
  const { signal } = ended;
  let current: DaemonDocument = brain.document;
  const written: LedgerFact[] = [];
  const troubles: (string | undefined)[] = [];
  const turns = { begun: 0, taken: 0, most: 0 };
  const turn = () => {
    turns.taken += 1;
    if (!signal.aborted) setImmediate(turn);
  };
  turn();
  const throwIf = (isFull: boolean) => {
    if (!isFull) return;
    throw new RecorderdError("STORE_WRITE_FAILED", "No room.", { system: "ENOSPC" });
  };
  const pulses: number[] = [];
  const signs: number[] = [];
  const acted: { readonly kind: Command["kind"]; readonly at: number }[] = [];
  let sleptMs = 0;
  const watch = new ClockWatch({
    clock,
    uptimeMs: () => clock.monotonicMs() + sleptMs,
    boot: "b",
    toleranceMs: 30 * SECOND,
    memory: undefined,
  });
  const stored = {
    store: {
      get current() {
        return current;
      },
      openedFrom: "current" as const,
      async commit(next: DaemonDocument) {
        turns.most = Math.max(turns.most, turns.taken - turns.begun);
        await clock.sleep(commitMs, signal);
        throwIf(fullAt(clock.now()));
        current = next;
      },
      async [Symbol.asyncDispose]() {},
    },
    ledger: {
      append: async (facts: readonly LedgerFact[]) => {
        throwIf(ledgerFullAt(clock.now()));
        written.push(...facts);
      },
      catchUp: async () => {},
      async [Symbol.asyncDispose]() {},
    },
  };
  const engine = new Engine({
    ...(isOfFleet ? writeBehind(stored, clock) : stored),
    onTrouble: (trouble) => troubles.push(trouble?.code),
    onPulse: () => pulses.push(clock.now()),
    signOfLife: { before: undefined, renew: () => void signs.push(clock.now()) },
    isQuiet,
    act: ({ kind }) => acted.push({ kind, at: clock.now() }),
    world: () => {
      const { moved } = watch.look();
      turns.begun = turns.taken;
      const standing = { ...brain.world.clock, ...(moved === undefined ? {} : { moved }) };
      return { ...brain.world, now: clock.now(), clock: standing };
    },
    tuners: () => brain.tuners,
    watch,
    clock,
    log: silentLog,
  });
  const started = { kind: "started", running: new Set<string>() } as const;
  const running = engine.run(started, signal);
  return {
    clock,
    engine,
    attemptsAt: () => acted.filter(({ kind }) => kind === "attempt").map(({ at }) => at),
    document: () => current,
    /** Nothing of the machine runs meanwhile. */
    sleep: (ms: number) => {
      sleptMs += ms;
      clock.step(ms);
    },
    /** That others had, at the most, from the beginning of a decision until it is written. */
    turnsOfOthers: () => turns.most,
    acted,
    written,
    troubles,
    pulses,
    signs,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running.catch(() => {});
    },
  };
}

it("R-03 the engine begins a recording that fell due during a slow disk write", async () => {
  await using daemon = loop({ commitMs: 300 });
  await daemon.clock.advanceTo(DUE - 100);
  // Changes the document, and so is being written when the recording falls due.
  const list = { timers: [timer("1"), timer("2", { onChannel: 3 })], malformed: [] };
  await daemon.engine.post({ kind: "timers-fetched", list });
  await daemon.clock.advanceTo(DUE + 2 * SECOND);
  expect(daemon.attemptsAt().at(0)).toBeLessThan(DUE + SECOND);
});

it("R-03 the engine begins a recording that falls due while a long list is processed", async () => {
  await using daemon = loop({ commitMs: 300 });
  await daemon.clock.advanceTo(DUE - 100);
  expect(daemon.turnsOfOthers()).toBe(0);
  const later = Array.from({ length: 5 * ENGINE_LIMITS.newsAtOnce }, (_, index) => {
    const start = DUE + (index + 2) * HOUR;
    return { ...timer(String(1000 + index)), event: { start, stop: start + HOUR / 2 } };
  });
  await daemon.engine.post({
    kind: "timers-fetched",
    list: { timers: [timer("1"), ...later], malformed: [] },
  });
  await daemon.clock.advanceTo(DUE + 10 * SECOND);
  expect(daemon.attemptsAt().at(0)).toBeLessThan(DUE + SECOND);
  expect(Object.keys(daemon.document().recordings)).toHaveLength(later.length + 1);
  // Nor does it keep others waiting until it has decided about all of them.
  expect(daemon.turnsOfOthers()).toBeGreaterThan(3);
});

it("R-36 the engine begins a recording in time after the clock was set back or forward", async () => {
  for (const step of [-HOUR, HOUR / 2]) {
    await using daemon = loop();
    await daemon.clock.advanceTo(DUE - HOUR / 2 - 5 * MINUTE);
    daemon.clock.step(step);
    await daemon.clock.advanceTo(DUE + 2 * SECOND);
    expect(daemon.attemptsAt()).toEqual([DUE]);
  }
});

it("R-02 a minute in which nothing is due costs a sign of life, and no decision", async () => {
  await using daemon = loop({ isQuiet: () => true });
  // Until then it waits for the service's list.
  await daemon.clock.advance(ENGINE_LIMITS.listAwaitMs);
  const before = daemon.document();
  daemon.signs.length = 0;
  await daemon.clock.advanceTo(before.heartbeatAt + 10 * MINUTE);
  expect(daemon.document()).toBe(before);
  const minutes = Array.from({ length: 10 }, (_, minute) => before.heartbeatAt + (minute + 1) * MINUTE);
  expect(daemon.signs).toEqual(minutes);
});

it("R-02 the sign of life follows a clock that was set back", async () => {
  await using daemon = loop({ isQuiet: () => true });
  await daemon.clock.advance(10 * MINUTE);
  daemon.clock.step(-HOUR / 2);
  await daemon.clock.advance(MINUTE / 2);
  expect(daemon.clock.now() - (daemon.signs.at(-1) ?? 0)).toBeLessThanOrEqual(MINUTE / 2);
});

it("R-01 no sign of life covers a sleep during a write before that sleep is on disk", async () => {
  await using daemon = loop({ isQuiet: () => true, commitMs: SECOND });
  await daemon.clock.advance(ENGINE_LIMITS.listAwaitMs + MINUTE / 2);
  daemon.sleep(HOUR);
  await daemon.engine.post({ kind: "instant" });
  await daemon.clock.advance(SECOND / 2);
  const asleepAt = daemon.clock.now();
  daemon.sleep(HOUR);
  await daemon.clock.advance(SECOND);
  // The first sleep is on disk, and the second is not.
  const [noted] = daemon.document().outages.slice(-1);
  expect(noted?.stop).toBeLessThan(asleepAt);
  expect(daemon.signs.filter((at) => at > asleepAt)).toEqual([]);
  await daemon.clock.advance(2 * TIME_LIMITS.waitSliceMs);
  expect(daemon.document().outages.at(-1)).toMatchObject({ asleep: true });
  expect(daemon.document().outages.at(-1)?.stop).toBeGreaterThan(asleepAt + HOUR);
  expect(daemon.signs.at(-1)).toBeGreaterThan(asleepAt + HOUR);
});

it("R-01 no sign of life covers a sleep that a full disk keeps out of the document", async () => {
  let isFull = false;
  await using daemon = loop({ fullAt: () => isFull });
  await daemon.clock.advance(MINUTE);
  isFull = true;
  await daemon.clock.advance(10 * MINUTE);
  const asleepAt = daemon.clock.now();
  expect(daemon.signs.at(-1)).toBeGreaterThan(asleepAt - MINUTE);
  daemon.sleep(HOUR);
  await daemon.clock.advance(10 * MINUTE);
  expect(daemon.signs.filter((at) => at > asleepAt)).toEqual([]);
  isFull = false;
  await daemon.clock.advance(MINUTE);
  expect(daemon.document().outages.at(-1)).toMatchObject({ asleep: true });
  expect(daemon.document().heartbeatAt).toBeGreaterThan(daemon.clock.now() - 2 * MINUTE);
});

it("R-02 the engine continues its signs of life after the clock was set back", async () => {
  await using daemon = loop();
  await daemon.clock.advance(10 * MINUTE);
  daemon.clock.step(-HOUR / 2);
  await daemon.clock.advance(3 * MINUTE);
  expect(Math.abs(daemon.document().heartbeatAt - daemon.clock.now())).toBeLessThanOrEqual(MINUTE);
});

it("R-42 the engine reports regularly that its loop works, even with a full disk, but not during a hanging write", async () => {
  const longestSilence = (pulses: readonly number[]) =>
    Math.max(...pulses.slice(1).map((at, index) => at - (pulses[index] ?? at)));
  await using idle = loop();
  await idle.clock.advance(30 * MINUTE);
  expect(longestSilence(idle.pulses)).toBeLessThanOrEqual(TIME_LIMITS.waitSliceMs);
  await using full = loop({ fullAt: () => true });
  await full.clock.advance(30 * MINUTE);
  expect(longestSilence(full.pulses)).toBeLessThanOrEqual(ENGINE_LIMITS.retryMsMax);
  await using hanging = loop({ commitMs: HOUR });
  await hanging.clock.advance(30 * MINUTE);
  expect(hanging.pulses.length).toBeLessThanOrEqual(1);
});

describe("R-07 a full data folder", () => {
  const list = (...ids: readonly string[]) => ({
    kind: "timers-fetched" as const,
    list: { timers: ids.map((id) => timer(id)), malformed: [] },
  });

  it("ends nothing: commands are decided again once there is space, from the state at that time", async () => {
    const roomAt = EIGHT + 5 * MINUTE;
    await using daemon = loop({ fullAt: (now) => now > DUE - MINUTE && now < roomAt });
    await daemon.clock.advanceTo(EIGHT);
    expect(daemon.attemptsAt()).toEqual([]);
    expect(new Set(daemon.troubles)).toEqual(new Set(["DISK_FULL"]));
    await daemon.clock.advanceTo(roomAt + MINUTE);
    expect(daemon.troubles.at(-1)).toBeUndefined();
    // at once, and no earlier attempt is made up.
    expect(daemon.attemptsAt()).toHaveLength(1);
    expect(daemon.attemptsAt()[0]).toBeGreaterThanOrEqual(roomAt);
    const [attempt] = Object.values(daemon.document().recordings)[0]?.attempts ?? [];
    expect(attempt?.startedAt).toBeGreaterThanOrEqual(roomAt);
  });

  it("causes pauses between tries, and no action without a commit", async () => {
    await using daemon = loop({ fullAt: (now) => now > DUE - MINUTE });
    await daemon.clock.advanceTo(DUE - MINUTE + SECOND);
    const before = daemon.acted.length;
    await daemon.clock.advanceTo(DUE + HOUR);
    expect(daemon.acted.length).toBe(before);
    expect(daemon.troubles.length).toBeLessThan(HOUR / (30 * SECOND) + 10);
  });

  it("R-42 keeps only the latest list of timers waiting", async () => {
    const roomAt = DUE - HOUR / 2;
    await using daemon = loop({ fullAt: (now) => now < roomAt });
    await daemon.engine.postLatest(list("1", "2"));
    await daemon.clock.advance(SECOND);
    for (let poll = 0; poll < 20; poll += 1) await daemon.engine.postLatest(list("1", `3${poll}`));
    await daemon.engine.postLatest(list("1", "4"));
    await daemon.clock.advanceTo(roomAt + MINUTE);
    const ordered = daemon.written.filter(({ fact }) => fact === "ordered").map(({ timerId }) => timerId);
    expect(ordered).toEqual(["4"]);
    expect(Object.keys(daemon.document().timers)).toEqual(["1", "4"]);
  });

  it("decides about channels before the timers that need them, however often both are fetched meanwhile", async () => {
    const roomAt = DUE - HOUR / 2;
    await using daemon = loop({ fullAt: (now) => now < roomAt });
    await daemon.engine.post({ kind: "instant" });
    await daemon.clock.advance(SECOND);
    const channels: Occurrence = { kind: "channels-fetched", channels: [1, 9].map(channel) };
    const timers = [timer("1"), timer("2", { onChannel: 9 })];
    await daemon.engine.postLatest(channels);
    await daemon.engine.postLatest({ kind: "timers-fetched", list: { timers, malformed: [] } });
    await daemon.engine.postLatest(channels);
    await daemon.clock.advanceTo(roomAt + MINUTE);
    const facts = daemon.written.filter(({ timerId }) => timerId === "2").map(({ fact }) => fact);
    expect(facts[0]).toBe("ordered");
    expect(facts).not.toContain("conflict");
  });

  it("R-10 loses no fact if the document could be written and the ledger could not", async () => {
    await using daemon = loop({ ledgerFullAt: (now) => now < DUE - HOUR / 4 });
    await daemon.engine.post(list("1", "2"));
    await daemon.clock.advanceTo(DUE - HOUR / 4 - SECOND);
    expect([Object.keys(daemon.document().timers), daemon.written]).toEqual([["1"], []]);
    await daemon.clock.advanceTo(DUE - HOUR / 8);
    expect(daemon.written.map(({ fact }) => fact).slice(0, 2)).toEqual(["started", "ordered"]);
  });
});

describe("the leader of a fleet whose database is away", () => {
  const roomAt = EIGHT + 5 * MINUTE;
  const away = (now: number) => now > DUE - MINUTE && now < roomAt;

  it("R-03 begins a recording on time, and stores that when the database is back", async () => {
    await using daemon = loop({ fullAt: away, isOfFleet: true });
    await daemon.clock.advanceTo(EIGHT);
    expect(daemon.attemptsAt()).toEqual([DUE]);
    expect(daemon.troubles).toEqual(["STORE_WRITE_FAILED"]);
    expect(Object.values(daemon.document().recordings)[0]?.attempts).toEqual([]);
    await daemon.clock.advanceTo(roomAt + SECOND);
    expect(daemon.attemptsAt()).toEqual([DUE]);
    expect(daemon.troubles).toEqual(["STORE_WRITE_FAILED", undefined]);
    const [attempt] = Object.values(daemon.document().recordings)[0]?.attempts ?? [];
    expect(attempt?.startedAt).toBe(DUE);
    expect(daemon.written.map(({ fact }) => fact)).toContain("due");
  });

  it("delivers no report and touches no file before the database is back", async () => {
    await using daemon = loop({ fullAt: away, isOfFleet: true });
    await daemon.clock.advanceTo(DUE + SECOND);
    const before = daemon.acted.length;
    const attempt = { recordingId: Object.keys(daemon.document().recordings)[0] ?? "", attempt: 1 };
    await daemon.engine.post({ kind: "attempt-flowing", ...attempt });
    await daemon.engine.post({ kind: "attempt-ended", ...attempt, cause: "STREAM_ENDED", text: "It ended." });
    await daemon.clock.advanceTo(roomAt - SECOND);
    const kinds = new Set(daemon.acted.slice(before).map(({ kind }) => kind));
    expect([...kinds]).toEqual(["attempt"]);
    await daemon.clock.advanceTo(roomAt + SECOND);
    expect(daemon.acted.slice(before).map(({ kind }) => kind)).toContain("deliver");
  });

  it("answers a person who changes a timer when the change is stored", async () => {
    await using daemon = loop({ fullAt: away, isOfFleet: true });
    await daemon.clock.advanceTo(DUE + SECOND);
    const { document, engine } = daemon;
    const said = setTimerOverride("1", { priority: 80 }, { document, engine }).catch(({ code }) => code);
    await daemon.clock.advance(MODEL_LIMITS.tuneMs + SECOND);
    expect(await said).toBe("STORE_WRITE_FAILED");
    await daemon.clock.advanceTo(roomAt + SECOND);
    expect(Object.values(daemon.document().recordings)[0]?.override?.priority).toBe(80);
  });
});

describe("two simultaneous changes of one timer", () => {
  const wants =
    ({ engine, document }: ReturnType<typeof loop>) =>
    (change: OverrideChange) =>
      setTimerOverride("1", change, { document, engine });

  it("are stored, and each request gets the resulting state", async () => {
    await using daemon = loop({ commitMs: 300 });
    const wish = wants(daemon);
    const told = Promise.all([
      wish({ priority: 80 }),
      wish({ padding: { beforeMs: 0, afterMs: MINUTE } }),
      wish({ priority: 90 }),
    ]);
    await daemon.clock.advance(5 * SECOND);
    const padding = { beforeMs: 0, afterMs: MINUTE };
    expect((await told).map(({ override }) => override)).toEqual([
      { priority: 80 },
      { priority: 80, padding },
      { priority: 90, padding },
    ]);
  });

  it("are announced as delayed if the data folder is not writable", async () => {
    let isFull = false;
    await using daemon = loop({ fullAt: () => isFull });
    await daemon.clock.advance(SECOND);
    isFull = true;
    const told = wants(daemon)({ priority: 80 }).catch((error: unknown) => error);
    await daemon.clock.advance(MODEL_LIMITS.tuneMs);
    expect(await told).toMatchObject({
      code: "STORE_WRITE_FAILED",
      message: expect.stringContaining("as soon as"),
    });
    isFull = false;
    await daemon.clock.advance(ENGINE_LIMITS.retryMsMax);
    expect(Object.values(daemon.document().recordings)[0]?.override).toEqual({ priority: 80 });
  });

  it("are refused if the recorder ends before they are stored", async () => {
    const daemon = loop({ fullAt: () => true });
    const told = wants(daemon)({ priority: 80 }).catch((error: unknown) => error);
    await daemon[Symbol.asyncDispose]();
    expect(await told).toMatchObject({ code: "DAEMON_NOT_READY" });
  });

  it("are refused at once after the recorder has ended", async () => {
    const daemon = loop();
    await daemon.clock.advance(SECOND);
    await daemon[Symbol.asyncDispose]();
    await expect(wants(daemon)({ priority: 80 })).rejects.toMatchObject({ code: "DAEMON_NOT_READY" });
  });
});
