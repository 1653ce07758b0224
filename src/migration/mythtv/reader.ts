import { RecorderdError } from "../../model/errors.ts";
import { Collector } from "../collector.ts";
import type { FoundRecorder, ReadOptions } from "../found.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { OriginReader } from "../reader.ts";
import { readChannels } from "./channels.ts";
import { gatherDatabase } from "./database.ts";
import { readDump } from "./dump.ts";
import { readRecordings } from "./recordings.ts";
import { readRules } from "./rules.ts";

export const mythtvReader: OriginReader = {
  title: "MythTV",
  folder:
    "a folder with a backup of its database by mythconverg_backup.pl, such as mythconverg-1377-20261125230800.sql.gz",
  read: readMythtv,
};

const BACKUP = /\.sql(\.gz|\.xz)?$/;

async function readMythtv(folders: OriginFolders, options: ReadOptions): Promise<FoundRecorder> {
  const into = new Collector();
  const file = newestOf(await folders.names("."));
  const content = file === undefined ? undefined : await folders.content(file);
  if (file === undefined || content === undefined)
    throw noMythtv(folders, "has no backup of a database (.sql, .sql.gz)");
  const { tables, database: gathered } = gatherDatabase();
  await readDump(content, tables, { file, into });
  const database = gathered();
  if (database.schema === undefined && database.channels.length + database.recorded.length === 0)
    throw noMythtv(folders, `has no backup of MythTV: ${file} has neither channels nor recordings`);
  const channels = readChannels(database, into);
  await readRecordings({ database, channels, folders, options, file, into });
  readRules({ database, channels, options, file, into });
  return into.found();
}

/** The one with the latest time in its name; another name counts as older. */
function newestOf(names: readonly string[]): string | undefined {
  const timeOf = (name: string) => /-(\d{14})\.sql/.exec(name)?.[1] ?? "";
  return names
    .filter((name) => BACKUP.test(name))
    .toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)) || a.localeCompare(b))
    .at(-1);
}

function noMythtv({ all }: OriginFolders, why: string): RecorderdError {
  const [file = ""] = all;
  return new RecorderdError("FILE_UNREADABLE", `${file} ${why}. Name ${mythtvReader.folder}.`, { file });
}
