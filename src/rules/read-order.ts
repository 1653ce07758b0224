import { isOneLine } from "../model/one-line.ts";
import { type PartOfDay, QUALITIES, type RuleOrder } from "../model/rule.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { compileExpression } from "./expression.ts";
import { wordsOf } from "./fold.ts";
import { folderProblem } from "./folder.ts";
import { RULE_LIMITS } from "./limits.ts";

/** A mistake in an order. */
export interface RuleMistake {
  readonly field: keyof RuleOrder;
  /** A sentence for people. */
  readonly problem: string;
}

/** The fields of an order with values of any kind, as an interface read them. */
type Fields = { readonly [F in keyof RuleOrder]?: unknown };

/** Checks an order. Texts are trimmed, and lists have each entry once. All mistakes are found. */
export function readRuleOrder(fields: Fields): RuleOrder | { readonly mistakes: readonly RuleMistake[] } {
  const mistakes: RuleMistake[] = [];
  const read = <F extends keyof RuleOrder, T>(field: F, check: Check<T>): T | undefined => {
    const value = fields[field];
    if (value === undefined || value === null) return undefined;
    const outcome = check(value);
    if ("value" in outcome) return outcome.value;
    mistakes.push({ field, problem: outcome.problem });
    return undefined;
  };
  const order = withoutUndefined({
    name: read("name", text("A name")),
    isPaused: read("isPaused", mark("The mark of a pause")),
    words: read("words", words),
    expression: read("expression", expression),
    seriesId: read("seriesId", text("The id of a series")),
    genres: read("genres", genres),
    within: read("within", within),
    without: read("without", words),
    channelIds: read("channelIds", numbers("A channel", 1, Number.MAX_SAFE_INTEGER)),
    weekdays: read("weekdays", numbers("A weekday", 1, 7)),
    between: read("between", partOfDay),
    minMinutes: read("minMinutes", whole("The shortest length", 1, RULE_LIMITS.showMinutes)),
    maxMinutes: read("maxMinutes", whole("The longest length", 1, RULE_LIMITS.showMinutes)),
    newOnly: read("newOnly", mark("The mark of new episodes")),
    airing: read("airing", airing),
    quality: read("quality", quality),
    keep: read("keep", whole("The number of recordings to keep", 1, RULE_LIMITS.keep)),
    priority: read("priority", whole("The priority", 0, 100)),
    beforeMinutes: read("beforeMinutes", whole("The padding before", 0, RULE_LIMITS.paddingMinutes)),
    afterMinutes: read("afterMinutes", whole("The padding after", 0, RULE_LIMITS.paddingMinutes)),
    folder: read("folder", folder),
  });
  mistakes.push(...togetherWrong(fields, order));
  return mistakes.length > 0 ? { mistakes } : ({ quality: "Prefer HD", ...order } as RuleOrder);
}

/** Mistakes that no field has alone. */
function togetherWrong(fields: Fields, order: Partial<RuleOrder>): readonly RuleMistake[] {
  const isMissing = (field: keyof RuleOrder) => fields[field] === undefined || fields[field] === null;
  const isOpen = (["words", "expression", "seriesId", "genres"] as const).every(isMissing);
  const { minMinutes = 0, maxMinutes = Number.POSITIVE_INFINITY } = order;
  return [
    ...(isMissing("name") ? [{ field: "name", problem: "A rule needs a name." } as const] : []),
    ...(isOpen
      ? [{ field: "words", problem: "A rule needs words, an expression, a series or a genre." } as const]
      : []),
    ...(minMinutes > maxMinutes
      ? [{ field: "maxMinutes", problem: "The longest length is less than the shortest." } as const]
      : []),
  ];
}

type Checked<T> = { readonly value: T } | { readonly problem: string };
type Check<T> = (value: unknown) => Checked<T>;

const text =
  (what: string): Check<string> =>
  (value) => {
    const { textLength } = RULE_LIMITS;
    const trimmed = typeof value === "string" ? value.trim() : "";
    return trimmed === "" || trimmed.length > textLength || !isOneLine(trimmed)
      ? { problem: `${what} is a text on one line, of 1 to ${textLength} characters.` }
      : { value: trimmed };
  };

const words: Check<string> = (value) => {
  const read = text("A search")(value);
  if ("problem" in read || wordsOf(read.value).length > 0) return read;
  return { problem: "A search needs a word: only letters and digits count." };
};

const expression: Check<string> = (value) => {
  const read = text("An expression")(value);
  if ("problem" in read) return read;
  const compiled = compileExpression(read.value);
  return "problem" in compiled ? { problem: `The expression ${compiled.problem}.` } : read;
};

const folder: Check<string> = (value) => {
  const read = text("A folder")(value);
  if ("problem" in read) return read;
  const problem = folderProblem(read.value);
  return problem === undefined ? read : { problem: `The folder ${problem}.` };
};

const genres: Check<readonly string[]> = (value) => {
  const entries = Array.isArray(value) ? value.map(text("A genre")) : [];
  const read = entries.flatMap((entry) => ("value" in entry ? [entry.value] : []));
  return read.length === 0 || read.length !== entries.length || read.length > RULE_LIMITS.entries
    ? { problem: `Genres are a list of names, 1 to ${RULE_LIMITS.entries}.` }
    : read.some((name) => name.includes(","))
      ? { problem: "The name of a genre has no comma." }
      : { value: [...new Set(read)] };
};

function whole(what: string, from: number, to: number): Check<number> {
  return (value) =>
    isWhole(value, from, to) ? { value } : { problem: `${what} is a whole number from ${from} to ${to}.` };
}

function numbers(what: string, from: number, to: number): Check<readonly number[]> {
  return (value) => {
    const { entries } = RULE_LIMITS;
    const isList = Array.isArray(value) && value.length > 0 && value.length <= entries;
    if (!isList || !value.every((each) => isWhole(each, from, to))) {
      const range =
        to === Number.MAX_SAFE_INTEGER ? "a whole number" : `a whole number from ${from} to ${to}`;
      return { problem: `${what} is ${range}; there may be 1 to ${entries}.` };
    }
    return { value: [...new Set(value as readonly number[])].sort((a, b) => a - b) };
  };
}

function isWhole(value: unknown, from: number, to: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= from && value <= to;
}

const LAST_MINUTE = 24 * 60 - 1;

const partOfDay: Check<PartOfDay> = (value) => {
  const { from, until } = (typeof value === "object" ? value : {}) as Partial<PartOfDay>;
  return isWhole(from, 0, LAST_MINUTE) && isWhole(until, 0, LAST_MINUTE)
    ? { value: { from, until } }
    : { problem: `A time is a minute of the day, 0 to ${LAST_MINUTE}.` };
};

function oneOf<T>(values: readonly T[], problem: string): Check<T> {
  return (value) => {
    const found = values.find((each) => each === value);
    return found === undefined ? { problem } : { value: found };
  };
}

const mark = (what: string) => oneOf([true] as const, `${what} is true or absent.`);
const within = oneOf(["all"] as const, "The place of the words is all, or title.");
const airing = oneOf(["first"] as const, "The airing is first, or any.");
const quality = oneOf(QUALITIES, `The quality is one of ${QUALITIES.join(", ")}.`);
