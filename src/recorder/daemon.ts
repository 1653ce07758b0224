import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { guideAccount } from "../guide-wire/account.ts";
import { createGuideClient, type GuideClient } from "../guide-wire/client.ts";
import { lockFolder } from "../kit/files/lock.ts";
import { finishStaging } from "../kit/files/staged-files.ts";
import { createHttpClient, type HttpClient } from "../kit/http/http.ts";
import { type Log, rememberingLog } from "../kit/log.ts";
import { askKernelClock } from "../kit/machine/kernel-clock.ts";
import { bootId, systemZone, uptimeMs } from "../kit/machine/machine.ts";
import { accountNumber } from "../kit/process/accounts.ts";
import { type Clock, systemChance, withDeadline } from "../kit/time/clock.ts";
import { parseSchedule } from "../kit/time/cron.ts";
import { WakeSignal } from "../kit/time/wake-signal.ts";
import { VERSION } from "../kit/version.ts";
import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import type { WorkRegister } from "../model/ports.ts";
import { reachOf } from "../model/reach.ts";
import type { Work } from "../model/set-aside.ts";
import type { Snapshot, StoreTrouble } from "../model/snapshot.ts";
import { MINUTE, SECOND } from "../model/time.ts";
import { watchAnnouncements } from "../site/announcements-loop.ts";
import { type HttpDoor, openHttpDoor } from "../web/door/http-door.ts";
import { OneTimeLinks } from "../web/door/one-time-links.ts";
import { DASHBOARD } from "../web/door/static.ts";
import { openControlSocket } from "./api/control.ts";
import { createEvents } from "./api/events.ts";
import type { DaemonFace } from "./api/face.ts";
import { createMetrics } from "./api/metrics.ts";
import { apiRoutes } from "./api/routes.ts";
import type { CaptureLimits } from "./capture/engine.ts";
import { onPresentDisk } from "./capture/mount-check.ts";
import { parseNameTemplate } from "./capture/name-template.ts";
import { createRecordingFiles, type RecordingFiles } from "./capture/recording-files.ts";
import { captureOf } from "./captures.ts";
import { trustOf } from "./config/authorities.ts";
import { type LiveSecrets, liveSecrets, secretsInForce } from "./config/live-secrets.ts";
import { networkSettings } from "./config/networks.ts";
import type { Config } from "./config/schema.ts";
import { secretsFile } from "./config/secrets.ts";
import { emptyDocument } from "./engine/core/document.ts";
import { nextOpening } from "./engine/core/settle.ts";
import { snapshotOf } from "./engine/core/snapshot.ts";
import { whatIf } from "./engine/core/what-if.ts";
import { ClockWatch } from "./engine/runtime/clock-watch.ts";
import { createClosing, type SidecarPolicy } from "./engine/runtime/closing-acts.ts";
import { DOCUMENT_FORMAT } from "./engine/runtime/document-format.ts";
import { Fleet } from "./engine/runtime/fleet.ts";
import type { LeaseDesk } from "./engine/runtime/lease-desk.ts";
import { type Beside, live } from "./engine/runtime/life.ts";
import { keepReady } from "./engine/runtime/readiness.ts";
import { watchReception } from "./engine/runtime/reception.ts";
import { repeatFor } from "./engine/runtime/repeat-offer.ts";
import { wishFor } from "./engine/runtime/wish.ts";
import { nextWake, wakeAlarm } from "./plan/wake.ts";
import { explain } from "./report/core/why.ts";
import { openDocumentStore } from "./store/document-store.ts";
import { factsAbout, hasHistory } from "./store/history.ts";
import { openLedger } from "./store/ledger.ts";
import { createReserve } from "./store/reserve.ts";
import { openSignOfLife } from "./store/sign-of-life.ts";
import { createGuideFace } from "./subsystems/booking/guide.ts";
import { createSignIn } from "./subsystems/booking/sign-in.ts";
import { type IdleLimits, openGathering } from "./subsystems/gather/open.ts";
import { openLibrary } from "./subsystems/library/open.ts";
import { openNotify } from "./subsystems/notify/open.ts";
import { createPlaying } from "./subsystems/playback/playing.ts";
import { createPower } from "./subsystems/power/power.ts";
import { openSetAside } from "./subsystems/power/set-aside.ts";
import { createProbe } from "./subsystems/probe/probe.ts";
import { openTraces } from "./subsystems/traces/open.ts";
import { ChannelDesk } from "./sync/channel-desk.ts";
import type { AbsencePolicy } from "./sync/core/absence.ts";
import type { SyncStatus } from "./sync/poll.ts";
import { withoutSetAside } from "./sync/set-aside.ts";
import { createDecoding } from "./threads/decoding.ts";
import { createPlanning } from "./threads/planning.ts";
import { openTuners } from "./tune/registry.ts";

/** The daemon, ready to run. Disposing it leaves running captures to its next life. */
export interface Daemon extends AsyncDisposable, DaemonFace {
  /** Records until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** At which the dashboard and the API listen; absent where they do not. */
  readonly webPort: number | undefined;
}

/**
 * Builds a daemon of a configuration, by hand: guide → sync → plan → tune → capture → inspect → report.
 *
 * @throws RecorderdError STORE_LOCKED, STORE_DAMAGED, STORE_TOO_NEW, CONFIG_INVALID, FILE_UNREADABLE or ADDRESS_IN_USE
 */
export async function openDaemon(config: Config, parts: DaemonParts): Promise<Daemon> {
  const opened: AsyncDisposable[] = [];
  try {
    return await open(config, parts, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Who lends tuners while the daemon runs. */
interface Lender {
  readonly desk: LeaseDesk;
  readonly signal: AbortSignal;
}

interface DaemonParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the secrets are; in the data folder when absent. */
  readonly secretsFile?: string;
  /** How patient supervision is; `LIMITS` when absent. Tests are in more of a hurry. */
  readonly captureLimits?: CaptureLimits;
  /** How long and how often idle tuners are listened to; `LIMITS` when absent. */
  readonly idleLimits?: IdleLimits;
  /** The capture host as JavaScript; what was built with us when absent. */
  readonly hostProgram?: string;
  /** Called before each piece of work on what others wrote (docs/decisions/0038). */
  readonly onWork?: (work: Work) => void;
  /** Called again and again while the engine lives, the first time when it has taken over. */
  readonly onPulse?: () => void;
}

/** A thread needs a compiled script, also where this file is run as it is written. */
const THREADS = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/recorder/threads/" : "./threads/",
  import.meta.url,
);
const PLANNING_THREAD = new URL("planning-thread.js", THREADS);
const DECODING_THREAD = new URL("decoding-thread.js", THREADS);

/** Adds to `opened` what must be closed again, whether the daemon comes to be or not. */
async function open(config: Config, parts: DaemonParts, opened: AsyncDisposable[]): Promise<Daemon> {
  const { clock, captureLimits = LIMITS, idleLimits = LIMITS, hostProgram, onPulse, onWork } = parts;
  const { log, lines: logLines } = rememberingLog(parts.log, { clock, linesMax: LIMITS.logLines });
  const kept = <T extends AsyncDisposable>(thing: T): T => {
    opened.push(thing);
    return thing;
  };
  const startedAt = clock.now();
  const folder = config.data.folder;
  kept(await lockFolder(folder));
  if (await finishStaging(folder)) log.info("a restore that was broken off is complete now", { folder });
  const setAside = await openSetAside(folder, { clock, log });
  const register: WorkRegister = { begin: onWork ?? (() => {}), isSetAside: setAside.isSetAside };
  register.begin({ kind: "stored-document", subject: "document.json" });
  const store = kept(
    await openDocumentStore({
      file: join(folder, "document.json"),
      ...DOCUMENT_FORMAT,
      empty: () => emptyDocument(startedAt),
      onDamage: (text) => log.error(text),
    }),
  );
  const ledgerFolder = join(folder, "ledger");
  await mkdir(ledgerFolder, { recursive: true, mode: 0o750 });
  const ledger = kept(await openLedger({ folder: ledgerFolder }));
  if (store.openedFrom === "nothing" && (await hasHistory(ledgerFolder))) {
    log.error(
      "document.json is gone, but the ledger is there: the recorder begins anew and no longer knows what was planned and recorded. Restore a backup if there is one.",
      { folder },
    );
  }
  /** When each finished recording was read last, by the monotonic clock. */
  const readMs = new Map<string, number>();
  const isPlayed = (id: string) =>
    clock.monotonicMs() - (readMs.get(id) ?? Number.NEGATIVE_INFINITY) < LIMITS.playedMs;
  const watch = new ClockWatch({
    clock,
    uptimeMs,
    boot: await bootId(),
    toleranceMs: config.time.toleranceSeconds * SECOND,
    memory: store.current.clock,
  });
  // What the engine has not looked at yet counts too.
  const isClockTrusted = () => watch.isTrusted && !watch.hasMoved;
  const library = kept(
    await openLibrary(config, {
      plan: () => store.current,
      ledger,
      isPlayed,
      isClockTrusted,
      register,
      clock,
      log,
    }),
  );
  const { keeper, presence } = library;
  const http = kept(createHttpClient());
  const guideHttp = kept(createHttpClient(await trustOf(config.guide.caFile)));
  const secretsPath = parts.secretsFile ?? secretsFile(folder);
  const secrets = await liveSecrets(secretsPath, { clock, log });
  const client = clientOf(config, { http: guideHttp, clock, secrets, register });
  const { regionId, deviceId } = config.guide;
  const service = withoutSetAside(
    guideAccount(client, { regionId, ...(deviceId === undefined ? {} : { deviceId }) }),
    register,
  );
  const drivers = (
    await openTuners(config.tuners, { clock, log, folder, credentials: (id) => secrets.current.tuners?.[id] })
  ).map(kept);
  const fleet = new Fleet(drivers);
  const channels = kept(
    await ChannelDesk.open({
      folder,
      tuners: () => fleet.facts,
      held: () => Object.values(store.current.channels),
      log,
    }),
  );
  // Whenever the guide may have other channels, tuners may receive other services.
  const account = channels.over({
    ...service,
    channels: async (signal) => {
      const [found] = await Promise.all([service.channels(signal), fleet.lookAgain(log, signal)]);
      return found;
    },
  });
  const view = { ffmpegPath: config.capture.ffmpegPath, clock, limits: captureLimits };
  const gathering = openGathering(config, {
    client,
    nameFor: (triplet) => channels.nameFor(triplet),
    view,
    register,
    clock,
    log,
    limits: idleLimits,
  });
  const anywhere = captureOf(config, {
    clock,
    log,
    openInspection: gathering.openInspection,
    limits: captureLimits,
    ...(hostProgram === undefined ? {} : { hostProgram }),
  });
  const capture = onPresentDisk(anywhere, presence);
  const shelf = await shelfOf(config);
  const closing = kept(
    createClosing({
      shelf,
      clock,
      presence: { check: library.checkPlaces },
      sidecars: sidecarsOf(config),
      networks: networkSettings(config.networks),
    }),
  );
  const policy = policyOf(config);
  const receptions = watchReception({
    document: () => store.current,
    driver: (id) => fleet.drivers.get(id),
    clock,
    log,
  });
  const planning = createPlanning({ threadFile: PLANNING_THREAD, clock, log });
  const { planner } = planning;
  const closed = kept(untilClosed());
  const poll = new WakeSignal();
  const resume = new WakeSignal();
  const plans = new WakeSignal();
  let sync: SyncStatus = { failures: 0 };
  let trouble: StoreTrouble | undefined;
  const signOfLife = await openSignOfLife(join(folder, "alive"), clock);
  const reserve = createReserve({
    file: join(folder, "reserve"),
    clock,
    log,
    onChange: () => {
      events.touch();
      notify.stir();
    },
  });
  let lend: (lender: Lender) => void = () => {};
  let isRunning = false;
  let stir = async () => {};
  let wish: Beside["wish"] | undefined;
  let repeat: Beside["repeat"] | undefined;
  let deleted: Beside["deleted"] = async () => {};
  let servicesKnown: Beside["servicesKnown"] = async () => {};
  let isChannelsAsked = false;
  const lender = new Promise<Lender>((resolve) => {
    lend = resolve;
  });
  const lending = () => {
    const timeoutError = () => new RecorderdError("TUNER_BUSY", "The recorder is just starting or ending.");
    const patience = { ms: LIMITS.tuneMs, signal: closed.signal, timeoutError };
    return withDeadline(clock, patience, () => lender);
  };
  const probe = createProbe(config, { clock, log, limits: captureLimits });
  const site = config.site === undefined ? undefined : watchAnnouncements(config.site, { http, clock, log });

  /** A new sign-in counts at once, for lists and for reports. */
  async function takeOverSignIn(): Promise<void> {
    if (!(await secrets.refresh())) return;
    poll.signal();
    resume.signal();
  }

  async function watchSignIn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await takeOverSignIn();
      await clock.sleep(LIMITS.secretsLookMs, signal).catch(() => {});
    }
  }

  const leadMs = config.power.wakeMinutesBefore * MINUTE;
  const wakeWorld = () => ({ tuners: fleet.facts, now: clock.now(), leadMs });
  const recordings = () => Object.values(store.current.recordings);
  // People may ask for any word, one that every object knows too.
  const isRecording = (id: string) => Object.hasOwn(store.current.recordings, id);
  const power = createPower({
    folder,
    wakeAlarm: config.power.wakeAlarm,
    inhibitSleep: config.power.inhibitSleep,
    wanted: () => wakeAlarm(recordings(), wakeWorld()),
    isBusy: () => (nextWake(recordings(), wakeWorld()) ?? Number.POSITIVE_INFINITY) <= clock.now(),
    isClockTrusted: () => watch.isTrusted,
    seenAt: store.current.heartbeatAt,
    uptimeMs,
    clock,
    log,
  });

  const { face: guideFace, orders } = createGuideFace({
    client,
    account,
    deviceId,
    folder: join(folder, "bookings"),
    reach: (channelId) => face.reach().find((one) => one.channelId === channelId),
    onOrdered: () => poll.signal(),
    clock,
    signal: closed.signal,
  });

  /** What may be the service of a channel that has none. */
  const inDoubt = () => [
    ...fleet.facts.flatMap(({ unknown = [] }) => unknown),
    ...channels.services().map(({ triplet }) => triplet),
  ];

  const opening = () => nextOpening(store.current, { tuners: fleet.facts, now: clock.now(), clock: watch });
  const metrics = createMetrics();
  const face: DaemonFace = {
    syncNow: () => {
      isChannelsAsked = true;
      poll.signal();
    },
    snapshot: () =>
      snapshotOf({
        document: store.current,
        tuners: fleet.facts,
        policy,
        look: planner.preview,
        guide: guideOf(sync, secrets),
        clock: watch.status,
        at: clock.now(),
        startedAt,
        version: VERSION,
        reception: receptions.of,
        site: site?.status,
        damagedFiles: library.damagedFiles(),
        setAside: setAside.current,
        broadcastGuide: gathering.status(),
        store: trouble ?? reserve.trouble,
        secrets: secrets.trouble,
        space: keeper.facts(),
        power: power.facts(),
        wakeLeadMs: leadMs,
      }),
    whatIf: (change) =>
      whatIf(change, store.current, {
        world: { now: clock.now(), policy, tuners: fleet.facts },
        plans: (problems) => planning.plans(problems, closed.signal),
        space: keeper.facts,
      }),
    probe: async (order) => {
      const { desk, signal } = await lending();
      const forMs = LIMITS.tuneMs + LIMITS.probeMs;
      return probe(order, (until) => desk.take({ ...order, use: "probe", forMs }, until), signal);
    },
    library: {
      entries: () => library.lookedAt(closed.signal),
      jobs: library.jobs,
      verify: library.verify,
      mark: keeper.mark,
      remove: async (id) => {
        const entry = await keeper.remove(id);
        // It is deleted also where the engine has just ended.
        await deleted(id).catch(() => {});
        return entry;
      },
    },
    guide: {
      ...guideFace,
      signIn: createSignIn({
        client,
        file: secretsPath,
        secrets,
        takeOver: takeOverSignIn,
        log,
        signal: closed.signal,
      }),
    },
    playing: createPlaying({
      recording: (id) => (isRecording(id) ? store.current.recordings[id] : undefined),
      entry: (id) => library.entries().find(({ recordingId }) => recordingId === id),
      segmentFile: shelf.segmentFile,
      desk: async () => (await lending()).desk,
      view,
      onRead: (id) => readMs.set(id, clock.monotonicMs()),
      clock,
      signal: closed.signal,
    }),
    reach: () => reachOf(channels.matched(), fleet.facts, channels.services()),
    assign: async (channelId, triplet) => {
      if (!channels.matched().some(({ channel }) => channel.id === channelId)) {
        throw new RecorderdError("GUIDE_NOT_FOUND", `The guide has no channel ${channelId}.`);
      }
      await channels.assign(channelId, triplet);
      await servicesKnown();
    },
    replan: () => stir(),
    repeat: (timerId) => repeatFor(timerId, { snapshot: face.snapshot, ask: repeat, clock }),
    wish: (timerId, change) => wishFor(timerId, change, { document: () => store.current, ask: wish, clock }),
    history: async (timerId) => {
      const facts = await factsAbout(ledgerFolder, timerId);
      return { ...explain(facts, { timeZone: policy.timeZone }), facts };
    },
    logLines,
    webLink: () => linkTo(web),
    lacks: () => (secrets.trouble === undefined ? [] : ["secrets"]),
    // What goes on with the reserve is ready.
    unready: () => trouble?.text ?? (isRunning ? undefined : "The recorder is just starting."),
    metrics: () =>
      metrics.text({
        snapshot: face.snapshot(),
        jobs: library.jobs(),
        isReady: face.unready() === undefined,
      }),
    events: { listen: (lastEventId) => events.listen(lastEventId) },
  };
  const events = createEvents({
    picture: () => ({ snapshot: face.snapshot(), entries: library.entries(), jobs: library.jobs() }),
    clock,
  });
  const notify = kept(await openNotify(config, { snapshot: face.snapshot, secrets, clock, log }));
  const traces = openTraces(config, { history: (id) => factsAbout(ledgerFolder, id), http, clock, log });
  kept(await openControlSocket(apiRoutes(face), { path: config.control.socket, clock, log }));
  const web: HttpDoor | undefined =
    config.web === undefined
      ? undefined
      : kept(
          await openHttpDoor(config.web, {
            routes: (entrance) => apiRoutes(face, entrance),
            secrets: () => secrets.current.web ?? {},
            links: new OneTimeLinks({ clock, lastsMs: LIMITS.linkMs }),
            folder: DASHBOARD,
            clock,
            log,
          }),
        );

  function run(signal: AbortSignal): Promise<void> {
    return live(
      {
        store: {
          get current() {
            return store.current;
          },
          commit: async (next) => {
            await store.commit(next);
            keeper.stir();
            plans.signal();
            events.touch();
            notify.stir();
          },
        },
        ledger: traces.listening(ledger),
        account,
        orders,
        fleet,
        capture,
        closing,
        segmentFile: shelf.segmentFile,
        policy,
        planner,
        register,
        schedule: parseSchedule(config.guide.sync),
        poll,
        takeChannelsAsked: () => {
          const was = isChannelsAsked;
          isChannelsAsked = false;
          return was;
        },
        channels: () => channels.channels(),
        resume,
        absence: absenceOf(config),
        watch,
        askKernel: askKernelClock,
        beforePoll: takeOverSignIn,
        onStatus: (status) => {
          sync = status;
          events.touch();
        },
        aliveAt: signOfLife.before,
        onTrouble: (found) => {
          trouble = found;
          if (found !== undefined) void signOfLife.give();
          events.touch();
        },
        makeRoom: reserve.release,
        ...(onPulse === undefined ? {} : { onPulse }),
        space: keeper.space,
        beside: async (beside, ending) => {
          ({ stir, wish, repeat, deleted, servicesKnown } = beside);
          lend({ desk: beside.desk, signal: ending });
          isRunning = true;
          await Promise.all([
            events.run(ending),
            web?.run(ending),
            site?.run(ending),
            gathering.run(
              {
                desk: beside.desk,
                services: () => [
                  ...Object.values(store.current.channels).flatMap(({ triplets }) => triplets),
                  ...(channels.isInDoubt() ? inDoubt() : []),
                ],
                tuners: () => fleet.facts,
                isInDoubt: () => channels.isInDoubt(),
                onHeard: async ({ asked, tunerId, named, here }) => {
                  const isFound = await fleet.learn(tunerId, { heard: asked, services: here });
                  if (!channels.learn(named) && !isFound) return;
                  beside
                    .servicesKnown()
                    .catch((error: unknown) => log.debug("not followed", { text: String(error) }));
                },
              },
              ending,
            ),
            watchSignIn(ending),
            reserve.run(ending),
            library.run(ending, stir),
            notify.run(ending),
            traces.run(ending),
            planning.run(ending, stir),
            power.run(ending),
            receptions.run(ending),
            keepReady({ nextOpening: opening, capture, nudge: plans, clock, log }, ending),
          ]);
        },
        clock,
        chance: systemChance,
        log,
      },
      signal,
    );
  }

  return {
    ...face,
    run,
    get webPort() {
      return web?.port;
    },
    [Symbol.asyncDispose]: () => closeAll(opened),
  };
}

function linkTo(web: HttpDoor | undefined): string {
  if (web === undefined) {
    const text = "There is no dashboard: add `web: {}` to the configuration, and start the recorder anew.";
    throw new RecorderdError("CONFIG_INVALID", text);
  }
  const link = web.link();
  if (link !== undefined) return link;
  throw new RecorderdError("ADDRESS_IN_USE", "The dashboard does not listen: the recorder's log says why.");
}

/** Whose signal is aborted when it is disposed. */
function untilClosed(): AsyncDisposable & Pick<AbortController, "signal"> {
  const controller = new AbortController();
  return { signal: controller.signal, [Symbol.asyncDispose]: async () => controller.abort() };
}

/** The last one opened first: the lock goes when nothing is done under it any more. */
async function closeAll(opened: readonly AsyncDisposable[]): Promise<void> {
  for (const thing of opened.toReversed()) await thing[Symbol.asyncDispose]();
}

function clientOf(
  { guide }: Config,
  {
    http,
    clock,
    secrets,
    register,
  }: {
    readonly http: HttpClient;
    readonly clock: Clock;
    readonly secrets: LiveSecrets;
    readonly register: WorkRegister;
  },
): GuideClient {
  return createGuideClient({
    baseUrl: guide.url,
    get apiKey() {
      return secretsInForce(secrets).apiKey;
    },
    applicationVersion: VERSION,
    wire: guide.format,
    http,
    clock,
    credentials: () => secretsInForce(secrets).account,
    decodeBeside: createDecoding({ threadFile: DECODING_THREAD, clock }),
    register,
  });
}

function absenceOf({ guide: { quarantine } }: Config): AbsencePolicy {
  const { shareMin, confirmPolls, confirmMinutes } = quarantine;
  return { shareMin, confirmPolls, confirmMs: confirmMinutes * MINUTE };
}

async function shelfOf({ recordings }: Config): Promise<RecordingFiles> {
  const { folder, libraryFolder, name, nameTimeZone, owner } = recordings;
  const { user, group, fileMode, folderMode } = owner;
  return createRecordingFiles({
    folder,
    ...(libraryFolder === undefined ? {} : { library: libraryFolder }),
    template: parseNameTemplate(name, nameTimeZone),
    ownership: {
      ...(user === undefined ? {} : { uid: await accountNumber("user", user) }),
      ...(group === undefined ? {} : { gid: await accountNumber("group", group) }),
      fileMode: Number.parseInt(fileMode, 8),
      folderMode: Number.parseInt(folderMode, 8),
    },
  });
}

function sidecarsOf({ recordings }: Config): SidecarPolicy {
  return { ...recordings.sidecars, timeZone: recordings.nameTimeZone, writtenBy: `recorderd ${VERSION}` };
}

function policyOf({ recordings, guide, follow, priorities, repeats, timeZone }: Config): Policy {
  let zone = timeZone;
  return {
    padding: {
      beforeMs: recordings.padding.beforeSeconds * SECOND,
      afterMs: recordings.padding.afterSeconds * SECOND,
    },
    completeFrom: recordings.completeFrom,
    follow: { extendMs: follow.extendMinutes * MINUTE, endEarly: follow.endEarly },
    vocabulary: guide.vocabulary,
    priorities,
    repeats,
    // Not asked for before a time is told: Node's tables of zones and their words take 8 MB, which stay in memory.
    get timeZone() {
      zone ??= systemZone();
      return zone;
    },
  };
}

function guideOf(
  { lastGoodAt, nextAt, failure, quarantine }: SyncStatus,
  { trouble }: LiveSecrets,
): Omit<Snapshot["guide"], "reportsWaiting" | "reportsSince"> {
  const isUnknown = trouble !== undefined && !trouble.usesEarlier;
  return {
    // No sign-in mends a file that cannot be used.
    signInNeeded: failure?.code === "GUIDE_SIGN_IN_NEEDED" && !isUnknown,
    ...(lastGoodAt === undefined ? {} : { lastGoodAt }),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(failure === undefined ? {} : { failure }),
    ...(quarantine === undefined ? {} : { quarantine }),
  };
}
