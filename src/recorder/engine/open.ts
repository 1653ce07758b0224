import { askKernelClock } from "../../kit/machine/kernel-clock.ts";
import { bootId, uptimeMs } from "../../kit/machine/machine.ts";
import { systemChance } from "../../kit/time/clock.ts";
import { parseSchedule } from "../../kit/time/cron.ts";
import { SECOND } from "../../model/time.ts";
import { readerOf } from "../config/reader.ts";
import type { LibraryPart } from "../subsystems/library/open.ts";
import type { DaemonBase } from "../wiring/base.ts";
import type { CaptureAccess } from "../wiring/capture-access.ts";
import type { GuideAccess } from "../wiring/guide-access.ts";
import { absenceOf } from "../wiring/settings.ts";
import type { Storage } from "../wiring/storage.ts";
import type { TunerAccess } from "../wiring/tuner-access.ts";
import { ClockWatch, withLaterTrust } from "./runtime/clock-watch.ts";
import { EngineRuntime, type EngineRuntimeParts } from "./runtime/engine-runtime.ts";

interface EngineDeps
  extends Pick<
    EngineRuntimeParts,
    "ledger" | "orders" | "policy" | "planner" | "watch" | "makeRoom" | "onStatus" | "leaving"
  > {
  readonly onPulse: (() => void) | undefined;
  readonly library: LibraryPart;
  readonly guide: Pick<GuideAccess, "secrets">;
  readonly storage: Pick<Storage, "store" | "register" | "signOfLife">;
  readonly tuners: TunerAccess;
  readonly captures: Pick<CaptureAccess, "capture" | "shelf" | "closing" | "notes">;
}

/** The engine of a configuration. It accepts questions at once, and answers them when it runs. */
export function openEngine(
  { config, disposeLater, clock, log }: DaemonBase,
  { storage, tuners, captures, guide, library, onPulse, ...deps }: EngineDeps,
): EngineRuntime {
  const { store, register, signOfLife } = storage;
  const { pool, channels, account } = tuners;
  const { capture, closing, shelf, notes } = captures;
  return disposeLater(
    new EngineRuntime({
      ...deps,
      store,
      register,
      account,
      pool,
      capture,
      closing,
      segmentFile: shelf.segmentFile,
      notes,
      schedule: parseSchedule(config.guide.sync),
      absence: absenceOf(config),
      channels: () => channels.channels(),
      reader: readerOf(config),
      refreshSignIn: guide.secrets.refresh,
      space: library.keeper.space,
      ...(onPulse === undefined ? {} : { onPulse }),
      askKernel: askKernelClock,
      signOfLife,
      clock,
      chance: systemChance,
      log,
    }),
  );
}

/** Watches whether the machine's clock can be trusted. */
export async function openClockWatch(
  { config, clock }: Pick<DaemonBase, "config" | "clock">,
  { store, signOfLife }: Pick<Storage, "store" | "signOfLife">,
): Promise<ClockWatch> {
  return new ClockWatch({
    clock,
    uptimeMs,
    boot: await bootId(),
    toleranceMs: config.time.toleranceSeconds * SECOND,
    memory: withLaterTrust(store.current.clock, signOfLife.before),
  });
}
