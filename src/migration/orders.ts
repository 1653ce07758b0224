import { basename } from "node:path";
import type { ImportOrder, Origin } from "../model/imported.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import type { FoundRecording } from "./found.ts";

/**
 * The orders for our library: one for each file, for a recording in several files is played file by file. Its resume position is
 * lost then: it counts from the first file, and the lengths of the files are not known.
 */
export function ordersOf(from: Origin, recording: FoundRecording): readonly ImportOrder[] {
  const { id, title, subtitle, description, channel, event, files, outcome, isWatched } = recording;
  const isWhole = files.length === 1;
  return files.map(({ file, bytes, modifiedAt }, at) => {
    const part = `${at + 1}/${files.length}`;
    return {
      from,
      id: isWhole ? id : `${id} ${part}`,
      // A nameless recording is known by its file.
      title: title || basename(file),
      ...withoutUndefined({
        subtitle: (isWhole ? subtitle : [subtitle, part].join(" ").trim()) || undefined,
        description,
        resumeSeconds: isWhole ? recording.resumeSeconds : undefined,
        service: channel.triplet,
      }),
      channelName: channel.name,
      event,
      file,
      bytes,
      modifiedAt,
      isDamaged: outcome === "damaged",
      isWatched,
    };
  });
}
