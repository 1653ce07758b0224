import type { Picture } from "../../api/daemon-api.ts";

/** The first bytes of each type. SVG is missing on purpose: it can hold scripts. */
const TYPES: Readonly<Record<string, (head: string) => boolean>> = {
  "image/png": (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  "image/jpeg": (head) => head.startsWith("\xff\xd8\xff"),
  "image/webp": (head) => head.startsWith("RIFF") && head.startsWith("WEBP", 8),
  "image/gif": (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a"),
};

/** A picture by its content, whatever its sender calls it; `undefined` if it is none. */
export function pictureOf(bytes: Buffer): Picture | undefined {
  const head = bytes.subarray(0, 16).toString("latin1");
  const found = Object.entries(TYPES).find(([, fits]) => fits(head));
  return found && { type: found[0], bytes };
}
