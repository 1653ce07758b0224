import type { Log } from "../../../kit/log.ts";
import type { Chance, Clock } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import type { Policy } from "../../../model/policy.ts";
import type { GuideAccount } from "../../../model/ports.ts";
import { isBefore } from "../../../model/recording.ts";
import { type Triplet, tripletKey } from "../../../model/service.ts";
import { canReceive, type TunerFacts } from "../../../model/tuner.ts";
import { sameItems } from "../../plan/same-items.ts";
import { Announcements } from "../../sync/announcements.ts";
import type { AbsencePolicy } from "../../sync/core/absence.ts";
import { isKnownList } from "../../sync/core/reconcile.ts";
import { type PollParts, pollLoop } from "../../sync/poll.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { Engine } from "./engine.ts";
import { programmeWants } from "./programme-wants.ts";
import { repeatQueries } from "./repeat-queries.ts";
import type { TunerPool } from "./tuner-pool.ts";

interface GuideLoopParts
  extends Pick<PollParts, "wakeSignal" | "before" | "onServerTime" | "takeChannelsAsked" | "onStatus"> {
  readonly engine: Pick<Engine, "post" | "postLatest">;
  /** Whether time alone gives the engine nothing to do now. */
  readonly isQuiet: () => boolean;
  readonly store: { readonly current: DaemonDocument };
  readonly account: GuideAccount;
  readonly schedule: Schedule;
  readonly absence: AbsencePolicy;
  readonly pool: TunerPool;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** Polls the guide service for the data that the document needs, and posts the answers. */
export function guideLoop(parts: GuideLoopParts, signal: AbortSignal): Promise<void> {
  const { engine, isQuiet, store, account, schedule, absence, pool, policy, clock, chance, log } = parts;
  const { wakeSignal, before, onServerTime, takeChannelsAsked, onStatus } = parts;
  const missed = lastAnswer(channelsMissed);
  let isFailing = false;
  const announcements = new Announcements({
    account,
    clock,
    chance,
    log,
    // A failing service is asked again soon anyhow, but not sooner.
    onNews: () => {
      if (!isFailing) wakeSignal.signal();
    },
  });
  const polls = pollLoop(
    {
      account,
      isAnnounced: () => announcements.areAlive,
      schedule,
      clock,
      log,
      wakeSignal,
      before,
      onServerTime,
      onTimers: async (list, absent) => {
        const { timers, forgets, listAwaitedUntil } = store.current;
        // Nearly every list is like the one before.
        const isAwaited = listAwaitedUntil !== 0 || Object.keys(forgets).length > 0 || !isQuiet();
        if (absent.length === 0 && !isAwaited && isKnownList(timers, list)) return;
        await engine.postLatest({ kind: "timers-fetched", list, absent });
      },
      held: () => store.current.timers,
      absence,
      chance,
      wants: () => programmeWants(store.current, { now: clock.now(), policy }),
      onProgrammes: async (programmes) => {
        if (Object.keys(programmes).length > 0) await engine.post({ kind: "programmes-fetched", programmes });
      },
      repeatQueries: () => repeatQueries(store.current, { now: clock.now(), tuners: pool.facts, policy }),
      onAirings: (found) => engine.post({ kind: "airings-fetched", ...found }),
      onChannels: (channels) => engine.postLatest({ kind: "channels-fetched", channels }),
      knowsNoChannels: () => Object.keys(store.current.channels).length === 0,
      channelsMissed: () => missed(store.current, pool.facts),
      takeChannelsAsked,
      onStatus: (status) => {
        isFailing = status.failure !== undefined;
        onStatus(status);
      },
    },
    signal,
  );
  return Promise.all([polls, announcements.run(signal)]).then(() => {});
}

type Missed = typeof channelsMissed;

/** Gives the same answer while what it depends on is the same. */
function lastAnswer(find: Missed): Missed {
  let last: { readonly by: readonly unknown[]; readonly answer: ReturnType<Missed> } | undefined;
  return (document, tuners) => {
    const by = [document.timers, document.channels, document.recordings, tuners];
    if (last === undefined || !sameItems(last.by, by)) last = { by, answer: find(document, tuners) };
    return last.answer;
  };
}

/** Channels of future timers without a known service. */
function channelsMissed(
  { timers, channels, recordings }: DaemonDocument,
  tuners: readonly TunerFacts[],
): ReadonlySet<string> {
  const unknown = Object.values(timers).flatMap(({ channelId }) =>
    channels[channelId] === undefined ? [channelId] : [],
  );
  const isServed = (service: Triplet | undefined) =>
    service !== undefined && tuners.some((tuner) => canReceive(tuner, tripletKey(service)));
  const unserved = Object.values(recordings)
    .filter((recording) => isBefore(recording) && !isServed(recording.service))
    .map(({ channelId }) => channelId);
  return new Set([...unknown, ...unserved]);
}
