import type { Log } from "../../kit/log.ts";
import { backOffMs } from "../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../kit/time/clock.ts";
import type { WakeSignal } from "../../kit/time/wake-signal.ts";
import { type ClockOffset, offsetOfServerTime, type ServerTimeReading } from "../../model/clock-trust.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { Channel } from "../../model/service.ts";
import { type DurationMs, type EpochMs, HOUR } from "../../model/time.ts";
import type { Timer, TimerId, TimerList } from "../../model/timer.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { type AiringParts, fetchAirings, NOWHERE_LOOKED } from "./airings.ts";
import {
  type AbsenceMemory,
  type AbsencePolicy,
  countAbsence,
  NOTHING_MISSING,
  type ShortList,
} from "./core/absence.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { fetchProgrammes, NOTHING_ASKED, type ProgrammeParts } from "./programmes.ts";

/**
 * The state of the exchange with the guide service. Never stored: a failed poll changes nothing that lasts.
 */
export interface SyncStatus {
  readonly lastGoodAt?: EpochMs;
  readonly channelsAt?: EpochMs;
  /** The next scheduled poll; absent before the first one. */
  readonly nextAt?: EpochMs;
  readonly failure?: { readonly since: EpochMs; readonly code: ErrorCode; readonly text: string };
  /** Failed polls in a row. */
  readonly failures: number;
  /** Present while the latest list is implausible. */
  readonly shortList?: ShortList;
}

export interface PollParts {
  readonly account: Pick<GuideAccount, "timers" | "channels" | "programmes" | "airings">;
  /** Whether the service announces changes at the moment: then most scheduled polls are left out. */
  readonly isAnnounced: () => boolean;
  readonly schedule: { next(after: EpochMs): EpochMs };
  readonly clock: Clock;
  readonly log: Log;
  /** Runs before each poll, such as taking over a new sign-in. */
  readonly before: () => Promise<void>;
  /** Makes the loop poll at once. */
  readonly wakeSignal: WakeSignal;
  readonly onChannels: (channels: readonly Channel[]) => Promise<void>;
  /** Called with the offset of the service's clock from ours. */
  readonly onServerTime: (offset: ClockOffset) => Promise<void>;
  /** `absent`: known timers that are missing from so many lists that they count as withdrawn. */
  readonly onTimers: (list: TimerList, absent: readonly TimerId[]) => Promise<void>;
  /** Shows that need more data than their timers have. */
  readonly wants: ProgrammeParts["wants"];
  readonly onProgrammes: ProgrammeParts["onProgrammes"];
  /** Recordings that need a repeat. */
  readonly repeatQueries: AiringParts["wants"];
  readonly onAirings: AiringParts["onAirings"];
  readonly held: () => Readonly<Record<TimerId, Timer>>;
  readonly absence: AbsencePolicy;
  readonly chance: Chance;
  readonly knowsNoChannels: () => boolean;
  /** Channels of timers without a known service. */
  readonly channelsMissed: () => ReadonlySet<string>;
  /** Whether the channels were requested since the last call. */
  readonly takeChannelsAsked: () => boolean;
  readonly onStatus: (status: SyncStatus) => void;
}

const CHANNELS_AGE_MAX_MS = 6 * HOUR;

/**
 * Polls the service by the schedule, one fetch in flight, until the signal is aborted. No failure ends it.
 */
export async function pollLoop(parts: PollParts, signal: AbortSignal): Promise<void> {
  let state: PollState = {
    status: { failures: 0 },
    missed: new Set(),
    isAsked: false,
    memory: NOTHING_MISSING,
    rests: 0,
  };
  let programmes = NOTHING_ASKED;
  let airings = NOWHERE_LOOKED;
  const { clock } = parts;
  let isWoken = false;
  while (!signal.aborted) {
    const { status: before } = state;
    const rest = isWoken ? undefined : restOf(parts, state);
    const { waitMs, ...next } = rest ?? (await pollOnce(parts, state, signal));
    if (signal.aborted) return;
    const { status } = next;
    if (status.failure?.code !== before.failure?.code) logChange(parts.log, status);
    if (status.shortList?.since !== before.shortList?.since) logShortList(parts.log, status);
    state = next;
    parts.onStatus({ ...status, nextAt: clock.now() + waitMs });
    const sinceMs = clock.monotonicMs();
    // After the timers and separate from them: its failure delays nothing.
    if (status.failure === undefined) {
      programmes = await fetchProgrammes(parts, programmes, signal);
      airings = await fetchAirings({ ...parts, wants: parts.repeatQueries }, airings, signal);
    }
    const restMs = Math.max(0, waitMs - (clock.monotonicMs() - sinceMs));
    const lookMs = Math.min(restMs, SYNC_LIMITS.channelsLookMs);
    const restsMs = clock.monotonicMs();
    await parts.wakeSignal.waitFor(lookMs, { clock, signal });
    isWoken = clock.monotonicMs() - restsMs < lookMs - EARLY_MS;
    // The list is decided about by now: request a missing channel at once.
    if (isWoken || (status.failure === undefined && missesChannels(parts, next))) continue;
    await parts.wakeSignal.waitFor(restMs - lookMs, { clock, signal });
    isWoken = clock.monotonicMs() - restsMs < restMs - EARLY_MS;
  }
}

/** A timer may fire this much too early. */
const EARLY_MS = 2;

/** The state without a poll, where the service announces changes and the last poll was not long ago. */
function restOf(parts: PollParts, state: PollState): PollResult | undefined {
  const { clock, schedule, isAnnounced } = parts;
  const { status, polledMs, rests } = state;
  const isWell = status.failure === undefined && status.shortList === undefined && !state.isAsked;
  if (polledMs === undefined || !isWell || !isAnnounced() || missesChannels(parts, state)) return undefined;
  const now = clock.now();
  const waitMs = schedule.next(now) - now;
  const isLong = clock.monotonicMs() - polledMs + waitMs > SYNC_LIMITS.restMsMax;
  return isLong || rests + 1 >= SYNC_LIMITS.restFactor ? undefined : { ...state, rests: rests + 1, waitMs };
}

interface PollState {
  readonly status: SyncStatus;
  /** The time of the last channel fetch, on the monotonic clock. */
  readonly channelsMs?: DurationMs;
  /** The missing channels at that time. */
  readonly missed: ReadonlySet<string>;
  /** A requested fetch has not succeeded yet. */
  readonly isAsked: boolean;
  readonly memory: AbsenceMemory;
  /** The time of the last poll, on the monotonic clock. */
  readonly polledMs?: DurationMs;
  /** The time of the last whole list, on the monotonic clock. */
  readonly wholeMs?: DurationMs;
  /** The number of scheduled polls left out since the last poll. */
  readonly rests: number;
}

interface PollResult extends PollState {
  readonly waitMs: DurationMs;
}

async function pollOnce(parts: PollParts, before: PollState, signal: AbortSignal): Promise<PollResult> {
  const { account, clock, schedule, onChannels, onTimers, knowsNoChannels } = parts;
  const { status } = before;
  let { channelsAt } = status;
  let { memory, channelsMs, missed, wholeMs } = before;
  const fetchChannels = async () => {
    await onChannels(await account.channels(signal));
    channelsAt = clock.now();
    channelsMs = clock.monotonicMs();
    missed = parts.channelsMissed();
    isAsked = false;
  };
  let isAsked = parts.takeChannelsAsked() || before.isAsked;
  try {
    await parts.before();
    // Timers need channels; if some are known, a failed refresh must not delay the timers.
    if (knowsNoChannels()) await fetchChannels();
    const askedAt = clock.now();
    const askedMs = clock.monotonicMs();
    // A service that wrongly says "unchanged" must not hide a change for long.
    const isWhole =
      wholeMs === undefined || askedMs - wholeMs >= SYNC_LIMITS.wholeListMs || memory.shortList !== undefined;
    const list = await account.timers(signal, { isWhole });
    if (isWhole) wholeMs = askedMs;
    const reading = { askedAt, answeredAt: clock.now(), tookMs: clock.monotonicMs() - askedMs };
    await hear(parts, list, reading);
    const absence = weigh(parts, list, memory);
    memory = absence.memory;
    logList(parts, { list, absent: absence.confirmed, tookMs: reading.tookMs });
    await onTimers(list, absence.confirmed);
    const ageMs = channelsMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - channelsMs;
    if (isAsked || ageMs > CHANNELS_AGE_MAX_MS || missesChannels(parts, { missed, ...age(channelsMs) }))
      await fetchChannels();
    const now = clock.now();
    const next = { failures: 0, lastGoodAt: now, ...found(channelsAt, memory) };
    const polled = { polledMs: askedMs, rests: 0, ...withoutUndefined({ wholeMs }) };
    return {
      ...{ status: next, memory, missed, isAsked, ...polled, ...age(channelsMs) },
      waitMs: schedule.next(now) - now,
    };
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const { failure: earlier, lastGoodAt } = status;
    const since = earlier?.code === error.code ? earlier.since : clock.now();
    const failures = status.failures + 1;
    const next = {
      failures,
      failure: { since, code: error.code, text: error.message },
      ...(lastGoodAt === undefined ? {} : { lastGoodAt }),
      ...found(channelsAt, memory),
    };
    return {
      status: next,
      memory,
      missed,
      isAsked,
      rests: 0,
      ...withoutUndefined({ wholeMs }),
      ...age(channelsMs),
      waitMs: waitAfter(error, failures, parts.chance),
    };
  }
}

/** Whether to request the channels: at once for one that is newly missing, after a pause for others. */
function missesChannels(
  { clock, channelsMissed }: PollParts,
  { missed, channelsMs = Number.NEGATIVE_INFINITY }: Pick<PollState, "missed" | "channelsMs">,
): boolean {
  const missing = channelsMissed();
  if (missing.size === 0) return false;
  const isLongAgo = clock.monotonicMs() - channelsMs >= SYNC_LIMITS.channelsAgainMs;
  return isLongAgo || [...missing].some((id) => !missed.has(id));
}

async function hear(
  { onServerTime }: PollParts,
  { serverTime }: TimerList,
  reading: Omit<ServerTimeReading, "serverTime">,
): Promise<void> {
  const offset = serverTime === undefined ? undefined : offsetOfServerTime({ ...reading, serverTime });
  if (offset !== undefined) await onServerTime(offset);
}

function weigh({ held, absence: policy, clock }: PollParts, list: TimerList, memory: AbsenceMemory) {
  const [now, monotonicMs] = [clock.now(), clock.monotonicMs()];
  return countAbsence({ memory, held: held(), list, policy, now, monotonicMs });
}

function age(channelsMs: DurationMs | undefined): Pick<PollState, "channelsMs"> {
  return channelsMs === undefined ? {} : { channelsMs };
}

function found(
  channelsAt: EpochMs | undefined,
  { shortList }: AbsenceMemory,
): Pick<SyncStatus, "channelsAt" | "shortList"> {
  return {
    ...withoutUndefined({ channelsAt, shortList }),
  };
}

/** The service's Retry-After counts if it is longer. */
function waitAfter({ facts }: RecorderdError, failures: number, chance: Chance): DurationMs {
  const askedMs = typeof facts["retryAfterMs"] === "number" ? facts["retryAfterMs"] : 0;
  return backOffMs(
    {
      failures,
      firstMs: SYNC_LIMITS.backOffMsMin,
      maxMs: MODEL_LIMITS.guideBackOffMsMax,
      retryAfterMs: askedMs,
    },
    chance,
  );
}

function logList(
  { log, held }: PollParts,
  {
    list,
    absent,
    tookMs,
  }: { readonly list: TimerList; readonly absent: readonly TimerId[]; readonly tookMs: DurationMs },
): void {
  const { timers, malformed } = list;
  log.debug("timer list received", {
    timers: timers.length,
    forgets: timers.filter(({ action }) => action === "forget").length,
    malformed: malformed.length,
    absent: absent.length,
    heldBefore: Object.keys(held()).length,
    tookMs: Math.round(tookMs),
  });
}

function logShortList(log: Log, { shortList }: SyncStatus): void {
  if (shortList === undefined)
    return log.info("the timer list is complete again, or further polls confirmed the missing timers");
  const { listed, held } = shortList;
  log.error("short timer list: no timer is withdrawn until further polls confirm it", { listed, held });
}

function logChange(log: Log, { failure, failures }: SyncStatus): void {
  if (failure === undefined) log.info("the guide service answers again");
  else if (failure.code === "GUIDE_SIGN_IN_NEEDED")
    log.error("the guide service needs a new sign-in", { code: failure.code, text: failure.text });
  else
    log.warn("the guide service cannot be used; retrying", {
      code: failure.code,
      text: failure.text,
      failures,
    });
}
