import { spawn } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Capture, CaptureEnd, CaptureOrder } from "../../../src/model/ports.ts";
import type { Triplet } from "../../../src/model/service.ts";
import type { CaptureLimits } from "../../../src/recorder/capture/engine.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { RUNTIME_LIMITS } from "../../../src/recorder/engine/runtime/limits.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { freeUdpPort } from "../../free-port.ts";
import { bundledInto } from "../../kit/bundled.ts";
import { startHostileSenders } from "./hostile.ts";
import { portions, ServiceStream, type Station, startStation } from "./station.ts";

export const SERVICE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };
const OTHER: Triplet = { onid: 4112, tsid: 545, sid: 1057 };
const ELSEWHERE: Triplet = { onid: 12_802, tsid: 928, sid: 1056 };

/** The house's limits made short, so that a test that waits for one of them takes a second or two. */
export const SHORT: CaptureLimits = {
  // A busy machine starts a program late, and stops it for seconds: that is no fault of a source.
  firstPayloadMs: 60_000,
  stallMs: 60_000,
  doubtMs: 400,
  steadyMs: 1000,
  doubtFlawsPercent: 1,
  wrongServiceMs: 500,
  captureLookFirstMs: 50,
  captureLookMs: 100,
  captureNameMs: 400,
  captureSyncMs: 15_000,
  captureLogBytes: 1024 * 1024,
  inputTimeoutMs: 20_000,
  stopPatienceMs: 1000,
  hostAnswerMs: 60_000,
};

/** For captures that end for want of packets. */
const IMPATIENT: CaptureLimits = { ...SHORT, firstPayloadMs: 2000, stallMs: 1000 };
/** For captures whose packets come, but are of no use. */
const DOUBTFUL: CaptureLimits = { ...SHORT, firstPayloadMs: 10_000, stallMs: 5000 };

export interface CaptureUnderTest {
  readonly name: string;
  /** A life of the daemon: two with the same owner are one daemon, before and after a restart. */
  readonly build: (parts: { readonly owner: string; readonly limits: CaptureLimits }) => Capture;
}

const never = new AbortController().signal;
// The daemon sets the same limit for its own signal: every capture waits with it, and that is no leak.
setMaxListeners(RUNTIME_LIMITS.signalListeners, never);
const clock = systemClock();

/** Waits for an event that must happen; the test's own deadline is the limit. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await clock.sleep(20, never);
}

/** Starts and watches, as the daemon does. */
export async function run(capture: Capture, order: CaptureOrder) {
  await capture.start(order);
  return watch(capture, order);
}

export function watch(capture: Capture, { id, service, file }: CaptureOrder, signal = never) {
  let flows = 0;
  let told = () => {};
  const flowing = new Promise<void>((resolve) => {
    told = resolve;
  });
  const onFlowing = () => {
    flows += 1;
    told();
  };
  const doubts: string[] = [];
  const onDoubt = (text: string) => void doubts.push(text);
  const end = capture.watch({ id, service, file, onFlowing, onDoubt, onEvents: () => {} }, signal);
  return {
    end,
    doubts,
    flows: () => flows,
    /** Fails at once when the capture ends instead. */
    flowing: () =>
      Promise.race([
        flowing,
        end.then(({ cause, text }) => {
          if (flows === 0) throw new Error(`ended with ${cause} before anything flowed: ${text}`);
        }),
      ]),
  };
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Replaces a file as `mv` and most programs that write files do. */
async function putAnother(file: string): Promise<void> {
  await writeFile(`${file}.theirs`, "theirs");
  await rename(`${file}.theirs`, file);
}

/** Modes mean nothing to root. */
async function asNobody(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

export function keepsCaptureContract({ name, build }: CaptureUnderTest): void {
  describe(`${name} keeps the capture contract`, () => {
    let station: Station;
    let folder: string;
    let attempts = 0;
    const owner = `/contract/${name}-${process.pid}`;
    const capture = build({ owner, limits: SHORT });
    const impatient = build({ owner, limits: IMPATIENT });
    const doubtful = build({ owner, limits: DOUBTFUL });

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "recorderd-capture-"));
      const live = (stream: () => ServiceStream, ticks = Number.POSITIVE_INFINITY) =>
        portions(stream(), ticks);
      const good = () => new ServiceStream(SERVICE);
      station = await startStation({
        good: (_response, air) => air.live(live(good)),
        beside: (_response, air) => air.live(live(good)),
        other: (_response, air) => air.live(live(() => new ServiceStream(OTHER))),
        elsewhere: (_response, air) => air.live(live(() => new ServiceStream(ELSEWHERE))),
        scrambled: (_response, air) => air.live(live(() => new ServiceStream(SERVICE, { scrambled: true }))),
        garbage: (_response, air) => air.live(() => Buffer.alloc(5000, 7)),
        silent: (_response, air) => air.live(() => new Uint8Array(0)),
        empty: (response) => response.writeHead(200).end(),
        page: (response) => response.writeHead(200).end("<html>All tuners in use</html>"),
        ends: (response, air) => air.live(live(good, 25), () => response.end()),
        breaks: (response, air) => air.live(live(good, 25), () => response.destroy()),
        stalls: (_response, air) => air.live(live(good, 25)),
        turns: (_response, air) => {
          const clear = live(good, 25);
          const closed = new ServiceStream(SERVICE, { scrambled: true });
          air.live(() => clear() ?? closed.next());
        },
        busy: (response) => response.writeHead(503).end(),
        locked: (response) => response.writeHead(401).end(),
        forbidden: (response) => response.writeHead(403).end(),
        faulty: (response) => response.writeHead(502).end(),
      });
    });
    afterAll(async () => {
      await station[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });
    afterEach(async () => {
      // whatever happened, nothing is left running.
      const left = [...(await capture.running())];
      for (const id of left) await capture.stop(id);
      expect(left).toEqual([]);
    });

    function order(url: string, more: Partial<CaptureOrder> = {}): CaptureOrder {
      attempts += 1;
      const id = `r${attempts}.1`;
      const source = { url, programme: "single" } as const;
      const endsBy = clock.now() + 600_000;
      return { id, source, service: SERVICE, file: segmentFile(folder, id), endsBy, ...more };
    }

    it("R-05 reports payload once, when it is on disk", async () => {
      const good = order(station.url("good"));
      const run1 = await run(capture, good);
      await run1.flowing();
      await using inspection = openInspection(good.file, SERVICE);
      expect((await inspection.advance(never)).payloadPackets).toBeGreaterThan(0);
      await clock.sleep(SHORT.captureLookMs * 3, never);
      await capture.stop(good.id);
      expect(await run1.end).toMatchObject({ cause: "asked" });
      expect(run1.flows()).toBe(1);
    });

    it("has its id from start to stop", async () => {
      const good = order(station.url("good"));
      await capture.start(good);
      expect(await capture.running()).toEqual(new Set([good.id]));
      await capture.stop(good.id);
      expect(await capture.running()).toEqual(new Set());
    });

    it("stops a healthy stream at the first request", async () => {
      const good = order(station.url("good"));
      const patient = build({ owner, limits: { ...SHORT, stopPatienceMs: 600_000 } });
      const { flowing, end } = await run(patient, good);
      await flowing();
      await patient.stop(good.id);
      expect(await end).toMatchObject({ cause: "asked" });
    });

    it("stops a stream that hangs", async () => {
      const stalls = order(station.url("stalls"));
      const { flowing, end } = await run(capture, stalls);
      await flowing();
      await clock.sleep(600, never);
      await capture.stop(stalls.id);
      expect(await capture.running()).toEqual(new Set());
      expect(await end).toMatchObject({ cause: "asked" });
    });

    it("accepts a stop of an ended or unknown capture", async () => {
      const good = order(station.url("good"));
      await capture.start(good);
      await Promise.all([capture.stop(good.id), capture.stop(good.id)]);
      await capture.stop(good.id);
      await capture.stop("r999.1");
    });

    it("R-30 refuses a second start of the same attempt, and leaves the first alone", async () => {
      const good = order(station.url("good"));
      const { flowing, end } = await run(capture, good);
      await expect(capture.start(good)).rejects.toMatchObject({ code: "CAPTURE_NOT_STARTED" });
      await flowing();
      await expect(capture.start(good)).rejects.toMatchObject({ code: "CAPTURE_NOT_STARTED" });
      await capture.stop(good.id);
      expect(await end).toMatchObject({ cause: "asked" });
    });

    it("R-30 accepts one of two simultaneous starts", async () => {
      const good = order(station.url("good"));
      const started = await Promise.allSettled([capture.start(good), capture.start(good)]);
      expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await capture.stop(good.id);
    });

    it("R-30 never writes to an existing file", async () => {
      const good = order(station.url("good"));
      await writeFile(good.file, "kept");
      await expect(capture.start(good)).rejects.toMatchObject({ code: "CAPTURE_NOT_STARTED" });
      expect(await readFile(good.file, "utf8")).toBe("kept");
    });

    it("R-32 does not start if the folder of recordings is missing", async () => {
      const file = segmentFile(join(folder, "not-mounted"), "r1.1");
      await expect(capture.start(order(station.url("good"), { file }))).rejects.toMatchObject({
        code: "STORAGE_OFFLINE",
      });
    });

    it("R-34 continues without the daemon, and the next daemon finds, watches and ends it", async () => {
      const good = order(station.url("good"));
      const life = new AbortController();
      await capture.start(good);
      const first = watch(capture, good, life.signal);
      await first.flowing();
      life.abort(new Error("the daemon goes"));
      await expect(first.end).rejects.toThrow("the daemon goes");

      const next = build({ owner, limits: SHORT });
      expect(await next.running()).toEqual(new Set([good.id]));
      const adopted = watch(next, good);
      await adopted.flowing();
      await next.stop(good.id);
      expect(await adopted.end).toMatchObject({ cause: "asked" });
    });

    it("R-34 reports the death of an adopted capture", async () => {
      const ends = order(station.url("ends"));
      await capture.start(ends);
      const adopted = watch(build({ owner, limits: SHORT }), ends);
      expect(await adopted.end).toMatchObject({ cause: "STREAM_ENDED" });
      expect(adopted.flows()).toBe(1);
    });

    it("ignores the captures of another daemon, even one whose name begins the same", async () => {
      const good = order(station.url("good"));
      await capture.start(good);
      for (const other of ["/contract", `${owner}/${good.id}`, owner.slice(0, -1)]) {
        const stranger = build({ owner: other, limits: SHORT });
        expect(await stranger.running()).toEqual(new Set());
        await stranger.stop(good.id);
      }
      expect(await capture.running()).toEqual(new Set([good.id]));
      await capture.stop(good.id);
    });

    it("R-42 ends by itself, with or without a daemon", async () => {
      // A busy machine starts a capture within seconds.
      const good = order(station.url("good"), { endsBy: clock.now() + 4000 });
      const { end, flows } = await run(build({ owner, limits: SHORT }), good);
      expect(await end).toMatchObject({ cause: "CAPTURE_DIED" });
      expect(flows()).toBe(1);
    });

    /** The ends of captures of all sources, which run at once. */
    async function endsOf(paths: readonly string[], by = capture) {
      const runs = await Promise.all(paths.map((path) => run(by, order(station.url(path)))));
      const ends = runs.map(
        async ({ end, flows }, index) => [paths[index], [(await end).cause, flows()]] as const,
      );
      return Object.fromEntries(await Promise.all(ends));
    }

    it("R-05 ends with its reason if the source is bad, without ever reporting payload", async () => {
      const expected = {
        busy: ["TUNER_IN_USE", 0],
        locked: ["TUNER_CREDENTIALS_WRONG", 0],
        forbidden: ["TUNER_FORBIDDEN", 0],
        nowhere: ["TUNER_SERVICE_UNKNOWN", 0],
        faulty: ["STREAM_NO_DATA", 0],
        silent: ["STREAM_NO_DATA", 0],
        empty: ["STREAM_NO_DATA", 0],
        page: ["STREAM_NO_DATA", 0],
        garbage: ["STREAM_NO_DATA", 0],
        scrambled: ["STREAM_SCRAMBLED", 0],
        other: ["STREAM_WRONG_SERVICE", 0],
        elsewhere: ["STREAM_WRONG_SERVICE", 0],
      };
      const sending = ["scrambled", "other", "elsewhere"];
      const others = Object.keys(expected).filter((path) => !sending.includes(path));
      const ends = await Promise.all([endsOf(others, impatient), endsOf(sending, doubtful)]);
      expect(Object.assign({}, ...ends)).toEqual(expected);
    });

    it("R-05 ends hostile sources with a reason, while a good one loses no packet", async () => {
      const port = await freeUdpPort();
      await using senders = await startHostileSenders(folder, { rtp: port });
      const good = order(station.url("beside"));
      const beside = await run(capture, good);
      const hostile = {
        preliminary: senders.url("preliminary"),
        "slow-header": senders.url("slow-header"),
        "unterminated-flood": senders.url("unterminated-flood"),
        unterminated: senders.url("unterminated"),
        "all-pids": senders.url("all-pids"),
        rtp: `rtp://127.0.0.1:${port}`,
      };
      const causes = await Promise.all(
        Object.entries(hostile).map(async ([name, url]) => {
          const one = order(url);
          // The service is there, among all other PIDs.
          const isGood = name === "all-pids";
          const { end } = await run(isGood ? capture : impatient, one);
          if (isGood) await until(async () => (await sizeOf(one.file)) > 2_000_000);
          if (isGood) await capture.stop(one.id);
          return [name, (await end).cause] as const;
        }),
      );
      const useless = expect.stringMatching(
        /^(STREAM_EXCESSIVE|STREAM_NO_DATA|STREAM_WRONG_SERVICE|TUNER_UNREACHABLE)$/,
      );
      expect(Object.fromEntries(causes)).toEqual({
        ...{ preliminary: useless, "slow-header": useless, "unterminated-flood": useless },
        ...{ unterminated: useless, "all-pids": "asked", rtp: useless },
      });
      await capture.stop(good.id);
      expect(await beside.end).toMatchObject({ cause: "asked" });
      const recorded = await readFile(good.file);
      expect(recorded.length).toBeGreaterThan(0);
      expect(recorded.equals(station.sent("beside").subarray(0, recorded.length))).toBe(true);
    });

    it("R-06 notices if a good stream ends, breaks, stalls, or turns scrambled", async () => {
      const expected = {
        ends: ["STREAM_ENDED", 1],
        breaks: ["STREAM_ENDED", 1],
        stalls: ["STREAM_STALLED", 1],
        turns: ["STREAM_SCRAMBLED", 1],
      };
      const ends = [endsOf(["stalls"], impatient), endsOf(["ends", "breaks", "turns"], doubtful)];
      expect(Object.assign({}, ...(await Promise.all(ends)))).toEqual(expected);
    });

    /** Changes that another program may make to a growing segment, and how its capture must end. */
    const deeds = {
      "cut to nothing": [(file: string) => truncate(file), "FILE_CHANGED"],
      // Less than was read when payload was seen to flow: unread bytes may be cut unseen.
      "cut to three packets": [(file: string) => truncate(file, 3 * 188), "FILE_CHANGED"],
      removed: [(file: string) => rm(file), "WRITE_FAILED"],
      renamed: [(file: string) => rename(file, `${file}.elsewhere`), "WRITE_FAILED"],
      replaced: [putAnother, "FILE_REPLACED"],
    } as const;

    it.each(Object.keys(deeds) as (keyof typeof deeds)[])("R-06 ends if its segment is %s", async (what) => {
      const [deed, cause] = deeds[what];
      const good = order(station.url("good"));
      const { flowing, end } = await run(capture, good);
      await flowing();
      await until(async () => (await stat(good.file)).size > 100_000);
      await deed(good.file);
      expect(await end).toMatchObject({ cause });
      if (what === "replaced") expect(await readFile(good.file, "utf8")).toBe("theirs");
    });

    it("R-29 reports a replaced segment even if that happened at the last moment", async () => {
      const good = order(station.url("good"));
      const slow = build({ owner, limits: { ...SHORT, captureNameMs: 60_000 } });
      const { flowing, end } = await run(slow, good);
      await flowing();
      await putAnother(good.file);
      await slow.stop(good.id);
      expect(await end).toMatchObject({ cause: "FILE_REPLACED" });
    });

    it("reports the identity of its file at its end, for later checks", async () => {
      const good = order(station.url("good"));
      const { flowing, end } = await run(capture, good);
      await flowing();
      await capture.stop(good.id);
      const { dev, ino, size, mtimeMs } = await stat(good.file);
      const segment = { id: `${dev}:${ino}`, bytes: size, modifiedAt: Math.floor(mtimeMs) };
      expect(await end).toMatchObject({ cause: "asked", segment });
    });

    it.each(["its file", "its folder"])("continues while %s is unreadable", async (what) => {
      const good = order(station.url("good"));
      const life = new AbortController();
      await impatient.start(good);
      const first = watch(impatient, good, life.signal);
      await first.flowing();
      const place = what === "its file" ? good.file : dirname(good.file);
      const { mode } = await stat(place);
      const { size } = await stat(good.file);
      await chmod(place, 0);
      try {
        await asNobody(async () => {
          const ended = first.end.then(({ cause }) => cause);
          // Longer than it is patient with a source that sends nothing, and than it trusts a name.
          const late = clock.sleep(IMPATIENT.stallMs + 2 * SHORT.captureNameMs, never).then(() => "goes on");
          expect(await Promise.race([ended, late])).toBe("goes on");
        });
      } finally {
        await chmod(place, mode);
      }
      await until(async () => (await stat(good.file)).size > size + 100_000);
      await impatient.stop(good.id);
      expect(await first.end).toMatchObject({ cause: "asked" });
    });

    it("R-32 continues while the system cannot find its file, and writes all data", async () => {
      const there = join(folder, "there");
      const name = join(folder, "name");
      // Replaces the link at once: while there is none, the file is absent, which ends a capture.
      const pointTo = async (target: string) => {
        await symlink(target, `${name}.next`);
        await rename(`${name}.next`, name);
      };
      await mkdir(there);
      await pointTo(there);
      const good = order(station.url("good"), { file: join(name, "r32.ts") });
      const { flowing, end } = await run(impatient, good);
      await flowing();
      // A link to itself: every look fails, and not by the absence of the file (ELOOP).
      await pointTo(name);
      try {
        const late = clock.sleep(IMPATIENT.stallMs + 2 * SHORT.captureNameMs, never).then(() => "goes on");
        expect(await Promise.race([end.then(({ cause }) => cause), late])).toBe("goes on");
      } finally {
        await pointTo(there);
      }
      const size = await sizeOf(good.file);
      await until(async () => (await sizeOf(good.file)) > size + 100_000);
      await impatient.stop(good.id);
      expect(await end).toMatchObject({ cause: "asked" });
    });

    it("R-34 does not judge an unreadable segment after a restart, and reads it once that is possible", async () => {
      const good = order(station.url("good"));
      const life = new AbortController();
      await impatient.start(good);
      const first = watch(impatient, good, life.signal);
      await first.flowing();
      life.abort(new Error("the daemon goes"));
      await expect(first.end).rejects.toThrow("the daemon goes");
      await chmod(good.file, 0);
      let adopted: ReturnType<typeof watch> | undefined;
      await asNobody(async () => {
        adopted = watch(impatient, good);
        const ended = adopted.end.then(({ cause }) => cause);
        const late = clock.sleep(IMPATIENT.firstPayloadMs + 500, never).then(() => "goes on");
        expect(await Promise.race([ended, late])).toBe("goes on");
        expect(adopted.flows()).toBe(0);
      });
      await chmod(good.file, 0o640);
      await adopted?.flowing();
      await impatient.stop(good.id);
      expect(await adopted?.end).toMatchObject({ cause: "asked" });
    });

    it("R-01 distinguishes attempts that never began, that ended, and whose disk is missing", async () => {
      const good = order(station.url("good"));
      const { flowing } = await run(capture, good);
      await flowing();
      await capture.stop(good.id);
      const later = build({ owner, limits: SHORT });
      expect(await later.hasBegun({ id: "never.1", file: `${good.file}.never` })).toBe(false);
      expect(await later.hasBegun(good)).toBe(true);
      expect(await later.hasBegun({ id: "away.1", file: `${dirname(good.file)}/away/1.ts.part` })).toBe(true);
    });

    it("reports an unreachable source if no server listens", async () => {
      const { end } = await run(capture, order("http://127.0.0.1:1/"));
      expect(await end).toMatchObject({ cause: "TUNER_UNREACHABLE" });
    });

    it("R-39 omits user, path and query of the address from its messages", async () => {
      const url = station.url("busy?token=sesame").replace("//", "//anna:xyzzy@");
      const { text }: CaptureEnd = await (await run(capture, order(url))).end;
      expect(text).not.toMatch(/anna|xyzzy|sesame|token/);
      expect(text).toContain("127.0.0.1");
    });

    it("R-21 leaves no process after many quick starts and stops", async () => {
      const orders = Array.from({ length: 8 }, () => order(station.url("good")));
      const runs = await Promise.all(orders.map((each) => run(capture, each)));
      await Promise.all(runs.map(({ flowing }) => flowing()));
      await Promise.all(orders.map(({ id }) => capture.stop(id)));
      for (const { end } of runs) expect(await end).toMatchObject({ cause: "asked" });
    });
  });
}

/** a process of its own starts the capture and is killed; the capture goes on, is adopted, and has every byte that was sent. */
export async function outlivesItsDaemon(
  capture: Capture,
  {
    folder,
    order,
    parts,
    sent,
  }: {
    readonly folder: string;
    readonly order: CaptureOrder;
    /** For the other process, as `createCapture` takes them. */
    readonly parts: object;
    readonly sent: () => Uint8Array;
  },
): Promise<void> {
  const daemon = await mkdtemp(join(folder, "daemon-"));
  const code = await bundledInto(daemon, "src/recorder/capture/capture.ts");
  const clockCode = await bundledInto(daemon, "src/kit/time/clock.ts");
  await writeFile(
    join(daemon, "daemon.js"),
    `import { createCapture } from ${JSON.stringify(code)};
     import { systemClock } from ${JSON.stringify(clockCode)};
     const { order, ...parts } = JSON.parse(process.argv[2]);
     await createCapture({ ...parts, ffmpegPath: "ffmpeg", clock: systemClock() }).start(order);
     process.stdout.write("started");
     setInterval(() => {}, 1000);`,
  );
  const args = [join(daemon, "daemon.js"), JSON.stringify({ order, ...parts })];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");

  expect(await capture.running()).toEqual(new Set([order.id]));
  const adopted = watch(capture, order);
  await adopted.flowing();
  const { size } = await stat(order.file);
  await until(async () => (await stat(order.file)).size > size + 100_000);
  await capture.stop(order.id);
  expect(await adopted.end).toMatchObject({ cause: "asked" });
  const recorded = await readFile(order.file);
  expect(recorded.equals(sent().subarray(0, recorded.length))).toBe(true);
}
