import { BadLine, readLines, wholeNumber } from "../bad-line.ts";
import type { Collector } from "../collector.ts";
import { widerNote } from "../conditions.ts";
import type { FoundChannel, FoundRule } from "../found.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { minuteOf } from "../local-time.ts";
import { folderOf, titleOf } from "../names.ts";
import type { ChannelBook } from "./channel-book.ts";
import { type SearchedText, searchedText } from "./search-text.ts";

/*
 * Search timers of VDR's plugin epgsearch: epgsearch.conf (epgsearch.conf(5)), fields by colons. Kept: 1 id, 2 to 12 text, time,
 * channels and what is searched, 13 to 15 length, 16 active, 17 and 18 weekdays, 20 folder, 21 priority, 23 and 24 padding.
 *
 * Channel groups are in epgsearchchangrps.conf, searches whose results are excluded in epgsearchblacklists.conf.
 */

export interface SearchesContext {
  readonly file: string;
  readonly text: string;
  readonly channels: ChannelBook;
  /** The text of epgsearchchangrps.conf. */
  readonly groups: string;
  /** The text of epgsearchblacklists.conf. */
  readonly blacklists: string;
  readonly into: Collector;
}

type Order = FoundRule["order"];
type Part = Partial<Order>;

const FIELDS_MIN = 11;
/** The action of a search that makes timers. */
const RECORDS = "0";

export function readSearches(context: SearchesContext): void {
  const { into } = context;
  const groups = groupsIn(context.groups, context.channels);
  const excluded = blacklistsIn(context.blacklists);
  readLines(context, (line) => {
    const fields = ["", ...line.split(":")];
    if (fields.length <= FIELDS_MIN)
      throw new BadLine(
        `Expected at least ${FIELDS_MIN} fields with colons between, found ${fields.length - 1}.`,
      );
    const search = searchedText(fields);
    if ((fields[26] ?? RECORDS) !== RECORDS && fields[26] !== "") {
      into.leaveOut("rule", search.name, "epgsearch only announces its shows, or switches to them.");
    } else if ("cannot" in search) {
      into.leaveOut("rule", search.name, search.cannot);
    } else {
      into.rule(ruleOf(fields, { search, channels: channelsOf(fields, context.channels, groups), excluded }));
    }
  });
}

function ruleOf(
  fields: readonly string[],
  {
    search,
    channels,
    excluded,
  }: {
    readonly search: SearchedText;
    readonly channels: readonly FoundChannel[];
    readonly excluded: ReadonlyMap<string, string>;
  },
): FoundRule {
  const folder = folderOf(
    textIn(fields[20])
      .split("~")
      .filter((level) => !level.includes("%")),
  );
  const without = withoutOf(fields, excluded);
  const lacking = [...without.lacking, ...lackingIn(fields)];
  return {
    id: `search ${wholeNumber(fields[1], "the id of a search")}`,
    channels,
    order: {
      name: search.name,
      ...search.conditions,
      ...(without.words === undefined ? {} : { without: without.words }),
      ...(fields[16] === "0" || lacking.length > 0 ? { isPaused: true } : {}),
      ...betweenOf(fields),
      ...minutesOf(fields),
      ...weekdaysOf(fields),
      quality: "Prefer HD",
      ...numberField(fields[21], "priority", 100),
      ...numberField(fields[23], "beforeMinutes", MIGRATION_LIMITS.paddingMinutes),
      ...numberField(fields[24], "afterMinutes", MIGRATION_LIMITS.paddingMinutes),
      ...(folder === undefined ? {} : { folder }),
    },
    notes: [...lacking.map(widerNote), ...search.notes, ...lostIn(fields)],
  };
}

function betweenOf(fields: readonly string[]): Part {
  if (fields[3] !== "1") return {};
  const [from, until] = [minuteOf(fields[4] ?? ""), minuteOf(fields[5] ?? "")];
  if (from === undefined || until === undefined) throw new BadLine("Expected two times such as 2015.");
  return { between: { from, until } };
}

/** `0130` is an hour and a half, `0090` the same. */
function minutesOf(fields: readonly string[]): Part {
  if (fields[13] !== "1") return {};
  const [min, max] = [fields[14], fields[15]].map((digits = "") => {
    if (!/^\d{4}$/.test(digits)) throw new BadLine("Expected two lengths such as 0130.");
    return Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  }) as [number, number];
  return { ...(min > 0 ? { minMinutes: min } : {}), ...(max > 0 ? { maxMinutes: max } : {}) };
}

/** 0 is Sunday; a negative number has a bit for each day, the lowest one for Sunday. */
function weekdaysOf(fields: readonly string[]): Part {
  if (fields[17] !== "1") return {};
  const value = wholeNumber(fields[18], "a weekday");
  const days = Array.from({ length: 7 }, (_, day) => day).filter((day) =>
    value < 0 ? (-value & (1 << day)) !== 0 : day === value,
  );
  if (days.length === 0) throw new BadLine(`Expected a weekday from -127 to 6, found "${value}".`);
  if (days.length === 7) return {};
  return { weekdays: days.map((day) => (day === 0 ? 7 : day)).toSorted((a, b) => a - b) };
}

function numberField(
  text: string | undefined,
  key: "priority" | "beforeMinutes" | "afterMinutes",
  max: number,
): Part {
  if (text === undefined || text === "") return {};
  const value = wholeNumber(text, key);
  return { [key]: Math.min(Math.max(value, 0), max) };
}

function channelsOf(
  fields: readonly string[],
  channels: ChannelBook,
  groups: ReadonlyMap<string, readonly FoundChannel[]>,
): readonly FoundChannel[] {
  const value = fields[7] ?? "";
  if (fields[6] === "1") {
    const [first = "", last = first] = value.split("|");
    const range = channels.range(first, last);
    return range.length > 0 ? range : [channels.byId(first)];
  }
  if (fields[6] !== "2") return [];
  const group = groups.get(value);
  if (group === undefined)
    throw new BadLine(`epgsearchchangrps.conf has no channel group "${value.slice(0, 40)}".`);
  return group;
}

function groupsIn(text: string, channels: ChannelBook): ReadonlyMap<string, readonly FoundChannel[]> {
  const lines = text.split(/\r?\n/).map((line) => line.split("|"));
  return new Map(
    lines.map(([name = "", ...ids]) => [name, ids.filter((id) => id !== "").map((id) => channels.byId(id))]),
  );
}

/** The text of each excluded search by its id. */
function blacklistsIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).map((line) => line.split(":"));
  return new Map(lines.map(([id = "", term = ""]) => [id, textIn(term)]));
}

/** A rule excludes words, those in quotation marks together: a search for words is the same. */
function withoutOf(
  fields: readonly string[],
  excluded: ReadonlyMap<string, string>,
): { readonly words?: string; readonly lacking: readonly string[] } {
  const mode = fields[40] ?? "0";
  if (mode !== "1" && mode !== "2") return { lacking: [] };
  const ids = mode === "2" ? [...excluded.keys()] : (fields[41] ?? "").split("|");
  const terms = ids
    .map((id) => excluded.get(id))
    .filter((term) => term !== undefined && term !== "") as string[];
  const plain = terms.filter((term) => /^[\p{L}\p{N}]+(?: [\p{L}\p{N}]+)*$/u.test(term));
  const words = titleOf(plain.map((term) => (term.includes(" ") ? `"${term}"` : term)).join(" "));
  return {
    ...(words === undefined ? {} : { words }),
    lacking: terms
      .filter((term) => !plain.includes(term))
      .map((term) => `the blacklist "${titleOf(term)?.slice(0, 40)}", which has more than words`),
  };
}

/** Conditions that have no counterpart. */
function lackingIn(fields: readonly string[]): readonly string[] {
  return [
    ...(fields[6] === "3" ? ["the limit to free channels"] : []),
    ...(fields[16] === "2" ? ["a first and last day"] : []),
    ...(fields[27] === "1" ? ["categories of epgsearch"] : []),
  ];
}

/** Differences to the search at epgsearch. */
function lostIn(fields: readonly string[]): readonly string[] {
  const isMore = (at: number) => Number(fields[at] ?? 0) > 0;
  return [
    ...(fields[8] === "1" ? ["It does not distinguish capital letters."] : []),
    ...(fields[25] === "1" ? ["It does not use VPS."] : []),
    ...(fields[29] === "1" && !isMore(30) ? [] : ["It records each episode once."]),
    ...(isMore(36) ? [`Recordings are not deleted after ${fields[36]} days.`] : []),
    ...(isMore(39) ? [`It does not pause after ${fields[39]} recordings.`] : []),
    ...(isMore(45) ? ["It does not end by itself."] : []),
  ];
}

/** `|` stands for a colon, `!^pipe^!` for itself. */
function textIn(text = ""): string {
  return text.replaceAll("|", ":").replaceAll("!^pipe^!", "|");
}
