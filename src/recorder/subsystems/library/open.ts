import { sep } from "node:path";
import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { parseSchedule, type Schedule } from "../../../kit/time/cron.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { JobKind, JobView } from "../../../model/job.ts";
import type { DamagedFile, LibraryEntry } from "../../../model/library.ts";
import { oncePer } from "../../../model/once-per.ts";
import type { WorkRegister } from "../../../model/ports.ts";
import { MINUTE, SECOND } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { workFolder } from "../../capture/files.ts";
import { createMountCheck, type MountCheck } from "../../capture/mount-check.ts";
import { folderName } from "../../config/fleet.ts";
import type { Config } from "../../config/schema.ts";
import type { DocumentStore } from "../../store/document-store.ts";
import type { StateStore } from "../../store/state-store.ts";
import { checkAbilities } from "./abilities.ts";
import { emptyLibrary, LIBRARY_FORMAT } from "./core/document.ts";
import type { Hook } from "./core/hooks.ts";
import type { PlanDocument } from "./core/intake.ts";
import type { Profile } from "./core/profile.ts";
import type { RetentionPolicy } from "./core/retention.ts";
import { diskMeter } from "./disk.ts";
import { createFileWatch } from "./file-watch.ts";
import { createHookLoop } from "./hook-loop.ts";
import { createImporter, type Importer } from "./importing.ts";
import { foreignIndexFolder, type IndexPlace, indexPlaces } from "./index-place.ts";
import { JobLoop } from "./job-loop.ts";
import { createKeeper, type Keeper, type KeeperParts } from "./keeper.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import { shareLibrary } from "./shared-library.ts";

export interface LibraryPart extends AsyncDisposable {
  readonly name: "library";
  readonly keeper: Keeper;
  /** The mount check of the folder of recordings. */
  readonly presence: MountCheck;
  /** Checks that folder and the one of finished recordings. @throws RecorderdError STORAGE_OFFLINE */
  checkPlaces(): Promise<void>;
  readonly entries: () => readonly LibraryEntry[];
  readonly entry: (id: string) => LibraryEntry | undefined;
  readonly indexOf: IndexPlace;
  readonly mayBeElsewhere: () => boolean;
  readonly import: Importer;
  /** Returns the entries after a recent check of their files. */
  readonly lookedAt: (signal: AbortSignal) => Promise<readonly LibraryEntry[]>;
  /** @throws RecorderdError RECORDING_UNKNOWN */
  readonly verify: (id: string) => Promise<JobView>;
  readonly damagedFiles: () => readonly DamagedFile[];
  readonly jobs: () => readonly JobView[];
  onCommit(): void;
  run(signal: AbortSignal): Promise<void>;
}

export interface LibraryParts {
  readonly state: Pick<StateStore, "openDocument">;
  readonly plan: () => PlanDocument;
  readonly ledger: KeeperParts["ledger"];
  readonly isPlayed: KeeperParts["isPlayed"];
  readonly requestReplan: () => Promise<void>;
  readonly isClockTrusted: KeeperParts["isClockTrusted"];
  /** Whether files that are missing may be on another node of the fleet. */
  readonly mayBeElsewhere: () => boolean;
  readonly register: WorkRegister;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens the library and everything that works on ended recordings.
 *
 * @throws RecorderdError STORE_DAMAGED, STORE_TOO_NEW or FILE_UNREADABLE
 * @throws RecorderdError CONFIG_INVALID when the installed programs lack a required ability
 */
export async function openLibrary(config: Config, parts: LibraryParts): Promise<LibraryPart> {
  const { state, plan, ledger, isPlayed, isClockTrusted, mayBeElsewhere, register, clock, log } = parts;
  const { folder, mountPoint, libraryFolder = folder } = config.recordings;
  const store: DocumentStore<ReturnType<typeof emptyLibrary>> = await state.openDocument("library", {
    ...LIBRARY_FORMAT,
    empty: emptyLibrary,
    onDamage: (text) => log.error(text),
  });
  const library = shareLibrary(store);
  const knownAs = (place: string) => folderName(config, place);
  const presence = createMountCheck({
    folder,
    ...(mountPoint === undefined ? {} : { mountPoint }),
    isKnown: () => library.current.knownFolders.includes(knownAs(folder)),
  });
  // An earlier recorder stored no mark, but its recordings are there.
  const finished = createMountCheck({
    folder: libraryFolder,
    isKnown: () =>
      library.current.knownFolders.includes(knownAs(libraryFolder)) ||
      (config.fleet?.home === undefined &&
        Object.values(library.current.entries).some(({ file }) => file.startsWith(libraryFolder + sep))),
  });
  const hooks = createHookLoop({ hooks: hooksOf(config), library, plan, register, clock, log });
  const profile: Profile = config.profile;
  const { comskipPath: comskip, commercials, keepOriginal, whileRecording, quietMinutes } = config.jobs;
  const asked = { profile, comskip: commercials ? comskip : undefined };
  const encoder = await checkAbilities(asked, { clock, signal: new AbortController().signal });
  const isFinishedThere = async () =>
    !mayBeElsewhere() && (libraryFolder === folder || (await finished.isThere()));
  // Recordings from before there was a library folder stay in place.
  const workFolderOf = (file: string) =>
    workFolder(file.startsWith(libraryFolder + sep) ? libraryFolder : folder);
  const indexOf = indexPlaces(config.data.folder);
  const jobs = new JobLoop({
    library,
    plan,
    isThere: () => keeper.space()?.kind === "online",
    quiet: { whileRecording, quietMs: quietMinutes * MINUTE },
    keepOriginal,
    isFinishedThere,
    ...(config.jobs.verify === "off" ? {} : { verification: VERIFICATIONS[config.jobs.verify] }),
    isClockTrusted,
    ledger,
    workFolders: [...[workFolder(libraryFolder), workFolder(folder)], foreignIndexFolder(config.data.folder)],
    indexOf,
    work: {
      profile,
      encoder,
      comskip,
      findsBreaks: config.jobs.commercials,
      workFolderOf,
      niceness: LIBRARY_LIMITS.jobNiceness,
    },
    owner: config.data.folder,
    clock,
    log,
  });
  const look = diskMeter({ folder, isThere: presence.isThere, clock });
  const files = createFileWatch({ library, look, isFinishedThere, ledger, clock, log });
  const entries = () => entriesOf(library.current.entries);
  const keeper: Keeper = createKeeper({
    library,
    plan,
    folder,
    finishedFolder: libraryFolder,
    isFinishedThere,
    mayBeElsewhere,
    look,
    files,
    knownAs,
    settleIn: (place) => (place === folder ? presence : finished).createWorkFolder(),
    indexOf,
    marks: config.space,
    retention: retentionOf(config),
    jobs: jobsOf(config),
    ledger,
    isPlayed,
    isClockTrusted,
    onNews: () => {
      hooks.wake();
      jobs.wake();
    },
    clock,
    log,
  });
  return {
    name: "library",
    keeper,
    presence,
    checkPlaces: async () => {
      await presence.check();
      if (libraryFolder !== folder) await finished.check();
    },
    entries,
    entry: (id) => {
      const { entries: all } = library.current;
      // People may ask for any word, even a property that every object has.
      return Object.hasOwn(all, id) ? all[id] : undefined;
    },
    indexOf,
    mayBeElsewhere,
    import: createImporter({ library, log }),
    lookedAt: async (signal) => {
      await files.refresh(signal);
      return entries();
    },
    verify: async (id) => {
      const { name } = keeper.known(id);
      const job = await jobs.verify(id);
      if (job !== undefined) return { ...job, name };
      throw new RecorderdError("DAEMON_NOT_READY", "Too many jobs are waiting: try again later.");
    },
    damagedFiles: () => damagedOf(library.current.entries),
    jobs: () => jobs.views(),
    onCommit: keeper.wake,
    run: async (signal) => {
      await Promise.all([keeper.run(signal, parts.requestReplan), hooks.run(signal), jobs.run(signal)]);
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** At night in UTC: on Mondays, or on the first of the month. */
const VERIFICATIONS: Readonly<Record<"weekly" | "monthly", Schedule>> = {
  weekly: parseSchedule("30 2 * * 1"),
  monthly: parseSchedule("30 2 1 * *"),
};

type Entries = Readonly<Record<string, LibraryEntry>>;
const entriesOf = oncePer((entries: Entries): readonly LibraryEntry[] => Object.values(entries));
const damagedOf = oncePer((entries: Entries): readonly DamagedFile[] =>
  Object.values(entries)
    .flatMap(({ flaw, deleted, recordingId, timerId, name, file, bytes }) =>
      flaw === undefined || deleted !== undefined
        ? []
        : [{ recordingId, timerId, name, file, wasBytes: bytes, ...flaw }],
    )
    .slice(0, LIBRARY_LIMITS.damagedFiles),
);

/** In this order: jobs that read the original come before the conversion. */
function jobsOf({ profile, jobs }: Config): readonly JobKind[] {
  return [
    ...(jobs.commercials ? (["commercials"] as const) : []),
    ...(jobs.chapters ? (["chapters"] as const) : []),
    ...(jobs.thumbnail ? (["thumbnail"] as const) : []),
    ...(profile.kind === "verbatim" ? [] : (["convert"] as const)),
  ];
}

function hooksOf({ hooks }: Config): readonly Hook[] {
  return hooks.map(({ timeoutSeconds, ...hook }) => ({ ...hook, timeoutMs: timeoutSeconds * SECOND }));
}

function retentionOf({
  retention: { days, watchedDays, keepPerSeries, freeBytes },
}: Config): RetentionPolicy {
  return {
    ...withoutUndefined({ days, watchedDays, keepPerSeries, freeBytes }),
  };
}
