import type { EpochMs } from "../../model/time.ts";
import { dateOf, offsetOf, stampOf, timeOf } from "./name-time.ts";
import { bytesOf, cut, safePart, unreserved } from "./safe-name.ts";

/** The facts that a file name can contain. Missing ones leave their place in the template empty. */
export interface NameFacts {
  readonly title: string;
  readonly subtitle?: string;
  readonly season?: number;
  readonly episode?: number;
  readonly channel: string;
  /** Start of the event. */
  readonly start: EpochMs;
  readonly recordingId: string;
  readonly timerId: string;
  readonly showId?: string;
  readonly seriesId?: string;
  /** Folder below the one of recordings, its levels separated by `/`; the service may have sent it. */
  readonly folder?: string;
}

const FIELDS = {
  title: ({ title }) => title,
  subtitle: ({ subtitle }) => subtitle,
  season: ({ season }) => twoDigits(season),
  episode: ({ episode }) => twoDigits(episode),
  channel: ({ channel }) => channel,
  start: ({ start }, zone) => stampOf(start, zone),
  date: ({ start }, zone) => dateOf(start, zone),
  year: ({ start }, zone) => dateOf(start, zone).slice(0, 4),
  month: ({ start }, zone) => dateOf(start, zone).slice(5, 7),
  day: ({ start }, zone) => dateOf(start, zone).slice(8, 10),
  time: ({ start }, zone) => timeOf(start, zone),
  offset: ({ start }, zone) => offsetOf(start, zone),
  recordingId: ({ recordingId }) => recordingId,
  timerId: ({ timerId }) => timerId,
  showId: ({ showId }) => showId,
  seriesId: ({ seriesId }) => seriesId,
} satisfies Record<string, (facts: NameFacts, timeZone: string) => string | undefined>;

type Field = keyof typeof FIELDS;

type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly field: Field }
  /** Omitted entirely if one of its fields is empty. */
  | { readonly kind: "option"; readonly parts: readonly TemplatePart[] };

/** Folders and the file's name without its ending, each as parts. */
export interface NameTemplate {
  readonly levels: readonly (readonly TemplatePart[])[];
  readonly timeZone: string;
}

/** Nested folders, including the file. */
const LEVELS_MAX = 8;
/** Nested folders of a rule. */
const RULE_LEVELS_MAX = 8;

/**
 * Parses `{series}/{title}[ - {subtitle}] - {start}`: fields in braces, optional parts in brackets, folders before a slash.
 *
 * @throws Error with a message for the author of the template
 */
export function parseNameTemplate(template: string, timeZone: string): NameTemplate {
  const texts = template.split("/");
  if (texts.length > LEVELS_MAX) throw new Error(`expected at most ${LEVELS_MAX - 1} folders`);
  const levels = texts.map(partsOf);
  if (levels.some((parts) => parts.length === 0)) throw new Error('expected no empty name between two "/"');
  return { levels, timeZone };
}

function partsOf(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (let at = 0; at < text.length; ) {
    const [all = "", option, plain] =
      /^(?:\[([^[\]]*)\]|((?:[^[\]{}]|\{[^[\]{}]*\})+))/.exec(text.slice(at)) ?? [];
    if (all === "") throw new Error(`expected pairs of brackets and braces, which end before a "/": ${text}`);
    at += all.length;
    if (option === undefined) parts.push(...plainParts(plain ?? ""));
    else parts.push(optionOf(option));
  }
  return parts;
}

function optionOf(text: string): TemplatePart {
  const parts = plainParts(text);
  if (parts.some(({ kind }) => kind === "field")) return { kind: "option", parts };
  throw new Error(`expected a field within brackets, as in [ - {subtitle}]: [${text}]`);
}

function plainParts(text: string): readonly TemplatePart[] {
  return [...text.matchAll(/\{([^{}]*)\}|[^{}]+/g)].map(([all, name]): TemplatePart => {
    if (name === undefined) return { kind: "text", text: all };
    if (isField(name)) return { kind: "field", field: name };
    throw new Error(`expected one of ${Object.keys(FIELDS).join(", ")} in braces, not ${name}`);
  });
}

function isField(name: string): name is Field {
  return Object.hasOwn(FIELDS, name);
}

/** File systems allow 255 bytes; the rest is room for a number (` (1000)`) and for the endings of sidecars (`-thumb.jpg`, `.chapters.txt`). */
export const NAME_BYTES_MAX = 255 - 7 - 16;

/** Fields to shorten, in this order, if a name is too long: the parts that distinguish recordings stay. */
const LONG: readonly Field[] = ["subtitle", "title", "channel"];
const CUT_FIELD_BYTES_MIN = 24;

const NAMELESS = "Recording";

/**
 * The rule's folder, then folders and file name of the template, without its ending: each one safe (`safePart`), at most `NAME_BYTES_MAX` bytes, and not empty. No fact can
 * lead out of the recordings folder.
 */
export function nameOf(template: NameTemplate, facts: NameFacts): readonly [string, ...string[]] {
  const names = levelNames(template, facts);
  const file = names.at(-1) ?? "";
  const [first, ...others] = [
    ...ruleFolder(facts),
    ...names.slice(0, -1).filter((name) => name !== ""),
    file === "" ? NAMELESS : file,
  ];
  return [first ?? NAMELESS, ...others];
}

/**
 * Its levels, each one safe. A folder that could lead elsewhere (absolute, or with an empty level, `.` or `..`), or with too many
 * levels, is ignored entirely.
 */
function ruleFolder({ folder }: NameFacts): readonly string[] {
  if (folder === undefined) return [];
  const levels = folder.split("/").map((level) => unreserved(safePart(cut(safePart(level), NAME_BYTES_MAX))));
  return levels.length > RULE_LEVELS_MAX || levels.includes("") ? [] : levels;
}

/** The folders down to the one that is named after the title alone; `undefined` if the template has none. */
export function showFolderOf(template: NameTemplate, facts: NameFacts): readonly string[] | undefined {
  const depth = template.levels
    .slice(0, -1)
    .findIndex(
      ([part, ...others]) => part?.kind === "field" && part.field === "title" && others.length === 0,
    );
  const names = levelNames(template, facts).slice(0, depth + 1);
  return depth === -1 || names.at(-1) === ""
    ? undefined
    : [...ruleFolder(facts), ...names.filter((name) => name !== "")];
}

function levelNames({ levels, timeZone }: NameTemplate, facts: NameFacts): readonly string[] {
  const values = new Map(
    Object.entries(FIELDS).map(([field, read]) => [field, safePart(read(facts, timeZone) ?? "")]),
  );
  return levels.map((parts) => levelOf(parts, values));
}

/** A fallback name for file systems that refuse the template's name. */
export function plainName({ start }: Pick<NameFacts, "start">): string {
  return `${NAMELESS} - ${stampOf(start, "UTC")}`;
}

function levelOf(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): string {
  const fitting = new Map(values);
  for (const field of LONG) {
    const excess = bytesOf(written(parts, fitting)) - NAME_BYTES_MAX;
    const value = fitting.get(field) ?? "";
    if (excess > 0) fitting.set(field, cut(value, Math.max(CUT_FIELD_BYTES_MIN, bytesOf(value) - excess)));
  }
  return safePart(cut(written(parts, fitting), NAME_BYTES_MAX));
}

function written(parts: readonly TemplatePart[], values: ReadonlyMap<string, string>): string {
  return unreserved(safePart(parts.map((part) => partText(part, values)).join("")));
}

function partText(part: TemplatePart, values: ReadonlyMap<string, string>): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "field":
      return values.get(part.field) ?? "";
    case "option":
      return part.parts.some((each) => each.kind === "field" && partText(each, values) === "")
        ? ""
        : part.parts.map((each) => partText(each, values)).join("");
  }
}

function twoDigits(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number).padStart(2, "0");
}
