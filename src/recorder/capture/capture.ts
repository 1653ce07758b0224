import { strict as assert } from "node:assert";
import { dirname } from "node:path";
import { stateOf } from "../../kit/files/file-state.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import type {
  Capture,
  CaptureEnd,
  CaptureOrder,
  FileInspection,
  OpenInspection,
  WatchOrder,
} from "../../model/ports.ts";
import { bringsDatagrams, schemeOf } from "../../model/source.ts";
import { detailsOf } from "../../model/trouble-details.ts";
import { CaptureWatch } from "./capture-watch.ts";
import type { DistantEngine } from "./engine.ts";
import { EngineSet } from "./engine-set.ts";
import { logFile } from "./files.ts";
import { type LocalEngineParts, localEngines } from "./local-engines.ts";
import { receiveBufferComplaint } from "./receive-buffer.ts";
import { fileReplaced, prepareSegment, startFailure, syncQueue } from "./segment.ts";

export interface CaptureParts extends LocalEngineParts {
  readonly openInspection: OpenInspection;
  /** In a fleet: the captures on other nodes. */
  readonly elsewhere?: (onEnded: (id: string) => void) => DistantEngine;
}

export interface HostedCapture extends Capture {
  /** Ends an idle capture host. */
  readonly dismissHost: () => Promise<void>;
}

/** Runs captures with the engines of this machine and, in a fleet, on other nodes. */
export function createCapture(parts: CaptureParts): HostedCapture {
  const { clock, limits, log, openInspection, host } = parts;
  const onEnded = (id: string) => wakeSignals.get(id)?.signal();
  const local = localEngines(parts, onEnded);
  const distant = parts.elsewhere?.(onEnded);
  const engines = new EngineSet(distant === undefined ? local.all : [...local.all, distant], async (order) =>
    distant?.takes(order.source) === true ? distant : await local.engineFor(order),
  );
  /** For each capture started or watched since the daemon started. */
  const wakeSignals = new Map<string, WakeSignal>();
  const stopRequested = new Set<string>();
  const sync = syncQueue();
  let receiveBufferChecked = false;

  async function start(order: CaptureOrder): Promise<void> {
    const { id, file } = order;
    assert.match(id, /^[\w.-]+$/, "an attempt id names files and processes");
    await checkReceiveBuffer(order.source.url);
    await prepareSegment(file);
    const isFirst = !wakeSignals.has(id);
    if (isFirst) wakeSignals.set(id, new WakeSignal());
    try {
      await engines.start(order);
    } catch (error) {
      if (isFirst) wakeSignals.delete(id);
      throw startFailure(file, error);
    }
  }

  async function makeReady(): Promise<void> {
    try {
      await Promise.all([local.makeReady(), distant?.makeReady?.()]);
    } catch (error) {
      throw startFailure(host?.folder ?? "", error);
    }
  }

  async function checkReceiveBuffer(url: string): Promise<void> {
    const scheme = schemeOf(url);
    if (receiveBufferChecked || scheme === undefined || !bringsDatagrams(scheme)) return;
    receiveBufferChecked = true;
    const complaint = await receiveBufferComplaint();
    if (complaint !== undefined) log.warn("the kernel limits receive buffers", { complaint });
  }

  async function watch(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd> {
    const { id } = order;
    const isAdopted = !wakeSignals.has(id);
    const wakeSignal = wakeSignals.get(id) ?? new WakeSignal();
    wakeSignals.set(id, wakeSignal);
    await using inspection = (order.openInspection ?? openInspection)(order.file, order.service);
    const writesElsewhere = distant?.hasOwnDisks === true && (await engines.of(id)) === distant;
    const captureWatch = new CaptureWatch(order, {
      inspection,
      engines,
      wakeSignal,
      isAdopted,
      isStopRequested: () => stopRequested.has(id),
      whyLost: () => distant?.whyLost(id),
      writesElsewhere,
      sync,
      clock,
      limits,
    });
    try {
      return await withSegment(await captureWatch.untilEnd(signal), order.file, inspection);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // Nobody watches its output any more.
      await engines.end(id);
      const { code: cause, message: text, facts } = error;
      return await withSegment({ cause, text, ...detailsOf(facts) }, order.file, inspection);
    } finally {
      wakeSignals.delete(id);
      engines.forget(id);
      stopRequested.delete(id);
    }
  }

  return {
    start,
    watch,
    makeReady,
    running: () => engines.ids(),
    hasBegun: async ({ id, file }) => wakeSignals.has(id) || (await hasTraces(file)),
    dismissHost: local.dismissHost,
    async stop(id) {
      if (wakeSignals.has(id)) stopRequested.add(id);
      await engines.end(id);
      wakeSignals.get(id)?.signal();
    },
  };
}

/** Whether an attempt wrote anything; true also if that is unknown, as with an absent disk. */
async function hasTraces(file: string): Promise<boolean> {
  const looks = [dirname(file), file, logFile(file)].map((name) => stateOf(name).catch(() => "unknown"));
  const [folder, ...own] = await Promise.all(looks);
  return folder === undefined || own.some((state) => state !== undefined);
}

/** The end of a finished capture, with what it left. */
async function withSegment(end: CaptureEnd, file: string, inspection: FileInspection): Promise<CaptureEnd> {
  const state = await stateOf(file).catch(() => undefined);
  const id = inspection.fileId();
  if (state === undefined || id === undefined) return end;
  if (state.id !== id) return { cause: "FILE_REPLACED", text: fileReplaced(file).message };
  const modifiedAt = Number(state.modifiedNs / 1_000_000n);
  return { ...end, segment: { id, bytes: state.bytes, modifiedAt } };
}
