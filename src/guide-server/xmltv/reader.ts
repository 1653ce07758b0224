import { webAddress } from "../../guide-wire/web-address.ts";
import type { XmlRepairKind } from "../../kit/xml/xml-repair.ts";
import { createXmlStream, XmlFlaw } from "../../kit/xml/xml-stream.ts";
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { withinWire } from "../../model/wire-text.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { DtdCheck } from "./dtd.ts";
import { type Element, excerpt, inLowerCase, textsOf } from "./element.ts";
import { namingForeign } from "./foreign-document.ts";
import { type EpisodeNumber, isXmltvNumber } from "./identity.ts";
import { parseXmltvTime, startAfter, stopAfter, type TimeRules } from "./times.ts";

export interface ListedChannel {
  readonly id: string;
  readonly names: readonly string[];
  /** Logical channel numbers: names that are numbers, and `lcn`, which some listings have. */
  readonly lcns: readonly string[];
  readonly icon?: string;
}

/** One broadcast of the listing. */
export interface ListedProgramme {
  readonly channelId: string;
  readonly start: EpochMs;
  /** Absent: until the channel's next programme. */
  readonly stop?: EpochMs;
  /** How long it lasts, where no stop says so. */
  readonly lengthMs?: DurationMs;
  readonly title: string;
  readonly subtitle: string;
  readonly desc: string;
  readonly categories: readonly string[];
  readonly numbers: readonly EpisodeNumber[];
  /** The year, if given. */
  readonly year: string;
  readonly rating: string;
  /** The listing calls it a repeat. */
  readonly isRepeat?: true;
  /** Line in the listing, if it comes from one. */
  readonly line?: number;
}

/** The subjects of complaints. The first ones are repaired in the text before parsing. */
export type ComplaintKind =
  | XmlRepairKind
  | "element"
  | "content"
  | "channel"
  | "time"
  | "zone"
  | "stop"
  | "overlap"
  | "duplicate"
  | "title"
  | "number";

/** A violation of XMLTV or an ambiguity in a listing. */
export interface Complaint {
  readonly kind: ComplaintKind;
  /** Counts from 1; 0 for an unknown line. */
  readonly line: number;
  readonly reason: string;
  /** XMLTV allows it, but the meaning may differ from the one that was assumed. */
  readonly isGuess?: true;
  /** Whether a channel or a programme was left out because of it. */
  readonly leftOut: boolean;
}

export interface ListingSink {
  /** Replaces an earlier channel with the same id, which was derived from programmes alone. */
  readonly channel: (channel: ListedChannel) => void;
  readonly programme: (programme: ListedProgramme) => void;
  readonly complain: (complaint: Complaint) => void;
}

export interface XmltvReader {
  /** @throws XmlFlaw if the document is not well-formed or not XMLTV: discard everything read from it */
  write(bytes: Uint8Array): void;
  /** @throws XmlFlaw if the document is torn */
  end(): void;
}

const LIMITS = { depth: 16, tokenBytes: 1024 * 1024 } as const;
/** Limits for one channel or programme, attributes included: a larger one means that the document is no listing. */
const ELEMENTS_MAX = 5000;
const CHARACTERS_MAX = LIMITS.tokenBytes;
const CHANNELS_MAX = 20_000;
export const TITLE_LENGTH = 300;
export const DESC_LENGTH = 4000;
/** Limit of an id; longer episode numbers are cut to it. */
const ID_LENGTH = 200;
const LIST_LENGTH = 20;

/**
 * Reads a listing as a stream and passes each entry to the sink at once, so that memory holds one programme. Repairs
 * and reports flaws where possible.
 */
export function createXmltvReader(sink: ListingSink, times: TimeRules): XmltvReader {
  const known = new Map<string, Declared>();
  const taking = {
    sink,
    known,
    spellings: new Map<string, string>(),
    meant: new Map<string, string>(),
    latest: new Map<string, Window>(),
    times,
  };
  const check = new DtdCheck((line, reason) =>
    sink.complain({ kind: "element", line, reason, leftOut: false }),
  );
  const path: Element[] = [];
  let hasBegun = false;
  let elements = 0;
  let characters = 0;
  const hold = (length: number, line: number) => {
    characters += length;
    if (characters > CHARACTERS_MAX) throw new XmlFlaw(line, `more than ${CHARACTERS_MAX} characters in one`);
  };
  const stream = createXmlStream(
    {
      open: (written, said, line) => {
        const name = written.replace(PREFIX, "").toLowerCase();
        const attributes = inLowerCase(said);
        if (path.length === 0 && name !== "tv")
          throw new XmlFlaw(line, `the document is <${name}>, not <tv>`);
        hasBegun = true;
        check.open(name, attributes, line);
        if (path.length < 2) [elements, characters] = [0, 0];
        elements += 1;
        if (elements > ELEMENTS_MAX) throw new XmlFlaw(line, `more than ${ELEMENTS_MAX} elements in one`);
        for (const value of Object.values(attributes)) hold(value.length, line);
        const element: Element = { name, attributes, line, children: [], text: "" };
        if (path.length > 1) path.at(-1)?.children.push(element);
        path.push(element);
      },
      text: (text, line) => {
        check.text(text, line);
        const element = path.at(-1);
        if (element === undefined || path.length < 2) return;
        hold(text.length, line);
        element.text += text;
      },
      close: () => {
        check.close();
        const element = path.pop();
        const parent = path.at(-1);
        if (element === undefined) return;
        // Markup within a text, such as italics, belongs to the enclosing element.
        if (parent !== undefined && TEXTS.has(path[2]?.name ?? "")) {
          parent.text += element.name === "br" ? " " : element.text;
        }
        if (path.length !== 1) return;
        if (element.name === "channel") readChannel(element, taking);
        else if (element.name === "programme") readProgramme(element, taking);
      },
    },
    LIMITS,
    { onRepair: (repair) => sink.complain({ ...repair, leftOut: false }), nesting: NESTING },
  );
  return namingForeign(stream, () => hasBegun);
}

/** A prefix of a namespace: XMLTV has none, and some listings declare one. */
const PREFIX = /^[\w.-]+:(?=.)/;

/** Elements read as plain text. */
const TEXTS = new Set(["title", "sub-title", "desc", "category", "display-name"]);
const NESTING = {
  texts: TEXTS,
  empty: new Set(["icon", "new", "previously-shown"]),
  entries: new Set(["channel", "programme"]),
};

/** Whether the listing declares the channel or only its programmes name it. */
type Declared = "by itself" | "by programmes";

interface ReadContext {
  readonly sink: ListingSink;
  readonly known: Map<string, Declared>;
  /** Declared channels by `spelling`; empty where several share one. */
  readonly spellings: Map<string, string>;
  /** Ids that programmes spell otherwise, and the declared ones. */
  readonly meant: Map<string, string>;
  /** The latest programme of each channel. */
  readonly latest: Map<string, Window>;
  readonly times: TimeRules;
}

/** People and programs change the case of ids, and the form of accents. */
function spelling(id: string): string {
  return id.normalize("NFC").toLowerCase().replace(/\s+/g, " ");
}

function readChannel(element: Element, { sink, known, spellings }: ReadContext): void {
  const { line } = element;
  const leftOut = (reason: string) => sink.complain({ kind: "channel", line, reason, leftOut: true });
  const id = element.attributes["id"]?.trim() ?? "";
  if (id === "") return leftOut("a channel without an id");
  if (id.length > ID_LENGTH) return leftOut(`the id ${excerpt(id)} has more than ${ID_LENGTH} characters`);
  if (known.get(id) === "by itself") return leftOut(`the channel ${excerpt(id)} is listed twice`);
  if (known.size >= CHANNELS_MAX) return leftOut(`more than ${CHANNELS_MAX} channels`);
  known.set(id, "by itself");
  spellings.set(spelling(id), spellings.has(spelling(id)) ? "" : id);
  const texts = textsOf(element, "display-name");
  const isNumber = (text: string) => /^\d{1,5}$/.test(text);
  const words = texts.filter((text) => !/^\d{1,5}(?:[.-]\d{1,4})?$/.test(text));
  const src = element.children.find(({ name }) => name === "icon")?.attributes["src"]?.trim() ?? "";
  const icon = webAddress(src);
  if (icon === undefined && src !== "") {
    const reason = `the icon ${excerpt(src)} is not an address that begins with http:// or https://`;
    sink.complain({ kind: "channel", line, reason, leftOut: false, isGuess: true });
  }
  sink.channel({
    id,
    // A number of ATSC, such as 2.1, is a name only where there is no other.
    names: (words.length > 0 ? words : texts.filter((text) => !isNumber(text)))
      .slice(0, LIST_LENGTH)
      .map((text) => withinWire(text, TITLE_LENGTH)),
    lcns: [...new Set([...textsOf(element, "lcn"), ...texts].filter(isNumber))].slice(0, LIST_LENGTH),
    ...withoutUndefined({ icon }),
  });
}

/** The attributes with the times, by XMLTV and as other programs name them. */
const STARTS = ["start", "start-time", "start_time", "starttime", "begin"];
const STOPS = [
  "stop",
  "end",
  "stop-time",
  "end-time",
  "stop_time",
  "end_time",
  "stoptime",
  "endtime",
  "finish",
];

function firstOf(attributes: Element["attributes"], names: readonly string[]): string | undefined {
  const name = names.find((each) => Object.hasOwn(attributes, each));
  return name === undefined ? undefined : attributes[name];
}

function readProgramme(element: Element, taking: ReadContext): void {
  const { sink, times, latest } = taking;
  const { line, attributes } = element;
  const leftOut = (kind: ComplaintKind, reason: string) =>
    sink.complain({ kind, line, reason, leftOut: true });
  const guessed = (kind: ComplaintKind, reason: string) =>
    sink.complain({ kind, line, reason, leftOut: false, isGuess: true });
  const written = attributes["channel"]?.trim() ?? "";
  if (written === "") return leftOut("channel", "a programme without a channel");
  const startText = firstOf(attributes, STARTS);
  const start = parseXmltvTime(startText ?? "", times);
  if (start === undefined) return leftOut("time", `the start ${excerpt(startText)} is not an XMLTV time`);
  const [subtitle = ""] = textsOf(element, "sub-title");
  const [title] = textsOf(element, "title");
  if (title === undefined && subtitle === "") return leftOut("title", "a programme without a title");
  const channelId = channelOf(written, { ...taking, line });
  if (channelId === undefined) return;
  const startAt = startAfter(start, latest.get(channelId));
  const stopText = firstOf(attributes, STOPS);
  const stop = stopText === undefined ? undefined : parseXmltvTime(stopText, times);
  const stopAt = stop === undefined ? startAt : stopAfter(stop, startAt);
  latest.set(channelId, { start: startAt, stop: stopAt });
  const isUsable = stopAt > startAt;
  if (stopText === undefined) guessed("stop", "it has no stop: it lasts until the next one begins");
  else if (!isUsable) {
    const what =
      stop === undefined ? `the stop ${excerpt(stopText)} is not an XMLTV time` : "it stops before it starts";
    sink.complain({
      kind: "stop",
      line,
      reason: `${what}: it lasts until the next one begins`,
      leftOut: false,
    });
  }
  if (title === undefined) guessed("title", "it has no title: its sub-title is taken");
  if (start.isLocal && !times.isForAll) guessed("zone", `its time names no zone: read as ${times.zone}`);
  if (start.zoneName !== undefined)
    guessed("zone", `its time names a zone that is not unique, ${start.zoneName}`);
  const numbers = element.children
    .filter(({ name }) => name === "episode-num")
    .map(({ attributes: { system = "onscreen" }, text }) => ({
      system: system.slice(0, ID_LENGTH),
      value: text.trim().slice(0, ID_LENGTH),
    }));
  for (const { system, value } of numbers) {
    if (system !== "xmltv_ns" || isXmltvNumber(value)) continue;
    const reason = `${excerpt(value)} is not an xmltv_ns number`;
    sink.complain({ kind: "number", line, reason, leftOut: false });
  }
  const rating = element.children.find(({ name }) => name === "rating");
  sink.programme({
    channelId,
    start: startAt,
    ...(isUsable ? { stop: stopAt } : withoutUndefined({ lengthMs: lengthOf(element) })),
    line,
    title: withinWire(title ?? subtitle, TITLE_LENGTH),
    subtitle: title === undefined ? "" : withinWire(subtitle, TITLE_LENGTH),
    desc: withinWire(textsOf(element, "desc")[0] ?? "", DESC_LENGTH),
    categories: textsOf(element, "category")
      .slice(0, LIST_LENGTH)
      .map((text) => withinWire(text, TITLE_LENGTH)),
    numbers: numbers.slice(0, LIST_LENGTH),
    year: /^\d{4}/.exec(textsOf(element, "date")[0] ?? "")?.[0] ?? "",
    rating: rating === undefined ? "" : (textsOf(rating, "value")[0] ?? "").slice(0, LIST_LENGTH),
    ...(isRepeat(element) ? { isRepeat: true } : {}),
  });
}

/** Some listings say of a new show where it was shown before, in another country. */
function isRepeat({ children }: Element): boolean {
  const has = (name: string) => children.some((child) => child.name === name);
  return has("previously-shown") && !has("new") && !has("premiere");
}

/** A channel that only programmes name is created with its id as its name: some listings have no channels at all. */
function channelOf(
  id: string,
  { sink, known, spellings, meant, line }: ReadContext & { readonly line: number },
): string | undefined {
  const found = known.has(id) ? id : meant.get(id);
  if (found !== undefined) return found;
  const complain = (reason: string, leftOut: boolean) =>
    sink.complain({ kind: "channel", line, reason, leftOut });
  const declared = spellings.get(spelling(id)) ?? "";
  if (declared !== "") {
    complain(`the channel ${excerpt(id)} is declared as ${excerpt(declared)}`, false);
    meant.set(id, declared);
    return declared;
  }
  if (id.length > ID_LENGTH || known.size >= CHANNELS_MAX) {
    complain(`the channel ${excerpt(id)} is not declared before it`, true);
    return undefined;
  }
  complain(`the channel ${excerpt(id)} is not declared before it: taken as a channel of that name`, false);
  known.set(id, "by programmes");
  sink.channel({ id, names: [withinWire(id, TITLE_LENGTH)], lcns: [] });
  return id;
}

const UNITS: Readonly<Record<string, DurationMs>> = { seconds: SECOND, minutes: MINUTE, hours: HOUR };

/** Without a unit, minutes are meant. */
function lengthOf({ children }: Element): DurationMs | undefined {
  const { text = "", attributes = {} } = children.find(({ name }) => name === "length") ?? {};
  const units = attributes["units"]?.toLowerCase() ?? "minutes";
  const lengthMs = Number(/^\s*\d{1,6}\s*$/.exec(text)?.[0] ?? 0) * (UNITS[units] ?? 0);
  return lengthMs > 0 ? lengthMs : undefined;
}
