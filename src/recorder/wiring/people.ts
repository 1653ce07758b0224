import type { HttpListener } from "../../web/listener/http-listener.ts";
import type { DaemonApi } from "../api/daemon-api.ts";
import { Events } from "../api/events.ts";
import type { Subsystem } from "../engine/runtime/subsystem.ts";
import type { Reserve } from "../store/reserve.ts";
import type { Hdhomerun } from "../subsystems/hdhomerun/open.ts";
import { openNotify } from "../subsystems/notify/open.ts";
import type { Access } from "./access.ts";
import type { DaemonBase, DaemonParts } from "./base.ts";
import { type ApiParts, createDaemonApi } from "./daemon-api.ts";
import { linkTo, openEmulation, openListeners } from "./listeners.ts";
import { openLive } from "./live.ts";
import { openProgressPart } from "./progress.ts";
import { snapshotFrom } from "./snapshot.ts";
import type { Watches } from "./watches.ts";

interface PeopleParts
  extends Pick<ApiParts, "runtime" | "planning" | "policy" | "guide" | "probe" | "logLines"> {
  readonly access: Access;
  readonly reserve: Reserve;
  readonly watches: Watches;
  readonly liveLimits: DaemonParts["liveLimits"] | undefined;
  readonly pushService: DaemonParts["pushService"] | undefined;
  readonly nodes: DaemonParts["nodes"] | undefined;
}

/** The daemon's side for people: the API, its listeners, events, notifications. */
export interface People {
  readonly api: DaemonApi;
  readonly web: HttpListener | undefined;
  readonly hdhomerun: Hdhomerun | undefined;
  readonly subsystems: readonly Subsystem[];
  /** A change that no commit carries: the polls, or the disk. */
  onChange(): void;
}

/** @throws RecorderdError STORE_DAMAGED, STORE_TOO_NEW, FILE_UNREADABLE or ADDRESS_IN_USE */
export async function openPeople(base: DaemonBase, parts: PeopleParts): Promise<People> {
  const { config, disposeLater, clock, log } = base;
  const { access, planning, watches, pushService } = parts;
  const { library, guide, storage } = access;
  const { secrets } = guide;
  const { planner } = planning;
  const snapshot = () => snapshotFrom(base, { ...parts, ...access, ...watches, planner });
  const events = new Events({
    picture: () => ({ snapshot: snapshot(), entries: library.entries(), jobs: library.jobs() }),
    clock,
  });
  const notify = disposeLater(
    await openNotify(config, { state: storage.state, snapshot, secrets, clock, log, pushService }),
  );
  const webLink = () => linkTo(web);
  const live = await openLive(base, { ...access, ...parts });
  const positionOf: DaemonApi["playing"]["positionOf"] = (id, at) => api.playing.positionOf(id, at);
  const progress = await openProgressPart(base, { ...access, positionOf });
  const api = createDaemonApi({
    ...access,
    ...parts,
    base,
    live,
    progress,
    push: notify.push,
    secrets,
    snapshot,
    webLink,
    events,
  });
  const web = await openListeners(base, { api, secrets });
  const hdhomerun = await openEmulation(base, { api, tuners: access.tuners });
  return {
    api,
    web,
    hdhomerun,
    subsystems: [events, notify, progress, web, hdhomerun].filter((each) => each !== undefined),
    onChange: () => {
      events.touch();
      notify.wake();
    },
  };
}
