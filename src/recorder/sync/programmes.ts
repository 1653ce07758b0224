import type { Log } from "../../kit/log.ts";
import { backOffMs } from "../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { ProgrammeOrder, Programmes } from "../../model/programme.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { SYNC_LIMITS } from "./limits.ts";

/** A show that needs more data than its timer has. */
export interface ProgrammeWant {
  /** Changes with the show: then it is requested again. */
  readonly key: string;
  readonly showId: string;
  readonly channelId: string;
  readonly start: EpochMs;
}

/** The requests of this run of the daemon; instants are of the monotonic clock. */
export interface ProgrammeMemory {
  /** Answered wants, whether the guide knew the show or not. */
  readonly answered: ReadonlySet<string>;
  readonly channels: ReadonlyMap<string, RequestedChannels>;
  readonly failures: number;
  readonly failure?: ErrorCode;
  readonly notBeforeMs: DurationMs;
}

interface RequestedChannels {
  readonly atMs: DurationMs;
  readonly updatedTo?: EpochMs;
}

export const NOTHING_ASKED: ProgrammeMemory = {
  answered: new Set(),
  channels: new Map(),
  failures: 0,
  notBeforeMs: Number.NEGATIVE_INFINITY,
};

export interface ProgrammeParts {
  readonly account: Pick<GuideAccount, "programmes">;
  readonly wants: () => readonly ProgrammeWant[];
  readonly onProgrammes: (programmes: Programmes) => Promise<void>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/**
 * Requests programme data, with one request at most: the channels of new shows, or else the changes on channels whose
 * data is old. A failure costs only its own pause.
 */
export async function fetchProgrammes(
  parts: ProgrammeParts,
  memory: ProgrammeMemory,
  signal: AbortSignal,
): Promise<ProgrammeMemory> {
  const { account, onProgrammes, clock, log } = parts;
  const wants = parts.wants();
  const order = nextOrder(wants, memory, clock.monotonicMs());
  if (order === undefined) return memory;
  try {
    const { programmes, updatedTo } = await account.programmes(order, signal);
    await onProgrammes(programmes);
    if (memory.failure !== undefined) log.info("programme data is available again");
    const asked = { atMs: clock.monotonicMs(), ...(updatedTo === undefined ? {} : { updatedTo }) };
    return remember({ wants, memory, order, asked });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    if (signal.aborted) return memory;
    const { code, message: text } = error;
    if (memory.failure !== code)
      log.warn("programme data is not available; recording continues without it", { code, text });
    const failures = memory.failures + 1;
    const notBeforeMs = clock.monotonicMs() + pauseMs(error, failures, parts.chance);
    return { ...memory, failures, failure: code, notBeforeMs };
  }
}

/** The next request; the soonest shows first. `undefined`: none. */
function nextOrder(
  wants: readonly ProgrammeWant[],
  { answered, channels, notBeforeMs }: ProgrammeMemory,
  nowMs: DurationMs,
): ProgrammeOrder | undefined {
  if (nowMs < notBeforeMs) return undefined;
  const soonest = [...wants].sort((a, b) => a.start - b.start);
  const fresh = soonest.filter(({ key }) => !answered.has(key));
  if (fresh.length > 0) return orderFor(fresh, wants);
  const isOld = ({ channelId }: ProgrammeWant) => {
    const asked = channels.get(channelId);
    return asked === undefined || nowMs - asked.atMs >= SYNC_LIMITS.programmeRefreshMs;
  };
  const old = soonest.filter(isOld);
  if (old.length === 0) return undefined;
  const order = orderFor(old, wants);
  const since = Math.min(...order.channelIds.map((id) => channels.get(id)?.updatedTo ?? 0));
  return since === 0 ? order : { ...order, since };
}

function orderFor(chosen: readonly ProgrammeWant[], wants: readonly ProgrammeWant[]): ProgrammeOrder {
  const all = [...new Set(chosen.map(({ channelId }) => channelId))];
  const channelIds = all.slice(0, MODEL_LIMITS.programmeChannels);
  const asked = new Set(channelIds);
  // The answer has all shows of a channel, so it answers every want for that channel.
  const shows = wants.filter(({ channelId }) => asked.has(channelId)).map(({ showId }) => showId);
  return { channelIds, showIds: new Set(shows) };
}

function remember({
  wants,
  memory,
  order: { channelIds },
  asked,
}: {
  readonly wants: readonly ProgrammeWant[];
  readonly memory: ProgrammeMemory;
  readonly order: ProgrammeOrder;
  readonly asked: RequestedChannels;
}): ProgrammeMemory {
  const now = new Set(channelIds);
  const wanted = new Set(wants.map(({ channelId }) => channelId));
  const isAnswered = ({ key, channelId }: ProgrammeWant) => now.has(channelId) || memory.answered.has(key);
  const before = [...memory.channels].filter(([id]) => wanted.has(id));
  return {
    answered: new Set(wants.filter(isAnswered).map(({ key }) => key)),
    channels: new Map([...before, ...channelIds.map((id) => [id, asked] as const)]),
    failures: 0,
    notBeforeMs: memory.notBeforeMs,
  };
}

/** Lasting failures: the service does not have the data, or has more than the limit. */
const LASTING: readonly ErrorCode[] = [
  "GUIDE_NOT_FOUND",
  "GUIDE_METHOD_REFUSED",
  "GUIDE_NOT_ACCEPTABLE",
  "GUIDE_MEDIA_TYPE_REFUSED",
  "GUIDE_FORBIDDEN",
  "GUIDE_BODY_TOO_LARGE",
];

/** The pause before the next such request. */
export function pauseMs({ code, facts }: RecorderdError, failures: number, chance: Chance): DurationMs {
  if (LASTING.includes(code)) return SYNC_LIMITS.programmeRefusedMs;
  const askedMs = typeof facts["retryAfterMs"] === "number" ? facts["retryAfterMs"] : 0;
  const { programmeBackOffMsMin: firstMs, programmeBackOffMsMax: maxMs } = SYNC_LIMITS;
  return backOffMs({ failures, firstMs, maxMs, retryAfterMs: askedMs }, chance);
}
