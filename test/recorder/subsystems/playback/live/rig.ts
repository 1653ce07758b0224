import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ErrorCode } from "../../../../../src/model/errors.ts";
import type { CaptureEnd, CaptureOrder, FileInspection } from "../../../../../src/model/ports.ts";
import type { HlsSource } from "../../../../../src/recorder/subsystems/playback/hls/source.ts";
import type { StreamListener } from "../../../../../src/recorder/subsystems/playback/live/filling.ts";
import { LIVE_LIMITS, type LiveLimits } from "../../../../../src/recorder/subsystems/playback/live/limits.ts";
import { createLive, type LiveParts } from "../../../../../src/recorder/subsystems/playback/live/live.ts";
import { createVirtualClock, type VirtualClock } from "../../../../../src/simulator/virtual-clock.ts";

const SERVICE = { onid: 1, tsid: 1, sid: 1 };
/** Bytes between two access points. */
export const GROUP_BYTES = 188 * 1400;
const GROUP_MS = 1000;
const ASKED: CaptureEnd = { cause: "asked", text: "" };

/** Live television with a tuner and captures of the test's making. */
export interface LiveRig extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly folder: string;
  readonly orders: readonly CaptureOrder[];
  readonly leases: readonly AbortController[];
  source(sid?: number): HlsSource;
  /** The latest capture receives so many seconds of the service, one by one: bytes with the number of the second. The file has others. */
  receive(seconds: number): Promise<void>;
  /** The latest capture ends. */
  fail(cause: ErrorCode): Promise<void>;
  /** Lets time pass until something is so. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}

interface RigOptions extends Partial<Pick<LiveParts, "stopBytes" | "neededBytes" | "keepMs" | "mostBytes">> {
  readonly limits?: Partial<LiveLimits>;
  /** Whether a capture writes a file; otherwise a folder is in its place, of which nothing can be freed. Default: yes. */
  readonly writes?: boolean;
}

export async function liveRig({ limits = {}, writes = true, ...options }: RigOptions = {}): Promise<LiveRig> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-live-"));
  const clock = createVirtualClock(0);
  const closed = new AbortController();
  const orders: CaptureOrder[] = [];
  const leases: AbortController[] = [];
  const stopped = new Set<string>();
  const ends = new Map<string, (end: CaptureEnd) => void>();
  let listener: StreamListener | undefined;
  let seconds = 0;
  const live = createLive({
    desk: {
      take: async () => {
        const over = new AbortController();
        leases.push(over);
        const source = { url: "http://127.0.0.1/", programme: "single" } as const;
        return { tunerId: "roof", source, ended: over.signal, async [Symbol.asyncDispose]() {} };
      },
    },
    capture: {
      start: async (order) => {
        orders.push(order);
        await mkdir(join(folder, "buffers"), { recursive: true });
        if (writes) await writeFile(order.file, Buffer.alloc(40 * GROUP_BYTES, 0x47));
        else await mkdir(order.file);
      },
      watch: async ({ id, file, service, openInspection }) => {
        seconds = 0;
        openInspection?.(file, service);
        const end = await new Promise<CaptureEnd>((resolve) => {
          ends.set(id, resolve);
          if (stopped.has(id)) resolve(ASKED);
        });
        listener = undefined;
        return end;
      },
      stop: async (id) => {
        stopped.add(id);
        ends.get(id)?.(ASKED);
      },
    },
    inspectionFor: (given) => () => {
      listener = given;
      return {} as FileInspection;
    },
    folder: join(folder, "buffers"),
    run: "test",
    keepMs: 3_600_000,
    mostBytes: 2 ** 40,
    stopBytes: 0,
    neededBytes: () => 0,
    clock,
    limits: { ...LIVE_LIMITS, idleMs: 10 ** 12, punchBytes: 64 * 1024, ...limits },
    signal: closed.signal,
    ...options,
  });

  /** Files and processes take real time, pauses that of the clock. */
  async function until(isSo: () => boolean | Promise<boolean>, stepMs = 100): Promise<void> {
    while (!(await isSo())) {
      await setTimeout(1);
      await clock.advance(stepMs);
    }
  }

  async function capturing(): Promise<StreamListener> {
    await until(() => listener !== undefined, 1);
    return listener ?? (await capturing());
  }

  return {
    clock,
    folder,
    orders,
    leases,
    source: (sid = SERVICE.sid) => live.source({ ...SERVICE, sid }),
    until,
    receive: async (count) => {
      const { accessPoint, bytes } = await capturing();
      for (let second = 0; second < count; second += 1) {
        const [offset, streamMs] = [seconds * GROUP_BYTES, seconds * GROUP_MS];
        bytes(Buffer.alloc(GROUP_BYTES, seconds));
        accessPoint({ offset, streamMs, pts: streamMs * 90, check: 0 }, Uint8Array.of(1));
        seconds += 1;
        await clock.advance(GROUP_MS);
      }
    },
    fail: async (cause) => {
      await capturing();
      ends.get(orders.at(-1)?.id ?? "")?.({ cause, text: `It failed: ${cause}.` });
      await until(() => listener === undefined, 0);
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      await live[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
