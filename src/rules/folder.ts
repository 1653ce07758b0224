import { isReservedName } from "../kit/files/reserved-name.ts";
import { RULE_LIMITS } from "./limits.ts";

/** Characters that a disk refuses, that nobody sees, or that separate levels elsewhere. */
const REFUSED = /[\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Why a folder cannot be used: the rest of a sentence that begins with it; `undefined` for a usable one. */
export function folderProblem(folder: string): string | undefined {
  const { folderLevels, folderPartBytes } = RULE_LIMITS;
  if (folder.startsWith("/")) return "begins with /: it is always below the folder of recordings";
  const parts = folder.split("/");
  if (parts.length > folderLevels) return `has more than ${folderLevels} levels`;
  for (const part of parts) {
    if (part === "") return "has a level without a name";
    if (/^[. ]|[. ]$/.test(part)) return "has a level that begins or ends with a dot or a space";
    if (REFUSED.test(part)) return 'has a character that disks refuse, such as \\ : * ? " < > |';
    if (isReservedName(part)) return `has a level with a reserved name, ${part}`;
    if (Buffer.byteLength(part) > folderPartBytes)
      return `has a level with more than ${folderPartBytes} bytes`;
  }
  return undefined;
}
