import type { LibraryEntry } from "../../model/library.ts";
import { say } from "../state/language.ts";
import { sizeText } from "../words.ts";

/** The fault of a recording's file in a few words; `undefined` if there is none. */
export function fileTroubleText({
  goneSince,
  flaw,
  bytes,
}: Pick<LibraryEntry, "goneSince" | "flaw" | "bytes">): string | undefined {
  if (goneSince !== undefined) return say("recordings-file-missing");
  if (flaw === undefined) return undefined;
  return flaw.kind === "truncated"
    ? say("recordings-file-truncated", { now: sizeText(flaw.bytes ?? 0), was: sizeText(bytes) })
    : say(`recordings-file-${flaw.kind}`);
}
