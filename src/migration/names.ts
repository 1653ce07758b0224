import { isReservedName } from "../kit/files/reserved-name.ts";
import { withinWire } from "../model/wire-text.ts";
import { MIGRATION_LIMITS } from "./limits.ts";

/** The text on one line; `undefined` if there is none. The collector cuts it. */
export function titleOf(text: string | undefined): string | undefined {
  return (
    withoutCodes(text)
      ?.replace(/[\p{Cc}\s]+/gu, " ")
      .trim() || undefined
  );
}

/** A text of several lines; `undefined` if there is none. The collector cuts it. */
export function descriptionOf(text: string | undefined): string | undefined {
  return withoutCodes(text)?.trim() || undefined;
}

/** Recorders keep the control codes of EN 300 468 annex A: a line break, and others that show nothing. */
function withoutCodes(text: string | undefined): string | undefined {
  return text?.replaceAll(/[\u008a\ue08a]/g, "\n").replaceAll(/[^\P{Cc}\n\t]|[\ue080-\ue09f]/gu, "");
}

/** The name of a rule, which is shorter than that of a recording. */
export function ruleName(text: string | undefined): string | undefined {
  const title = titleOf(text);
  return title === undefined ? undefined : withinWire(title, MIGRATION_LIMITS.ruleNameLength);
}

/** The folder of a rule from the names of its levels; `undefined` if none is left. What disks refuse becomes `-`. */
export function folderOf(levels: readonly string[]): string | undefined {
  const names = levels.map((level) => {
    const name = level
      .slice(0, MIGRATION_LIMITS.folderNameLength)
      .replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "-")
      .replaceAll(/^[.\s]+|[.\s]+$/g, "");
    return isReservedName(name) ? `-${name}` : name;
  });
  const kept = names.filter((name) => name !== "").slice(0, MIGRATION_LIMITS.folderLevels);
  return kept.length === 0 ? undefined : kept.join("/");
}
