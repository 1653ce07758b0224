import type { Log } from "../../kit/log.ts";
import type { Chance, Clock } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { RecordingId } from "../../model/recording.ts";
import { type Airing, type Episode, isRepeatOf } from "../../model/repeat.ts";
import type { DurationMs } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { SYNC_LIMITS } from "./limits.ts";
import { pauseMs } from "./programmes.ts";

/** A recording that needs a repeat. */
interface AiringWant extends Episode {
  readonly recordingId: RecordingId;
  readonly showId: string | undefined;
  readonly channelId: string;
  readonly event: Window;
}

export interface RepeatQueries {
  /** The most urgent first. */
  readonly wants: readonly AiringWant[];
  /** The channels to search. */
  readonly channelIds: readonly string[];
}

/** The searches of this run of the daemon; instants are of the monotonic clock. */
export interface AiringMemory {
  readonly looks: ReadonlyMap<string, GuideSearch>;
  readonly failures: number;
  readonly failure?: ErrorCode;
  readonly notBeforeMs: DurationMs;
}

interface GuideSearch {
  readonly firstMs: DurationMs;
  readonly channels: ReadonlySet<string>;
}

export const NOWHERE_LOOKED: AiringMemory = {
  looks: new Map(),
  failures: 0,
  notBeforeMs: Number.NEGATIVE_INFINITY,
};

export interface AiringParts {
  readonly account: Pick<GuideAccount, "airings">;
  readonly wants: () => RepeatQueries;
  readonly onAirings: (found: {
    readonly recordingIds: readonly RecordingId[];
    readonly channelIds: readonly string[];
    readonly airings: readonly Airing[];
  }) => Promise<void>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/**
 * Searches the guide for repeats, only while a recording is in conflict or was lost, with one request at most: the
 * next unsearched channels of the most urgent one, its own first. A failure costs only a pause.
 */
export async function fetchAirings(
  parts: AiringParts,
  memory: AiringMemory,
  signal: AbortSignal,
): Promise<AiringMemory> {
  const { account, onAirings, clock, log } = parts;
  const { wants, channelIds: known } = parts.wants();
  const nowMs = clock.monotonicMs();
  const looks = new Map(
    [...memory.looks].filter(
      ([key, { firstMs }]) =>
        nowMs - firstMs < SYNC_LIMITS.repeatsRefreshMs && wants.some((want) => keyOf(want) === key),
    ),
  );
  const channelIds = nextChannels({ wants, channelIds: known }, looks);
  if (nowMs < memory.notBeforeMs || channelIds.length === 0) return { ...memory, looks };
  try {
    const isWanted = (airing: Airing) => wants.some((want) => isRepeatOf(airing, want));
    const airings = await account.airings({ channelIds, isWanted }, signal);
    await onAirings({ recordingIds: wants.map(({ recordingId }) => recordingId), channelIds, airings });
    if (memory.failure !== undefined) log.info("the search for repeats works again");
    for (const want of wants) {
      const { firstMs = nowMs, channels = [] } = looks.get(keyOf(want)) ?? {};
      looks.set(keyOf(want), { firstMs, channels: new Set([...channels, ...channelIds]) });
    }
    return { looks, failures: 0, notBeforeMs: memory.notBeforeMs };
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    if (signal.aborted) return memory;
    const { code, message: text } = error;
    if (memory.failure !== code) log.warn("the search for repeats failed; retrying", { code, text });
    const failures = memory.failures + 1;
    const notBeforeMs = clock.monotonicMs() + pauseMs(error, failures, parts.chance);
    return { looks, failures, failure: code, notBeforeMs };
  }
}

function keyOf({ recordingId, showId = "" }: AiringWant): string {
  return `${recordingId} ${showId}`;
}

function nextChannels(
  { wants, channelIds }: RepeatQueries,
  looks: ReadonlyMap<string, GuideSearch>,
): readonly string[] {
  for (const want of wants) {
    const looked = looks.get(keyOf(want))?.channels;
    const left = channelIds.filter((id) => looked?.has(id) !== true);
    if (left.length === 0) continue;
    const own = left.filter((id) => id === want.channelId);
    return [...own, ...left.filter((id) => id !== want.channelId)].slice(0, MODEL_LIMITS.programmeChannels);
  }
  return [];
}
