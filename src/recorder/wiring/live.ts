import { stat } from "node:fs/promises";
import { join } from "node:path";
import { MINUTE } from "../../model/time.ts";
import { networkSettings } from "../config/networks.ts";
import type { EngineRuntime } from "../engine/runtime/engine-runtime.ts";
import { inspecting } from "../evidence/file-inspection.ts";
import type { LibraryPart } from "../subsystems/library/open.ts";
import { LIVE_LIMITS, type LiveLimits } from "../subsystems/playback/live/limits.ts";
import { cleanLive, createLive, type Live } from "../subsystems/playback/live/live.ts";
import type { DaemonBase } from "./base.ts";
import type { CaptureAccess } from "./capture-access.ts";

interface LiveAccess {
  readonly captures: Pick<CaptureAccess, "capture">;
  readonly library: Pick<LibraryPart, "keeper">;
  readonly runtime: Pick<EngineRuntime, "desk">;
  readonly liveLimits?: LiveLimits | undefined;
}

/** Opens live television for players, without the leftovers of an earlier run. */
export async function openLive(
  { config, startedAt, disposeLater, closed, clock }: DaemonBase,
  { captures: { capture }, library, runtime, liveLimits: limits = LIVE_LIMITS }: LiveAccess,
): Promise<Live> {
  const { playback, recordings, space, retention } = config;
  const folder =
    playback.liveFolder === undefined
      ? join(recordings.folder, ".recorderd-live")
      : join(playback.liveFolder, "recorderd-live");
  await cleanLive(folder, capture);
  const networks = networkSettings(config.networks);
  const isApart =
    playback.liveFolder !== undefined && !(await onOneDisk(playback.liveFolder, recordings.folder));
  const recordingsNeed = () =>
    Math.max(space.lowBytes, retention.freeBytes ?? 0) + (library.keeper.facts()?.reservedBytes ?? 0);
  return disposeLater(
    createLive({
      desk: runtime.desk,
      capture,
      inspectionFor: ({ bytes, accessPoint, cut: found }) =>
        inspecting({ networks, bytes, accessPoint, firstCut: { afterMs: limits.firstCutMs, found } }),
      folder,
      run: startedAt.toString(36),
      keepMs: playback.liveBufferMinutes * MINUTE,
      mostBytes: playback.liveBufferBytes,
      stopBytes: space.stopBytes,
      neededBytes: isApart ? () => 0 : recordingsNeed,
      limits,
      clock,
      signal: closed,
    }),
  );
}

async function onOneDisk(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((folder) => stat(folder).catch(() => undefined)));
  return one === undefined || other === undefined || one.dev === other.dev;
}
