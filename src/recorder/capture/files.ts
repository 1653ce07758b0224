import { dirname, join } from "node:path";

/** Where segments lie until they are a recording: hidden, and on the same file system as the result. */
export function workFolder(folder: string): string {
  return join(folder, ".recorderd");
}

/** The segment that one attempt writes. */
export function segmentFile(folder: string, attemptId: string): string {
  return join(workFolder(folder), `${attemptId}.ts.part`);
}

/** What ffmpeg said while it wrote a segment. */
export function logFile(segment: string): string {
  return `${segment}.log`;
}

/** What goes beside a recording, by its ending. */
export type Sidecar = ".json" | ".nfo";

/** `/srv/News.ts` → `/srv/News.json` */
export function besideFile(file: string, ending: Sidecar): string {
  return join(dirname(file), `${stemOf(file)}${ending}`);
}

/** A file's name without folders and without its last ending. */
export function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
