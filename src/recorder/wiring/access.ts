import { createHttpClient, type HttpClient } from "../../kit/http/http.ts";
import { openClockWatch } from "../engine/open.ts";
import type { ClockWatch } from "../engine/runtime/clock-watch.ts";
import { type LibraryPart, openLibrary } from "../subsystems/library/open.ts";
import { ReadTimes } from "../subsystems/playback/read-times.ts";
import type { DaemonBase, DaemonParts } from "./base.ts";
import { type CaptureAccess, openCaptureAccess } from "./capture-access.ts";
import { type GuideAccess, openGuideAccess } from "./guide-access.ts";
import { openStorage, type Storage } from "./storage.ts";
import { openTunerAccess, type TunerAccess } from "./tuner-access.ts";

/** The daemon's access to the world: its disk, the guide service, tuners, captures. */
export interface Access {
  readonly storage: Storage;
  readonly watch: ClockWatch;
  readonly readTimes: ReadTimes;
  readonly library: LibraryPart;
  /** For all but the guide service. */
  readonly http: HttpClient;
  readonly guide: GuideAccess;
  readonly tuners: TunerAccess;
  readonly captures: CaptureAccess;
}

/** @throws RecorderdError STORE_LOCKED, STORE_DAMAGED, STORE_TOO_NEW, CONFIG_INVALID or FILE_UNREADABLE */
export async function openAccess(
  base: DaemonBase,
  parts: DaemonParts,
  requestReplan: () => Promise<void>,
): Promise<Access> {
  const { config, disposeLater, clock, log } = base;
  const storage = await openStorage(base, parts);
  const { state, store, ledger, register } = storage;
  const watch = await openClockWatch(base, storage);
  const readTimes = new ReadTimes(clock);
  const library = disposeLater(
    await openLibrary(config, {
      state,
      plan: () => store.current,
      ledger,
      isPlayed: (id) => readTimes.isRecent(id),
      // Includes changes of the clock that the engine has not seen yet.
      isClockTrusted: () => watch.isTrusted && !watch.hasMoved,
      requestReplan,
      mayBeElsewhere: () => parts.nodes?.mayHaveRecordings?.() === true,
      register,
      clock,
      log,
    }),
  );
  const http = disposeLater(createHttpClient());
  const guide = await openGuideAccess(base, { state, register, secretsPath: parts.secretsFile });
  const tuners = await openTunerAccess(base, { ...guide, store, nodes: parts.nodes });
  const { client } = guide;
  const { channels } = tuners;
  const captures = await openCaptureAccess(base, { ...parts, client, channels, library, register });
  return { storage, watch, readTimes, library, http, guide, tuners, captures };
}
