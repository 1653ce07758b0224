import type { Log } from "../../../kit/log.ts";
import { anyAbort, type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { type AttemptNotes, attemptId } from "../../../model/attempt.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { BroadcastEvent } from "../../../model/inspection.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Capture, CaptureEnd, TunerDriver, TunerSession } from "../../../model/ports.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import { detailsOf } from "../../../model/trouble-details.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import type { Closing } from "./closing-acts.ts";
import { ReturnWatch } from "./return-watch.ts";
import type { TunerReleases } from "./tuner-releases.ts";

export interface AttemptParts {
  readonly drivers: ReadonlyMap<TunerId, TunerDriver>;
  readonly capture: Capture;
  readonly closing: Pick<Closing, "trust">;
  readonly releases: TunerReleases;
  readonly segmentFile: (attempt: string) => string;
  readonly notes: Pick<AttemptNotes, "keep">;
  readonly recording: (id: RecordingId) => Recording | undefined;
  readonly post: (occurrence: Occurrence) => Promise<void>;
  /** Called with the time that the recorded stream names; `utc` is that time now. */
  readonly onBroadcastTime: (utc: EpochMs) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The commands about one attempt of a recording, each until the attempt has ended and the engine knows. */
export interface AttemptActs {
  attempt(command: AttemptCommand): Promise<void>;
  /** Watches a capture that survived a restart. */
  adopt(command: Extract<Command, { readonly kind: "adopt" }>): Promise<void>;
  /** Stops the capture, or cancels an attempt that has none yet. */
  stop(ending: Ending): Promise<void>;
}

type AttemptCommand = Extract<Command, { readonly kind: "attempt" }>;
type Ending = { readonly recordingId: RecordingId; readonly attempt: number };

export function createAttemptActs(parts: AttemptParts, signal: AbortSignal): AttemptActs {
  const { capture, closing, releases, clock, log } = parts;
  /** Attempts without a process yet, with the means to cancel them. */
  const opening = new Map<string, AbortController>();
  const returns = new ReturnWatch({
    clock,
    onBack: (tunerId) => parts.post({ kind: "tuner-back", tunerId }),
  });

  async function attempt(command: AttemptCommand): Promise<void> {
    const id = attemptId(command.recordingId, command.attempt);
    const calledOff = new AbortController();
    opening.set(id, calledOff);
    const end = await outcomeOf(() => openAndWatch(command, id, calledOff.signal));
    opening.delete(id);
    if (signal.aborted) return;
    const asked = calledOff.signal.aborted;
    closing.trust(id);
    await postEnd(command, asked ? { cause: "asked", text: "Stopped before it began." } : end);
    const driver = parts.drivers.get(command.tunerId);
    if (asked || end.cause !== "TUNER_UNREACHABLE" || driver === undefined) return;
    await returns.waitForReturn(driver, command.endsBy, signal);
  }

  async function openAndWatch(
    command: AttemptCommand,
    id: string,
    calledOff: AbortSignal,
  ): Promise<CaptureEnd> {
    const { tunerId, service, channelName, endsBy } = command;
    const driver = parts.drivers.get(tunerId);
    if (driver === undefined) {
      return { cause: "TUNER_UNREACHABLE", text: `Tuner ${tunerId} is no longer configured.` };
    }
    const timeoutError = () =>
      new RecorderdError("TUNER_NO_LOCK", `Tuner ${tunerId} did not deliver a stream in time.`, { tunerId });
    const askedMs = clock.monotonicMs();
    using over = anyAbort([signal, calledOff]);
    const session = await withDeadline(
      clock,
      { ms: MODEL_LIMITS.tuneMs, signal: over.signal, timeoutError },
      async (both) => {
        await releases.wait(tunerId);
        both.throwIfAborted();
        return driver.open(service, both);
      },
    );
    log.debug("tuner opened", { attempt: id, tunerId, tookMs: Math.round(clock.monotonicMs() - askedMs) });
    try {
      const file = parts.segmentFile(id);
      await capture.start({ id, source: session.source, service, serviceName: channelName, file, endsBy });
      opening.delete(id);
      if (calledOff.aborted) await capture.stop(id);
      // Nobody waits for it: a disk that hangs must be noticed by the watch.
      void keepNote(command, id);
      return await withExplanation(session, await watch(command, id, file));
    } finally {
      // A daemon that ends leaves the tuner to the capture that still reads from it.
      if (!signal.aborted) await session[Symbol.asyncDispose]();
    }
  }

  /** For a later run that knows the recording and not the attempt. */
  async function keepNote(
    { recordingId, attempt: number, service }: AttemptCommand,
    id: string,
  ): Promise<void> {
    const recording = parts.recording(recordingId);
    const attempt = recording?.attempts.find((each) => each.number === number);
    if (recording === undefined || attempt === undefined) return;
    const { tunerId, startedAt, boot } = attempt;
    const note = { timerId: recording.timerId, service, tunerId, startedAt, ...withoutUndefined({ boot }) };
    await parts.notes.keep(id, note);
  }

  /** Asks the server for the reason of a refusal: ffmpeg knows a status at most. */
  async function withExplanation(session: TunerSession, end: CaptureEnd): Promise<CaptureEnd> {
    const isRefusal = end.cause === "STREAM_NO_DATA" || end.cause.startsWith("TUNER_");
    const said = isRefusal ? await session.explain?.(signal) : undefined;
    if (said === undefined) return end;
    const { details: _ofTheStream, ...rest } = end;
    return { ...rest, cause: said.code, text: said.message, ...detailsOf(said.facts) };
  }

  function watch(
    { recordingId, attempt: number, service }: Pick<AttemptCommand, "recordingId" | "attempt" | "service">,
    id: string,
    file: string,
  ): Promise<CaptureEnd> {
    const about = { recordingId, attempt: number };
    const onFlowing = () => void parts.post({ kind: "attempt-flowing", ...about });
    const onEvents = (events: readonly BroadcastEvent[]) =>
      void parts.post({ kind: "events-seen", ...about, events });
    const onDoubt = (text: string) => void parts.post({ kind: "attempt-doubted", ...about, text });
    const onTime = parts.onBroadcastTime;
    return capture.watch({ id, service, file, onFlowing, onDoubt, onEvents, onTime }, signal);
  }

  async function stop({ recordingId, attempt: number }: Ending): Promise<void> {
    const id = attemptId(recordingId, number);
    const early = opening.get(id);
    if (early !== undefined) early.abort();
    else await capture.stop(id);
  }

  async function adopt(command: Extract<Command, { readonly kind: "adopt" }>): Promise<void> {
    const id = attemptId(command.recordingId, command.attempt);
    log.debug("watching a capture that survived a restart", { attempt: id });
    const end = await outcomeOf(() => watch(command, id, parts.segmentFile(id)));
    if (signal.aborted) return;
    await postEnd(command, end);
  }

  async function postEnd({ recordingId, attempt: number }: Ending, end: CaptureEnd): Promise<void> {
    await parts.post({ kind: "attempt-ended", recordingId, attempt: number, ...end });
  }

  return { attempt, adopt, stop };
}

/** External failures end an attempt; anything else is a bug and propagates. */
async function outcomeOf(work: () => Promise<CaptureEnd>): Promise<CaptureEnd> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecorderdError)
      return { cause: error.code, text: error.message, ...detailsOf(error.facts) };
    if (error instanceof DOMException && error.name === "AbortError")
      return { cause: "asked", text: "Cancelled." };
    throw error;
  }
}
