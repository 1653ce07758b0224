import { join } from "node:path";
import { createHttpClient } from "../../kit/http/http.ts";
import type { LogLine } from "../../kit/log.ts";
import type { Attempt } from "../../model/attempt.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { Policy } from "../../model/policy.ts";
import { isTerminal } from "../../model/recording.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { SECOND } from "../../model/time.ts";
import type { GuideApi } from "../../web/guide-api.ts";
import type { DaemonApi, LibraryApi, PushApi, Watched } from "../api/daemon-api.ts";
import type { Events } from "../api/events.ts";
import { createMetrics } from "../api/metrics.ts";
import type { LiveSecrets } from "../config/live-secrets.ts";
import { whatIf } from "../engine/core/what-if.ts";
import { assignService } from "../engine/runtime/assign-service.ts";
import type { EngineRuntime } from "../engine/runtime/engine-runtime.ts";
import { bookOfferedRepeat } from "../engine/runtime/repeat-offer.ts";
import { setTimerOverride } from "../engine/runtime/timer-override.ts";
import { explain } from "../report/core/why.ts";
import { factsAbout } from "../store/timer-facts.ts";
import type { LibraryPart } from "../subsystems/library/open.ts";
import { createHls } from "../subsystems/playback/hls/hls.ts";
import { playerMsAt } from "../subsystems/playback/hls/player-time.ts";
import { recordingSources } from "../subsystems/playback/hls/recording-source.ts";
import { createRenditions } from "../subsystems/playback/hls/renditions.ts";
import { PLAYBACK_LIMITS } from "../subsystems/playback/limits.ts";
import type { Live } from "../subsystems/playback/live/live.ts";
import { createLogos } from "../subsystems/playback/logos.ts";
import { playableFrom } from "../subsystems/playback/playable-from.ts";
import { createPlaying } from "../subsystems/playback/playing.ts";
import type { ReadTimes } from "../subsystems/playback/read-times.ts";
import { createStills } from "../subsystems/playback/stills.ts";
import { createSubtitles } from "../subsystems/playback/subtitles/subtitles.ts";
import type { Probe } from "../subsystems/probe/probe.ts";
import type { ProgressPart } from "../subsystems/progress/open.ts";
import type { PlanningPart } from "../threads/planning.ts";
import type { DaemonBase } from "./base.ts";
import type { CaptureAccess } from "./capture-access.ts";
import { openConversions } from "./conversions.ts";
import { type Storage, storedRecording } from "./storage.ts";
import type { TunerAccess } from "./tuner-access.ts";

export interface ApiParts {
  readonly base: DaemonBase;
  readonly storage: Pick<Storage, "store" | "state">;
  readonly runtime: EngineRuntime;
  readonly tuners: TunerAccess;
  readonly captures: Pick<CaptureAccess, "shelf" | "view">;
  readonly library: LibraryPart;
  readonly planning: PlanningPart;
  readonly policy: Policy;
  readonly secrets: LiveSecrets;
  readonly guide: GuideApi;
  readonly probe: Probe;
  readonly readTimes: ReadTimes;
  readonly live: Live;
  readonly progress: ProgressPart;
  readonly push: PushApi;
  readonly snapshot: () => Snapshot;
  readonly logLines: () => readonly LogLine[];
  /** @throws RecorderdError CONFIG_INVALID or ADDRESS_IN_USE */
  readonly webLink: () => string;
  readonly events: Pick<Events, "listen">;
}

/** Why the recorder cannot record, by the phase of its engine. */
const NOT_RUNNING = {
  starting: "The recorder is still starting.",
  running: undefined,
  over: "The recorder is stopping.",
} as const;

/** The daemon's state and operations for people. Changes wait for the engine (docs/dev/decisions/0047). */
export function createDaemonApi(parts: ApiParts): DaemonApi {
  const { base, storage, runtime, tuners, library, planning, policy, secrets, snapshot } = parts;
  const { store, state } = storage;
  const { engine } = runtime;
  const { clock, closed } = base;
  const metrics = createMetrics();
  const unready = () =>
    // A recorder that runs on its reserve is ready.
    engine.trouble?.text ?? NOT_RUNNING[engine.phase];
  return {
    snapshot,
    syncNow: () => runtime.syncNow(),
    replan: async () => {
      await engine.ready();
      await runtime.requestReplan();
    },
    setTimerOverride: (timerId, change) =>
      setTimerOverride(timerId, change, { document: () => store.current, engine }),
    repeat: (timerId) => bookOfferedRepeat(timerId, { snapshot, engine }),
    whatIf: (change) =>
      whatIf(change, store.current, {
        world: { now: clock.now(), policy, tuners: tuners.pool.facts },
        plans: (problems) => planning.plans(problems, closed),
        space: library.keeper.facts,
      }),
    probe: async (order) => {
      await engine.ready();
      const forMs = MODEL_LIMITS.tuneMs + MODEL_LIMITS.probeMs;
      const take = (until: AbortSignal) => runtime.desk.take({ ...order, use: "probe", forMs }, until);
      return parts.probe(order, take, runtime.signal);
    },
    history: async (timerId) => {
      const facts = await factsAbout(state.readLedger, timerId);
      const { timeZone } = policy;
      return { ...explain(facts, { timeZone }), timeZone, facts };
    },
    logLines: parts.logLines,
    library: libraryApi(parts),
    progress: parts.progress.api,
    push: parts.push,
    guide: parts.guide,
    playing: playbackApi(parts),
    logos: logoApi(parts),
    reach: tuners.reach,
    assign: (channelId, service) =>
      assignService({ channelId, service }, { channels: tuners.channels, engine }),
    events: parts.events,
    metrics: () =>
      metrics.text({ snapshot: snapshot(), jobs: library.jobs(), isReady: unready() === undefined }),
    webLink: parts.webLink,
    unready,
    lacks: () => (secrets.trouble === undefined ? [] : ["secrets"]),
  };
}

function libraryApi({ base, library, runtime: { engine } }: ApiParts): LibraryApi {
  return {
    entries: () => library.lookedAt(base.closed),
    jobs: library.jobs,
    verify: library.verify,
    mark: library.keeper.mark,
    import: async (orders) => {
      const results = await library.import(orders);
      library.keeper.wake();
      return results;
    },
    remove: async (id) => {
      await engine.ready();
      const entry = await library.keeper.remove(id);
      if (entry.imported !== undefined) return entry;
      await engine.post({ kind: "deleted", recordingId: id });
      return entry;
    },
  };
}

function logoApi({ base, tuners }: ApiParts): DaemonApi["logos"] {
  return createLogos({
    folder: join(base.folder, "logos"),
    channels: () => tuners.channels.channels(),
    guideUrl: base.config.guide.url,
    http: base.disposeLater(createHttpClient()),
    clock: base.clock,
    signal: base.closed,
  });
}

function playbackApi({
  base,
  storage,
  runtime,
  library,
  captures,
  readTimes,
  live,
}: ApiParts): DaemonApi["playing"] {
  const recording = (id: string) => storedRecording(storage, id);
  const { entry } = library;
  const playing = createPlaying({
    recording,
    entry,
    indexOf: library.indexOf,
    mayBeElsewhere: library.mayBeElsewhere,
    segmentFile: captures.shelf.segmentFile,
    desk: runtime.desk,
    view: captures.view,
    onRead: (id) => readTimes.note(id),
    clock: base.clock,
    signal: base.closed,
  });
  const startedAt = (id: string) => {
    const { attempts = [], evidence } = recording(id) ?? {};
    const inFile = ({ number }: Attempt) => evidence?.kept?.includes(number) ?? true;
    const begun = attempts.find((attempt) => attempt.flowingAt !== undefined && inFile(attempt));
    return begun?.flowingAt ?? entry(id)?.firstAt;
  };
  /** The file tells it more exactly than the first look at the attempt did. */
  const beganAt = (id: string) => recording(id)?.evidence?.firstAt ?? entry(id)?.firstAt ?? startedAt(id);
  /** A recording of next week has no segment for anybody to wait for. */
  const isGrowing = (id: string) => {
    const found = recording(id);
    return found !== undefined && found.attempts.length > 0 && !isTerminal(found.state);
  };
  const { accessPoints: index, open } = playing;
  const { clock, closed: signal } = base;
  const recordings = recordingSources({ index, open, isGrowing, startedAt, clock, signal });
  const sourceOf = (watched: Watched) =>
    "service" in watched ? live.source(watched.service) : recordings(watched.recordingId);
  const conversions = openConversions(base);
  const stills = createStills({
    folder: join(base.folder, "pictures"),
    sourceOf: recordings,
    ffmpegPath: base.config.capture.ffmpegPath,
    niceness: PLAYBACK_LIMITS.convertNiceness,
    clock,
    signal,
  });
  return {
    ...playing,
    openAt: async (id, at) => {
      const [whole, begun] = [await open(id), beganAt(id)];
      if (begun === undefined) return whole;
      // A file without an index plays from its beginning.
      const known = await index(id).catch(() => undefined);
      return known === undefined ? whole : playableFrom(whole, known, at - begun);
    },
    positionOf: async (id, at) => {
      const begun = beganAt(id);
      if (begun === undefined) return undefined;
      const { segments } = await recordings(id).parts();
      return playerMsAt(segments, at - begun) / SECOND;
    },
    thumbnail: async (id) => {
      const made = await playing.thumbnail(id);
      return made === undefined ? await stills.open(id) : { bytes: made, isGrowing: false };
    },
    hls: createHls({ sourceOf, clock }),
    renditions: createRenditions({ sourceOf, conversions, clock, signal }),
    subtitles: createSubtitles(sourceOf),
  };
}
