import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, onAbort } from "../../../../kit/time/clock.ts";
import { WakeSignal } from "../../../../kit/time/wake-signal.ts";
import { type ErrorCode, RecorderdError } from "../../../../model/errors.ts";
import { MODEL_LIMITS } from "../../../../model/limits.ts";
import type { Capture, CaptureEnd, OpenInspection } from "../../../../model/ports.ts";
import { type Triplet, tripletKey } from "../../../../model/service.ts";
import type { FoundCut, FoundPoint } from "../../../../mpeg-ts/streams/access-points.ts";
import { logFile } from "../../../capture/files.ts";
import type { HeldLease, LeaseDesk } from "../../../engine/runtime/lease-desk.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { LiveLimits } from "./limits.ts";
import type { NewestBytes } from "./newest-bytes.ts";
import type { Ring } from "./ring.ts";

/** Receives what a segment can begin or end with. */
export interface StreamListener {
  readonly accessPoint: (point: FoundPoint, tables: Uint8Array) => void;
  /** The first segment of a file ends here. */
  readonly cut: (cut: FoundCut) => void;
  /** All bytes of the file, in order, before what is found in them. Their memory is used again. */
  readonly bytes: (portion: Uint8Array) => void;
}

export interface FillingParts {
  readonly desk: LeaseDesk;
  readonly capture: Pick<Capture, "makeReady" | "start" | "watch" | "stop">;
  /** An inspection that passes on the bytes and the access points of a service, and the cut after the first one. */
  readonly inspectionFor: (listener: StreamListener) => OpenInspection;
  readonly folder: string;
  /** A name for a capture and its file, never used before. */
  readonly nextId: () => string;
  readonly clock: Clock;
  readonly limits: LiveLimits;
}

/** Another try would fail too, or take a tuner from somebody else. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  "TUNER_BUSY",
  "TUNER_IN_USE",
  "TUNER_NONE_CAPABLE",
  "DISK_FULL",
  "STORAGE_OFFLINE",
  "WRITE_FAILED",
  "FFMPEG_MISSING",
  "CAPTURE_NOT_STARTED",
  "DAEMON_NOT_READY",
] satisfies readonly ErrorCode[]);

export interface Filling {
  /** Why it ended. It never rejects. */
  readonly ended: Promise<RecorderdError>;
  /** Continues in another file. */
  changeFile(): void;
}

/**
 * Fills a ring from a tuner until the signal aborts, a recording takes the tuner, or the source fails for good. A source that fails
 * is tried again, in another file.
 */
export function startFilling(
  {
    service,
    ring,
    newest,
    sinceMs,
  }: {
    readonly service: Triplet;
    readonly ring: Ring;
    readonly newest: NewestBytes;
    readonly sinceMs: number;
  },
  parts: FillingParts,
  signal: AbortSignal,
): Filling {
  const { desk, capture, inspectionFor, folder, nextId, clock, limits } = parts;
  const change = new WakeSignal();

  async function fill(): Promise<RecorderdError> {
    let failures = 0;
    for (;;) {
      const before = ring.segments.length;
      const last = await attempt();
      failures = ring.segments.length > before ? 0 : failures + 1;
      if (signal.aborted)
        return new RecorderdError("TUNER_BUSY", "Nobody is watching the service any longer.");
      if (last !== undefined && (FINAL.has(last.code) || failures >= limits.failures)) return last;
      if (last !== undefined) await clock.sleep(limits.retryMs, signal).catch(() => {});
    }
  }

  /** @returns why it failed; `undefined`: it is to continue in another file */
  async function attempt(): Promise<RecorderdError | undefined> {
    try {
      // Its failure is that of the start, later.
      void capture.makeReady?.().catch(() => {});
      await using lease = await desk.take({ use: "view", service, forMs: MODEL_LIMITS.viewMs }, signal);
      const end = await captured(lease);
      if (lease.ended.aborted) return asError(lease.ended.reason);
      return end.cause === "asked" ? undefined : new RecorderdError(end.cause, end.text);
    } catch (error) {
      return asError(error);
    }
  }

  /** The lease ends after the capture: its source is no longer read then. */
  async function captured(lease: HeldLease): Promise<CaptureEnd> {
    const id = nextId();
    const file = join(folder, `${id}.ts.part`);
    const endsBy = clock.now() + MODEL_LIMITS.viewMs;
    newest.begin(ring.begin(file));
    await capture.start({ id, source: lease.source, service, file, endsBy, endsWithDaemon: true });
    const listener: StreamListener = {
      accessPoint: (point, tables) => ring.add(point, tables, clock.monotonicMs() - sinceMs),
      cut: (cut) => ring.cut(cut),
      bytes: (portion) => newest.push(portion),
    };
    const before = ring.segments.at(-1)?.number ?? -1;
    const isNew = () => (ring.segments.at(-1)?.number ?? -1) < before + PLAYBACK_LIMITS.firstSegments;
    const lookMs = () => (isNew() ? limits.firstReadMs : limits.readMs);
    const over = new AbortController();
    const stop = () => void capture.stop(id).catch(() => {});
    const unfollow = [signal, lease.ended].map((each) => onAbort(each, stop));
    void change
      .waitFor(MODEL_LIMITS.viewMs - limits.renewMs, { clock, signal: over.signal })
      .then(() => over.signal.aborted || stop());
    try {
      const order = { id, service, file, openInspection: inspectionFor(listener), lookMs };
      const quiet = { onFlowing: () => {}, onDoubt: () => {}, onEvents: () => {} };
      return await capture.watch({ ...order, ...quiet }, new AbortController().signal);
    } finally {
      over.abort();
      for (const each of unfollow) each();
      ring.end();
      await rm(logFile(file), { force: true }).catch(() => {});
    }
  }

  function asError(error: unknown): RecorderdError {
    if (error instanceof RecorderdError) return error;
    const text = error instanceof Error ? error.message : String(error);
    return new RecorderdError("STREAM_ENDED", `Service ${tripletKey(service)} cannot be read: ${text}`);
  }

  return { ended: fill(), changeFile: () => change.signal() };
}
