import { RecorderdError } from "../../model/errors.ts";
import { Collector } from "../collector.ts";
import type { FoundRecorder, ReadOptions } from "../found.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { OriginReader } from "../reader.ts";
import { openChannelBook } from "./channel-book.ts";
import { readRecordings } from "./recordings.ts";
import { readSearches } from "./searches.ts";
import { readSetup } from "./setup.ts";
import { readTimers } from "./timers.ts";

export const vdrReader: OriginReader = {
  title: "VDR",
  folder: "its folder of settings, with channels.conf and timers.conf, often /var/lib/vdr",
  read: readVdr,
};

const SEARCHES = "plugins/epgsearch";

async function readVdr(folders: OriginFolders, options: ReadOptions): Promise<FoundRecorder> {
  const into = new Collector();
  const textOf = (file: string) => into.attempt(file, () => folders.text(file));
  const list = await textOf("channels.conf");
  const timers = await textOf("timers.conf");
  const searches = await textOf(`${SEARCHES}/epgsearch.conf`);
  const channels = openChannelBook(list ?? "", { file: "channels.conf", into });
  const setup = readSetup((await textOf("setup.conf")) ?? "");
  const recordings = await readRecordings({ folders, channels, options, into });
  if (list === undefined && timers === undefined && recordings === 0) throw noVdr(folders);
  readTimers({ file: "timers.conf", text: timers ?? "", channels, setup, options, into });
  readSearches({
    file: `${SEARCHES}/epgsearch.conf`,
    text: searches ?? "",
    channels,
    groups: (await textOf(`${SEARCHES}/epgsearchchangrps.conf`)) ?? "",
    blacklists: (await textOf(`${SEARCHES}/epgsearchblacklists.conf`)) ?? "",
    into,
  });
  return into.found();
}

function noVdr({ all }: OriginFolders): RecorderdError {
  const [file = ""] = all;
  return new RecorderdError(
    "FILE_UNREADABLE",
    `${file} is not a folder of VDR: it has neither channels.conf nor timers.conf nor recordings. Name ${vdrReader.folder}.`,
    { file },
  );
}
