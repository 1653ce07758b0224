import type { Log } from "../../kit/log.ts";
import { systemZone } from "../../kit/machine/machine.ts";
import { accountNumber } from "../../kit/process/accounts.ts";
import { VERSION } from "../../kit/version.ts";
import type { Policy } from "../../model/policy.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import { indexFailureLog } from "../capture/index-file.ts";
import { parseNameTemplate } from "../capture/name-template.ts";
import { createRecordingFiles, type RecordingFiles } from "../capture/recording-files.ts";
import type { Config } from "../config/schema.ts";
import type { SidecarPolicy } from "../engine/runtime/sidecar-acts.ts";
import type { AbsencePolicy } from "../sync/core/absence.ts";

/** The rule by which timers missing from a list count as withdrawn. */
export function absenceOf({ guide: { quarantine } }: Config): AbsencePolicy {
  const { shareMin, confirmPolls, confirmMinutes } = quarantine;
  return { shareMin, confirmPolls, confirmMs: confirmMinutes * MINUTE };
}

/** The store of recordings. @throws RecorderdError CONFIG_INVALID if there is no such user or group */
export async function shelfOf(
  { recordings }: Config,
  log: Log,
  elsewhere?: () => readonly string[],
): Promise<RecordingFiles> {
  const { folder, libraryFolder, name, nameTimeZone, owner } = recordings;
  const { user, group, fileMode, folderMode } = owner;
  return createRecordingFiles({
    folder,
    elsewhere,
    ...(libraryFolder === undefined ? {} : { library: libraryFolder }),
    template: parseNameTemplate(name, nameTimeZone),
    ownership: {
      ...(user === undefined ? {} : { uid: await accountNumber("user", user) }),
      ...(group === undefined ? {} : { gid: await accountNumber("group", group) }),
      fileMode: Number.parseInt(fileMode, 8),
      folderMode: Number.parseInt(folderMode, 8),
    },
    onIndexFailure: indexFailureLog(log),
  });
}

/** The configured sidecars. */
export function sidecarsOf({ recordings }: Config): SidecarPolicy {
  return { ...recordings.sidecars, timeZone: recordings.nameTimeZone, writtenBy: `recorderd ${VERSION}` };
}

/** The settings of the plan and the reports. */
export function policyOf({ recordings, guide, follow, priorities, repeats, timeZone }: Config): Policy {
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
    // Read on first use only: Node's tables of zones take 8 MB, which stay in memory.
    get timeZone() {
      zone ??= systemZone();
      return zone;
    },
  };
}
