import { parseTriplet, type Triplet } from "../../../model/service.ts";
import { addressOf } from "./address.ts";
import { type ChannelList, defined, ListBuilder, type ListedService, linesOf } from "./list.ts";

/*
 * M3U lists of addresses, with the attributes of the field.
 *
 * #EXTINF:-1 attributes,name   name kept; duration not: a live stream has none
 *   tvg-id                     a triplet where it has the form of one: tv.101002210220 (hex) or 4112/545/544
 *   tvg-name                   kept as short name where it is another than the name
 *   tvg-chno, channel-number, ch-number, lcn     kept as channel number; those of ATSC, such as 2.1, are none
 *   group-title                kept
 *   all others (logos, catch-up, time shift, radio, …) not kept: they are for players
 * #EXTGRP:                     kept as group      #EXTVLCOPT:program=   kept as SID
 * #EXTVLCOPT:http-user-agent=, http-referrer=    kept as fields of the request
 * #EXTM3U and all other lines with "#"            not kept
 * the address                  kept; /1:0:TYPE:SID:TSID:ONID:NAMESPACE:… of enigma2 in it names the triplet, and so does
 *                              /S19.2E-ONID-TSID-SID of VDR's streamdev, which writes its channel number ahead of the name
 *                              fields of the request after a `|`, as Kodi writes them, kept if they are in FIELDS
 *
 * Values of attributes may stand in single quotes, or in none; some programs write a comma between the duration and them.
 */

/** Characters in which people wrap an address. */
const WRAPPING = /^[<"']|[>"']$/g;

export function parseM3u(text: string): ChannelList {
  const builder = new ListBuilder();
  let about: Partial<ListedService> = {};
  let begun = 0;
  for (const [index, line] of linesOf(text).entries()) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    if (trimmed.startsWith("#")) {
      if (/^#EXTINF:/i.test(trimmed)) {
        if (begun > 0) builder.mistake(begun, "expected an address after this line");
        begun = index + 1;
        about = { ...about, ...infoOf(trimmed) };
      } else about = { ...about, ...optionOf(trimmed, about) };
      continue;
    }
    const [said, number] = [about, begun || index + 1];
    const [address = "", options = ""] = trimmed.replace(WRAPPING, "").split("|", 2);
    const { headers, isWhole } = fieldsIn(options);
    if (!isWhole)
      builder.mistake(number, "expected fields such as User-Agent=… after the |: others are left out");
    const asked = withHeaders(said, headers);
    builder.try(number, () => serviceOf(addressOf(address), asked, number));
    about = {};
    begun = 0;
  }
  if (begun > 0) builder.mistake(begun, "expected an address after this line");
  return builder.list("m3u");
}

function serviceOf(url: string, about: Partial<ListedService>, line: number): ListedService {
  const reference = referenceIn(url) ?? vdrReferenceIn(url);
  const { number, name } = named(about.name ?? "", url, reference?.isNumbered);
  return defined<ListedService>({
    line,
    name,
    shortName: about.shortName,
    lcn: about.lcn ?? number,
    group: about.group,
    ids: reference === undefined ? (about.ids ?? {}) : { ...reference.ids, ...about.ids },
    namespace: reference?.namespace,
    url,
    headers: about.headers,
  });
}

/** The fields of a request that lists give, as HTTP writes them. */
const FIELDS: Readonly<Record<string, string>> = {
  "user-agent": "User-Agent",
  referer: "Referer",
  referrer: "Referer",
  origin: "Origin",
};

/** `User-Agent=VLC%2F3.0&Referer=…`. @returns the known fields, and whether these are all */
function fieldsIn(text: string): {
  readonly headers: Readonly<Record<string, string>>;
  readonly isWhole: boolean;
} {
  const given = [...new URLSearchParams(text)];
  const known = given.flatMap(([name, value]) => {
    const field = FIELDS[name.toLowerCase()];
    return field === undefined ? [] : [[field, plain(value)] as const];
  });
  return { headers: Object.fromEntries(known), isWhole: known.length === given.length };
}

/** A line end would begin another field. */
function plain(value: string): string {
  return value.replace(/\p{Cc}/gu, "").slice(0, HEADER_LENGTH_MAX);
}

const HEADER_LENGTH_MAX = 200;

function withHeaders(
  about: Partial<ListedService>,
  more: Readonly<Record<string, string>>,
): Partial<ListedService> {
  if (Object.keys(more).length === 0) return about;
  return { ...about, headers: { ...about.headers, ...more } };
}

/** @param isNumbered the program that wrote the address writes `1 Das Erste HD` */
function named(
  text: string,
  url: string,
  isNumbered = false,
): { readonly number?: number; readonly name: string } {
  const [, number, name] = (isNumbered && /^(\d{1,9}) (.*\S.*)$/.exec(text)) || [];
  return name === undefined ? { name: withoutPosition(text, url) } : { number: Number(number), name };
}

/** Lists of SAT>IP write the position ahead of the name, `1. ORF1 HD`; it is no channel number. */
function withoutPosition(name: string, url: string): string {
  return /^rtsp:.*[?&]freq=/i.test(url) ? name.replace(/^\d{1,4}\. ?(?=\p{L})/u, "") : name;
}

/** The name follows the first comma outside quotes. */
function infoOf(line: string): Partial<ListedService> {
  const info = line.slice("#EXTINF:".length);
  const from = /^\s*-?[\d.]+\s*,(?=\s*[\w-]+=["'])/.exec(info)?.[0].length ?? 0;
  const end = endOfAttributes(info, from);
  const head = info.slice(from, end);
  const name = info.slice(info[end] === "," ? end + 1 : end);
  const attributes = attributesOf(head);
  const other = attributes["tvg-name"]?.trim();
  const called = name.trim().replaceAll("&amp;", "&") || other || "";
  const number = NUMBERS.map((key) => Number(/^\s*\d{1,9}\s*$/.exec(attributes[key] ?? "")?.[0] ?? 0));
  return defined<Partial<ListedService>>({
    name: called,
    shortName: other === called || other === "" ? undefined : other,
    lcn: number.find((value) => value > 0),
    group: attributes["group-title"] || undefined,
    ids: tripletIn(attributes["tvg-id"] ?? ""),
  });
}

/**
 * Position of the first comma outside quotes, of an unclosed quote, or of the end. A single quote begins a value behind `=` alone:
 * elsewhere it is an apostrophe.
 *
 * No regular expression for the whole: lines with `data:` logos have megabytes, and backtracking would store every character.
 */
function endOfAttributes(info: string, from: number): number {
  let at = from;
  for (;;) {
    const rest = /[",]|='/g;
    rest.lastIndex = at;
    const found = rest.exec(info);
    if (found === null) return info.length;
    const [mark] = found;
    if (mark === ",") return found.index;
    const close = info.indexOf(mark.slice(-1), found.index + mark.length);
    if (close < 0 && mark === '"') return found.index;
    at = close < 0 ? found.index + mark.length : close + 1;
  }
}

const NUMBERS = ["tvg-chno", "channel-number", "ch-number", "lcn"] as const;
type Attributes = Partial<Record<(typeof NUMBERS)[number] | "tvg-id" | "tvg-name" | "group-title", string>>;

/** Picks the known attributes. */
function attributesOf(head: string): Readonly<Attributes> {
  const found: Attributes = {};
  // Matches only at the start of a word: otherwise a long word would take quadratic time.
  const attribute = /(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;
  for (let match = attribute.exec(head); match !== null; match = attribute.exec(head)) {
    const [, key = "", value = match[3] ?? match[4] ?? ""] = match;
    const name = key.toLowerCase();
    if (isUsedAttribute(name)) found[name] = value;
  }
  return found;
}

const USED_ATTRIBUTES: ReadonlySet<string> = new Set([...NUMBERS, "tvg-id", "tvg-name", "group-title"]);

function isUsedAttribute(name: string): name is keyof Attributes {
  return USED_ATTRIBUTES.has(name);
}

function optionOf(line: string, about: Partial<ListedService>): Partial<ListedService> {
  const group = /^#EXTGRP:(.+)$/i.exec(line)?.[1]?.trim();
  if (group !== undefined) return { group };
  const [, field = "", value = ""] = /^#EXTVLCOPT:http-(user-agent|referr?er)=(.*)$/i.exec(line) ?? [];
  const name = FIELDS[field.toLowerCase()];
  if (name !== undefined) return withHeaders(about, { [name]: plain(value) });
  const sid = Number(/^#EXTVLCOPT:program=(\d{1,5})$/i.exec(line)?.[1] ?? Number.NaN);
  return sid <= 0xffff ? { ids: { ...about.ids, sid } } : {};
}

/** `tv.101002210220` is the form in Australian guides: ONID, TSID and SID of four hexadecimal digits each. */
function tripletIn(id: string): Triplet | undefined {
  const digits = /^(?:tv\.)?([0-9a-f]{12})$/i.exec(id)?.[1];
  if (digits === undefined) return parseTriplet(id);
  const [onid = 0, tsid = 0, sid = 0] = [0, 4, 8].map((at) => Number.parseInt(digits.slice(at, at + 4), 16));
  return { onid, tsid, sid };
}

interface Reference {
  readonly ids: Partial<Triplet>;
  readonly namespace?: number;
  readonly isNumbered?: boolean;
}

/** VDR's ids of DVB and ATSC have those of the broadcast. Without an ONID, the next number is the frequency. */
function vdrReferenceIn(url: string): Reference | undefined {
  const found =
    /\/(?:[TCA]|S\d+(?:\.\d)?[EW])-(\d{1,5})-(\d{1,6})-(\d{1,5})(?:-\d+)?(?:\+\d+)?(?:\.ts)?$/.exec(url);
  if (found === null) return undefined;
  const [onid = 0, tsid = 0, sid = 0] = found.slice(1).map(Number);
  return { ids: onid === 0 ? { sid } : { onid, tsid, sid }, isNumbered: true };
}

function referenceIn(address: string): Reference | undefined {
  const url = address.replace(/%3a/gi, ":");
  if (!url.includes("/1:0:")) return undefined;
  const parts =
    /\/1:0:[0-9a-f]+:([0-9a-f]{1,4}):([0-9a-f]{1,4}):([0-9a-f]{1,4}):([0-9a-f]{1,8}):0:0:0:/i.exec(url);
  if (parts === null) return undefined;
  const [sid = 0, tsid = 0, onid = 0, namespace = 0] = parts
    .slice(1)
    .map((part) => Number.parseInt(part, 16));
  return { ids: { onid, tsid, sid }, namespace };
}
