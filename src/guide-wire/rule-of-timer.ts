import { PRIORITY_MAX } from "../model/priority.ts";
import type { RuleOfTimer } from "../model/rule.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";

/**
 * The rule that ordered a timer, from our extension of the protocol. Bad values are ignored: the timer is as good
 * without them.
 */
export function ruleOfTimer(timer: Readonly<Record<string, unknown>>): RuleOfTimer | undefined {
  const id = wholeNumber(timer["rule_id"], { from: 1, to: Number.MAX_SAFE_INTEGER });
  if (id === undefined) return undefined;
  const keep = wholeNumber(timer["keep_newest"], { from: 1, to: GUIDE_WIRE_LIMITS.keepNewestMax });
  const priority = wholeNumber(timer["priority"], { from: 0, to: PRIORITY_MAX });
  return { id, ...withoutUndefined({ keep, priority, folder: folderOf(timer["folder"]) }) };
}

function wholeNumber(
  raw: unknown,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const isNumeral = typeof raw === "string" && /^\s*\d{1,16}\s*$/.test(raw);
  if (typeof raw !== "number" && !isNumeral) return undefined;
  const value = Number(raw);
  return Number.isInteger(value) && from <= value && value <= to ? value : undefined;
}

/** Only its length is limited here: the names of files make it safe. */
function folderOf(raw: unknown): string | undefined {
  const isUsable = typeof raw === "string" && raw !== "" && raw.length <= GUIDE_WIRE_LIMITS.folderLength;
  return isUsable ? raw : undefined;
}
