import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "../../../kit/files/lock.ts";
import type { Log } from "../../../kit/log.ts";
import { anyAbort, type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Capture, CaptureEnd } from "../../../model/ports.ts";
import type { ProbeOrder, ProbeReport } from "../../../model/probe.ts";
import { multiplexKey, sameTriplet, tripletKey } from "../../../model/service.ts";
import { canReceive } from "../../../model/tuner.ts";
import { createCapture } from "../../capture/capture.ts";
import type { CaptureLimits } from "../../capture/engine.ts";
import { CAPTURE_LIMITS } from "../../capture/limits.ts";
import { networkSettings } from "../../config/networks.ts";
import type { Config } from "../../config/schema.ts";
import { readSecretsFile, secretsPlace } from "../../config/secrets.ts";
import type { HeldLease } from "../../engine/runtime/lease-desk.ts";
import { inspecting } from "../../evidence/file-inspection.ts";
import { openTuners } from "../../tune/registry.ts";
import { PROBE_LIMITS } from "./limits.ts";

export type Probe = (
  order: ProbeOrder,
  take: (signal: AbortSignal) => Promise<HeldLease>,
  signal: AbortSignal,
) => Promise<ProbeReport>;

interface ProbeParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: CaptureLimits | undefined;
}

/** Receives a service from a tuner as a recording would, for some seconds, and returns the findings. */
export function createProbe(config: Config, { clock, log, limits = CAPTURE_LIMITS }: ProbeParts): Probe {
  const openInspection = inspecting({ networks: networkSettings(config.networks) });
  const capture = createCapture({
    owner: config.data.folder,
    ffmpegPath: config.capture.ffmpegPath,
    clock,
    log,
    openInspection,
    limits,
  });
  let count = 0;
  return async ({ service }, take, signal) => {
    const beganAt = clock.monotonicMs();
    await using lease = await take(signal);
    const openMs = clock.monotonicMs() - beganAt;
    const folder = await mkdtemp(join(tmpdir(), "recorderd-probe-"));
    count += 1;
    const file = join(folder, "probe.ts");
    try {
      let payloadMs: number | undefined;
      const id = `probe.${count}`;
      using either = anyAbort([signal, lease.ended]);
      const both = either.signal;
      const { source } = lease;
      await capture.start({ id, source, service, file, endsBy: clock.now() + MODEL_LIMITS.probeMs });
      const onFlowing = () => {
        payloadMs = clock.monotonicMs() - beganAt;
        void clock.sleep(PROBE_LIMITS.listenMs, both).then(
          () => capture.stop(id),
          () => {},
        );
      };
      const watching = capture.watch(
        { id, service, file, onFlowing, onDoubt: () => {}, onEvents: () => {} },
        signal,
      );
      const end = await watchedUntil({ capture, id, watching, both });
      await using inspection = openInspection(file, service);
      const found = await inspection.advance(signal).catch(() => undefined);
      const said = end.cause === "asked" ? undefined : await explained(lease, end, signal);
      const tables = found?.services.find(
        ({ sid, triplet }) => sid === service.sid && (triplet === undefined || sameTriplet(triplet, service)),
      );
      const present = found?.events.find(
        (event) => event.which === "present" && sameTriplet(event.service, service),
      );
      return {
        tunerId: lease.tunerId,
        service: tripletKey(service),
        openMs: Math.round(openMs),
        ...(payloadMs === undefined ? {} : { payloadMs: Math.round(payloadMs) }),
        ...(found?.multiplexes[0] === undefined ? {} : { multiplex: found.multiplexes[0] }),
        ...(tables === undefined ? {} : { tables }),
        ...(present === undefined ? {} : { present: present.title }),
        streamMs: found?.streamMs ?? 0,
        bytes: found?.bytes ?? 0,
        packets: found?.packets ?? 0,
        continuityErrors: found?.continuityErrors ?? 0,
        transportErrors: found?.transportErrors ?? 0,
        scrambledPackets: found?.scrambledPackets ?? 0,
        ...(said === undefined ? {} : { failure: said }),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Ends the capture early if the tuner is taken away. */
async function watchedUntil({
  capture,
  id,
  watching,
  both,
}: {
  readonly capture: Capture;
  readonly id: string;
  readonly watching: Promise<CaptureEnd>;
  readonly both: AbortSignal;
}): Promise<CaptureEnd> {
  const stop = () => void capture.stop(id);
  both.addEventListener("abort", stop, { once: true });
  try {
    if (both.aborted) stop();
    const end = await watching;
    const { reason } = both;
    return both.aborted && reason instanceof RecorderdError
      ? { cause: reason.code, text: reason.message }
      : end;
  } finally {
    both.removeEventListener("abort", stop);
  }
}

async function explained(
  lease: HeldLease,
  { cause, text }: CaptureEnd,
  signal: AbortSignal,
): Promise<ProbeReport["failure"]> {
  const isRefusal = cause === "STREAM_NO_DATA" || cause.startsWith("TUNER_");
  const said = isRefusal && !lease.ended.aborted ? await lease.explain?.(signal) : undefined;
  if (said !== undefined) return { code: said.code, text: said.message };
  return cause === "asked" ? undefined : { code: cause, text };
}

/**
 * Probes without a daemon, with the tuners of a configuration; nobody else may use its data folder meanwhile.
 *
 * @throws RecorderdError STORE_LOCKED when a daemon uses it, TUNER_NONE_CAPABLE, or the driver's failure
 */
export async function probeAlone(
  config: Config,
  order: ProbeOrder,
  { clock, log, signal }: ProbeParts & { readonly signal: AbortSignal },
): Promise<ProbeReport> {
  const { folder } = config.data;
  await using _lock = await lockFolder(folder);
  const secrets = await readSecretsFile(secretsPlace(folder));
  const drivers = await openTuners(config.tuners, {
    clock,
    log,
    folder,
    credentials: (id) => secrets?.tuners?.[id],
  });
  try {
    const { service, tunerId: wanted } = order;
    const able = drivers.find(
      ({ facts }) => (wanted === undefined || facts.id === wanted) && canReceive(facts, tripletKey(service)),
    );
    if (able === undefined) {
      const text = `${wanted === undefined ? "No configured tuner" : `No tuner ${wanted}`} receives service ${tripletKey(service)} of multiplex ${multiplexKey(service)}.`;
      throw new RecorderdError("TUNER_NONE_CAPABLE", text);
    }
    const tunerId = able.facts.id;
    const take = async (wantedUntil: AbortSignal): Promise<HeldLease> => {
      const timeoutError = () =>
        new RecorderdError("TUNER_NO_LOCK", `Tuner ${tunerId} did not deliver a stream in time.`, {
          tunerId,
        });
      const session = await withDeadline(
        clock,
        { ms: MODEL_LIMITS.tuneMs, signal: wantedUntil, timeoutError },
        (both) => able.open(service, both),
      );
      return { ...session, tunerId, ended: new AbortController().signal };
    };
    return await createProbe(config, { clock, log })(order, take, signal);
  } finally {
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
  }
}
