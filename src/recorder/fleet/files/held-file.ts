import { NODE_LIMITS } from "../limits.ts";
import { CaptureId } from "../node-protocol.ts";

/** A file on the disk of one node, in a fleet whose nodes share no folder. */
export type HeldFile =
  /** A segment, or the log of its capture, by the id of the attempt. */
  | { readonly kind: "segment" | "log"; readonly id: string }
  /** A finished recording, or a file beside it; relative to the folder of finished recordings. */
  | { readonly kind: "recording"; readonly path: string };

/** A file as its node has it now. */
export interface HeldState {
  readonly bytes: number;
  /** The last change of content, in UTC milliseconds. */
  readonly modifiedAt: number;
  /** A capture still writes it. */
  readonly isGrowing: boolean;
  /** SHA-256 of as many of its first bytes as were asked for, in hexadecimal. */
  readonly sha256: string;
}

const FOLDERS = { segment: "/segments/", log: "/logs/", recording: "/recordings/" } as const;

/** The path of a file in the address of a request: `/segments/r1.2` */
export function requestPath(file: HeldFile): string {
  const name = file.kind === "recording" ? file.path.split("/").map(encodeURIComponent).join("/") : file.id;
  return FOLDERS[file.kind] + name;
}

/** @returns `undefined` for anything that is no such path, or leads out of the folder */
export function fileAtPath(path: string): HeldFile | undefined {
  if (path.length > NODE_LIMITS.pathLength) return undefined;
  for (const kind of ["segment", "log"] as const) {
    if (!path.startsWith(FOLDERS[kind])) continue;
    const id = CaptureId.safeParse(path.slice(FOLDERS[kind].length));
    return id.success ? { kind, id: id.data } : undefined;
  }
  if (!path.startsWith(FOLDERS.recording)) return undefined;
  const parts = path.slice(FOLDERS.recording.length).split("/").map(decoded);
  const isInside = parts.every(
    (part) => part !== undefined && /^[^/\0]+$/.test(part) && !/^\.\.?$/.test(part),
  );
  return isInside ? { kind: "recording", path: parts.join("/") } : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
