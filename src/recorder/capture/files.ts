import { dirname, join } from "node:path";
import { INDEX_ENDING } from "../../mpeg-ts/access-index/format.ts";

const SEGMENT_ENDING = ".ts.part";
/** The ending of notes beside segments: `r1.2.ts.part.attempt` */
export const NOTE_ENDING = `${SEGMENT_ENDING}.attempt`;

/** The hidden folder of segments until they become a recording, on the same file system as the result. */
export function workFolder(folder: string): string {
  return join(folder, ".recorderd");
}

/** The segment that one attempt writes. */
export function segmentFile(folder: string, attemptId: string): string {
  return join(workFolder(folder), `${attemptId}${SEGMENT_ENDING}`);
}

/** The attempt of a segment by the name of the file; `undefined`: it is none. */
export function attemptOf(name: string): string | undefined {
  return name.endsWith(SEGMENT_ENDING) ? name.slice(0, -SEGMENT_ENDING.length) : undefined;
}

/** ffmpeg's log for a segment. */
export function logFile(segment: string): string {
  return `${segment}.log`;
}

/** The note about the attempt that writes a segment (`AttemptNote`). */
export function attemptNoteFile(segment: string): string {
  return `${segment}.attempt`;
}

/** Beside a segment of another node until its copy is whole. It has the name of the node that has the rest. */
export function copyMark(segment: string): string {
  return `${segment}.copy`;
}

/** The files that may be beside a segment. */
export function besideSegment(segment: string): readonly string[] {
  return [logFile(segment), attemptNoteFile(segment), segmentIndex(segment), copyMark(segment)];
}

/** The index of access points of a segment, or of a recording that has no name yet. */
export function segmentIndex(segment: string): string {
  return `${segment}${INDEX_ENDING}`;
}

/** The index of access points of a recording: `/srv/News.ts` → `/srv/News.index` */
export function recordingIndex(file: string): string {
  return join(dirname(file), `${stemOf(file)}${INDEX_ENDING}`);
}

export type SidecarEnding = ".json" | ".nfo";

/** `/srv/News.ts` → `/srv/News.json` */
export function sidecarFile(file: string, ending: SidecarEnding): string {
  return join(dirname(file), `${stemOf(file)}${ending}`);
}

/** A file's name without folders and without its last ending. */
export function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
