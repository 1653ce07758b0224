import { PRIORITY_MAX } from "../model/priority.ts";
import type { RuleOfTimer } from "../model/rule.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import type { Timer } from "./records.ts";

/** The rule that ordered a timer. Values out of range are ignored: the timer is as good without them. */
export function ruleOfTimer({
  rule_id,
  keep_newest,
  priority,
  folder,
}: Pick<Timer, "rule_id" | "keep_newest" | "priority" | "folder">): RuleOfTimer | undefined {
  const id = within(rule_id, 1, Number.MAX_SAFE_INTEGER);
  if (id === undefined) return undefined;
  const fields = {
    keep: within(keep_newest, 1, GUIDE_WIRE_LIMITS.keepNewestMax),
    priority: within(priority, 0, PRIORITY_MAX),
    // Only its length is limited here: the names of files make it safe.
    folder: folder === "" || (folder?.length ?? 0) > GUIDE_WIRE_LIMITS.folderLength ? undefined : folder,
  };
  return { id, ...withoutUndefined(fields) };
}

function within(value: number | undefined, from: number, to: number): number | undefined {
  return value !== undefined && from <= value && value <= to ? value : undefined;
}
