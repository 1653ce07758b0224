import type { FoundRecorder } from "../../migration/found.ts";
import type { Fate, ImportPlan } from "../../migration/plan.ts";
import { plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";
import type { Outcome } from "./carry-out.ts";

/** Lines of one list; the JSON document has them all. */
const SHOWN = 40;

export interface ImportPicture {
  readonly found: FoundRecorder;
  readonly plan: ImportPlan;
}

/** The plan of an import for people: how much comes, and what cannot, with the reasons. */
export function planText({ found, plan }: ImportPicture, columns: number | undefined): string {
  const matched = plan.channels.filter(({ channel }) => channel !== undefined).length;
  const rows = (["recordings", "timers", "rules"] as const).map((kind) => {
    const all = plan[kind];
    const count = (is: Fate["is"]) => all.filter(({ fate }) => fate.is === is).length;
    const without = found.leftOut.filter((each) => `${each.kind}s` === kind).length;
    return [kind, String(count("new")), String(count("there")), String(count("cannot") + without)];
  });
  const channels = `channels: ${matched} of ${plan.channels.length} are in the guide`;
  return [
    tableText({ head: ["", "NEW", "THERE", "CANNOT COME"], rows }, columns),
    channels,
    ...section(["CANNOT COME", "NAME", "WHY"], cannotCome({ found, plan }), columns),
    ...section(["CHANGED", "NAME", "HOW"], changed(plan), columns),
    ...section(
      ["NOT READ", "WHY"],
      found.problems.map(({ file, line, what }) => [line === undefined ? file : `${file}:${line}`, what]),
      columns,
    ),
  ].join("\n");
}

/** Things that cannot come, by kind, with names and reasons. */
export function cannotCome({ found, plan }: ImportPicture): readonly (readonly string[])[] {
  return [
    ...plan.channels.flatMap(({ of, channel }) =>
      channel === undefined ? [["channel", of.name, "The guide has no such channel."]] : [],
    ),
    ...plan.timers.flatMap(({ of, fate }) => (fate.is === "cannot" ? [["timer", of.title, fate.why]] : [])),
    ...plan.rules.flatMap(({ of, fate }) =>
      fate.is === "cannot" ? [["rule", of.order.name, fate.why]] : [],
    ),
    ...found.leftOut.map(({ kind, name, why }) => [kind, name, why]),
  ];
}

function changed({ timers, rules }: ImportPlan): readonly (readonly string[])[] {
  return [
    ...timers.flatMap(({ of, fate, notes }) =>
      fate.is === "new" ? notes.map((note) => ["timer", of.title, note]) : [],
    ),
    ...rules.flatMap(({ of, fate, notes }) =>
      fate.is === "new" ? notes.map((note) => ["rule", of.order.name, note]) : [],
    ),
  ];
}

function section(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
): readonly string[] {
  if (rows.length === 0) return [];
  const more = rows.length - SHOWN;
  const rest = more > 0 ? [`… and ${more} more: --json names all`] : [];
  return ["", tableText({ head, rows: rows.slice(0, SHOWN) }, columns), ...rest];
}

/** Tells people what was done, and what to do next. */
export function outcomeText(
  { recordings, timers, rules, refused }: Outcome,
  { title, columns }: { readonly title: string; readonly columns: number | undefined },
): string {
  const rows = refused.map(({ kind, name, why }) => [kind, name, why]);
  const done = `imported: ${recordings} recordings, ${timers} timers, ${rules} rules`;
  return [
    done,
    ...section(["REFUSED", "NAME", "WHY"], rows, columns),
    "",
    plainLine(`Nothing of ${title} was changed. Next:`),
    "- Leave the recordings where they are: the library points to them.",
    "- See what the rules record: recorderd rules list, recorderd plan.",
    plainLine(
      `- Switch off the rules and timers of ${title} when this recorder records as you like: until then, both do.`,
    ),
    "- Import again at any time: what is there already stays as it is.",
  ].join("\n");
}
