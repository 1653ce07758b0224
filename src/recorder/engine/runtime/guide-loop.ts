import type { Log } from "../../../kit/log.ts";
import type { Chance, Clock } from "../../../kit/time/clock.ts";
import type { Schedule } from "../../../kit/time/cron.ts";
import type { Policy } from "../../../model/policy.ts";
import type { GuideAccount } from "../../../model/ports.ts";
import { isBefore } from "../../../model/recording.ts";
import { type Triplet, tripletKey } from "../../../model/service.ts";
import { canReceive, type TunerFacts } from "../../../model/tuner.ts";
import type { AbsencePolicy } from "../../sync/core/absence.ts";
import { type PollParts, pollLoop } from "../../sync/poll.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { Engine } from "./engine.ts";
import { programmeWants } from "./programme-wants.ts";
import { repeatQueries } from "./repeat-queries.ts";
import type { TunerPool } from "./tuner-pool.ts";

interface GuideLoopParts
  extends Pick<PollParts, "wakeSignal" | "before" | "onServerTime" | "takeChannelsAsked" | "onStatus"> {
  readonly engine: Pick<Engine, "post" | "postLatest">;
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
  const { engine, store, account, schedule, absence, pool, policy, clock, chance, log } = parts;
  const { wakeSignal, before, onServerTime, takeChannelsAsked, onStatus } = parts;
  return pollLoop(
    {
      account,
      schedule,
      clock,
      log,
      wakeSignal,
      before,
      onServerTime,
      onTimers: (list, absent) => engine.postLatest({ kind: "timers-fetched", list, absent }),
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
      channelsMissed: () => channelsMissed(store.current, pool.facts),
      takeChannelsAsked,
      onStatus,
    },
    signal,
  );
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
