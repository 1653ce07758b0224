import { VERSION } from "../../kit/version.ts";
import type { Policy } from "../../model/policy.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { MINUTE } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { AnnouncementsWatch } from "../../site/announcements-loop.ts";
import type { LiveSecrets } from "../config/live-secrets.ts";
import { snapshotOf } from "../engine/core/snapshot.ts";
import type { EngineRuntime } from "../engine/runtime/engine-runtime.ts";
import type { ReceptionWatch } from "../engine/runtime/reception.ts";
import type { Planner } from "../plan/planner.ts";
import type { Reserve } from "../store/reserve.ts";
import type { LibraryPart } from "../subsystems/library/open.ts";
import type { Power } from "../subsystems/power/power.ts";
import type { SyncStatus } from "../sync/poll.ts";
import type { DaemonBase, OtherNodes } from "./base.ts";
import type { CaptureAccess } from "./capture-access.ts";
import type { GuideAccess } from "./guide-access.ts";
import type { Storage } from "./storage.ts";
import type { TunerAccess } from "./tuner-access.ts";

interface Sources {
  readonly storage: Pick<Storage, "store" | "setAside">;
  readonly tuners: Pick<TunerAccess, "pool">;
  readonly policy: Policy;
  readonly planner: Planner;
  readonly runtime: EngineRuntime;
  readonly guide: GuideAccess;
  readonly reserve: Reserve;
  readonly receptions: ReceptionWatch;
  readonly announcements: AnnouncementsWatch | undefined;
  readonly captures: Pick<CaptureAccess, "gathering">;
  readonly library: LibraryPart;
  readonly power: Power;
  readonly nodes: OtherNodes | undefined;
}

/** The one picture of this daemon from which everything that people see is computed. */
export function snapshotFrom(
  { config, startedAt, clock }: Pick<DaemonBase, "config" | "startedAt" | "clock">,
  sources: Sources,
): Snapshot {
  const { storage, policy, planner, runtime, library } = sources;
  const { pool } = sources.tuners;
  const { secrets } = sources.guide;
  return snapshotOf({
    document: storage.store.current,
    tuners: pool.facts,
    policy,
    preview: planner.preview,
    guide: guideOf(runtime.syncStatus, secrets),
    clock: runtime.clockStatus,
    at: clock.now(),
    startedAt,
    version: VERSION,
    reception: sources.receptions.of,
    site: sources.announcements?.status,
    nodes: sources.nodes?.status(),
    damagedFiles: library.damagedFiles(),
    setAside: storage.setAside.current,
    broadcastGuide: sources.captures.gathering.status(),
    store: runtime.engine.trouble ?? sources.reserve.trouble,
    secrets: secrets.trouble,
    handedOverSecrets: sources.guide.handedOver,
    space: library.keeper.facts(),
    power: sources.power.facts(),
    wakeLeadMs: config.power.wakeMinutesBefore * MINUTE,
  });
}

function guideOf(
  { lastGoodAt, nextAt, failure, shortList }: SyncStatus,
  { trouble }: LiveSecrets,
): Omit<Snapshot["guide"], "reportsWaiting" | "reportsSince"> {
  const isUnknown = trouble !== undefined && !trouble.usesEarlier;
  return {
    // A sign-in does not repair an unusable file.
    signInNeeded: failure?.code === "GUIDE_SIGN_IN_NEEDED" && !isUnknown,
    ...withoutUndefined({ lastGoodAt, nextAt, failure, quarantine: shortList }),
  };
}
