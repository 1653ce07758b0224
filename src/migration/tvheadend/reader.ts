import { RecorderdError } from "../../model/errors.ts";
import { ORIGIN_NAMES } from "../../model/imported.ts";
import { Collector } from "../collector.ts";
import type { OriginReader } from "../reader.ts";
import { readChannels } from "./channels.ts";
import { readLog } from "./recordings.ts";
import { readRules } from "./rules.ts";

/** Tvheadend 4: JSON files in its settings folder. */
export const tvheadendReader: OriginReader = {
  title: ORIGIN_NAMES.tvheadend,
  folder: "its settings, such as /var/lib/tvheadend or /home/hts/.hts/tvheadend",
  read: async (folders, { now }) => {
    const parts = await folders.names("dvr");
    if (!parts.some((name) => ["log", "config", "autorec"].includes(name))) throw notTvheadend(folders.all);
    const collector = new Collector();
    const channels = await readChannels(folders, collector);
    await readLog({ folders, channels, collector, now });
    await readRules(folders, channels, collector);
    return collector.found();
  },
};

function notTvheadend([folder = ""]: readonly string[]): RecorderdError {
  const message = `${folder} is not a settings folder of Tvheadend: it has no dvr/log. Name ${tvheadendReader.folder}.`;
  return new RecorderdError("FILE_UNREADABLE", message, { folder });
}
