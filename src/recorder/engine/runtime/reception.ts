import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { runningAttempts } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import type { ReceptionNow } from "../../../model/snapshot.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { DaemonDocument } from "../core/document.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/** The reception of the tuners in use. */
export interface ReceptionWatch {
  readonly name: "reception";
  /** The reading of a tuner that was in use when it was last asked and gave one. */
  of(tunerId: TunerId): ReceptionNow | undefined;
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Asks the devices and servers of tuners in use for their reception: all at once, then again after a pause. The
 * readings are for people only: no decision depends on them, and a silent server delays nobody.
 */
export function watchReception({
  document,
  driver,
  clock,
  log,
}: {
  readonly document: () => Pick<DaemonDocument, "recordings" | "leases">;
  readonly driver: (id: TunerId) => TunerDriver | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): ReceptionWatch {
  let known: ReadonlyMap<TunerId, ReceptionNow> = new Map();
  const silent = new Set<TunerId>();

  async function ask(tunerId: TunerId, service: Triplet, signal: AbortSignal) {
    try {
      const reception = await driver(tunerId)?.reception?.(service, signal);
      silent.delete(tunerId);
      return reception === undefined ? [] : [[tunerId, { ...reception, at: clock.now() }] as const];
    } catch (error) {
      if (signal.aborted) return [];
      if (!(error instanceof RecorderdError)) throw error;
      if (!silent.has(tunerId)) {
        const { code, message: text } = error;
        log.info("the reception of a tuner cannot be read", { tunerId, code, text });
      }
      silent.add(tunerId);
      return [];
    }
  }

  return {
    name: "reception",
    of: (tunerId) => known.get(tunerId),
    async run(signal) {
      while (!signal.aborted) {
        const held = [...tunersInUse(document())];
        const answers = held.map(([tunerId, service]) => ask(tunerId, service, signal));
        known = new Map((await Promise.all(answers)).flat());
        await clock.sleep(RUNTIME_LIMITS.receptionLookMs, signal).catch(() => {});
      }
    },
  };
}

/** A service of each tuner in use. */
function tunersInUse({
  recordings,
  leases,
}: Pick<DaemonDocument, "recordings" | "leases">): ReadonlyMap<TunerId, Triplet> {
  const recorded = Object.values(recordings).flatMap((recording) =>
    runningAttempts(recording).flatMap(({ tunerId }) =>
      recording.service === undefined ? [] : [[tunerId, recording.service] as const],
    ),
  );
  const leased = Object.values(leases).map(({ tunerId, service }) => [tunerId, service] as const);
  return new Map([...leased, ...recorded]);
}
