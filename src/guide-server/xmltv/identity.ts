import { titleKey } from "../../rules/title.ts";

/*
 * Identifies episodes and series: by a listing's ids in order of trust, and without ids by title.
 */

export interface EpisodeNumber {
  /** `dd_progid`, `xmltv_ns`, `onscreen`, a CRID … */
  readonly system: string;
  readonly value: string;
}

/** An `episode-num` of this system is the EIT event id; `recorderd listing` writes it. */
export const EVENT_ID_SYSTEM = "dvb_event_id";

export interface ProgrammeFacts {
  readonly title: string;
  readonly subtitle: string;
  readonly categories: readonly string[];
  readonly numbers: readonly EpisodeNumber[];
}

export interface Identity {
  /** The listing's ids of the series, and its title as a key. */
  readonly series: { readonly ids: readonly string[]; readonly title: string };
  /** Unique within the series; empty without any mark of the episode. */
  readonly episode: string;
}

export function identityOf(described: ProgrammeFacts): Identity {
  const numbers = described.numbers.map(readNumber);
  const series = numbers.flatMap(({ series }) => series ?? []);
  const episode = numbers.map((each) => each.episode).find((each) => each !== undefined);
  return {
    series: { ids: series, title: titleKey(described.title) },
    episode: episode ?? withoutNumber(described),
  };
}

/** Categories of single works, also in German, Dutch, Spanish, Italian, French and Japanese. */
const FILM =
  /\b(?:film|movie)s?\b|\b(?:spiel|fernseh|tv-?|speel|spille|lang)film\b|\bpel[ií]culas?\b|\blargometraje|\blungometraggio|\blong[- ]m[eé]trage|^映画$/i;

/** A subtitle that repeats the title names no episode, and one such as `Episode 5` only numbers it. */
function withoutNumber({ title, subtitle, categories }: ProgrammeFacts): string {
  const { episode: number } = numbered(onlyNumber(subtitle));
  if (number !== undefined) return number;
  const key = titleKey(subtitle);
  if (key !== "" && key !== titleKey(title)) return `subtitle:${key}`;
  return categories.some((name) => FILM.test(name)) ? "film" : "";
}

interface NumberIds {
  readonly series?: string;
  readonly episode?: string;
}

function readNumber(number: EpisodeNumber): NumberIds {
  const system = number.system.trim().toLowerCase().replaceAll("-", "_");
  const text = number.value.trim();
  if (/^crid:\/\//i.test(text) || system.includes("crid")) return cridOf(system, text.toLowerCase());
  if (system === "dd_progid") return progidOf(text);
  if (system === "xmltv_ns" && XMLTV_RANGES.test(text)) return numbered(xmltvNumbers(text));
  return ON_SCREEN.has(system) ? numbered(onscreenNumbers(text)) : {};
}

/** @see ETSI TS 102 323 §6 (TV-Anytime content reference ids) */
function cridOf(system: string, crid: string): NumberIds {
  return /series/i.test(system) ? { series: `crid:${crid}` } : { episode: `crid:${crid}` };
}

/** Systems whose numbers are as viewers see them; some grabbers write such numbers as `xmltv_ns`. */
const ON_SCREEN: ReadonlySet<string> = new Set(["", "onscreen", "sxxexx", "common", "xmltv_ns"]);

/** A programme id of Gracenote. It has 8 and 4 digits, and some grabbers leave out the dot. */
const PROGID = /^(EP|SH|MV|SP)\s*(\d{8}(?=\d{4}$)|\d+)(?:\.?(\d{4}))?$/i;

/** `EP01234567.0012`: an episode; `SH01234567.0000`: an unspecified episode of a show; `MV…`, `SP…`: a single work. */
function progidOf(text: string): NumberIds {
  const [, kind = "", show = "", number = "0000"] = PROGID.exec(text) ?? [];
  if (kind === "") return {};
  const own = /MV|SP/i.test(kind);
  const series = `dd:${own ? kind.toUpperCase() : ""}${show}`;
  if (own) return { series, episode: `dd:${show}.${number}` };
  return /EP/i.test(kind) && number !== "0000" ? { series, episode: `dd:${number}` } : { series };
}

interface Numbers {
  /** Counts from 1; absent if the listing omits it. */
  readonly season?: number;
  readonly episode?: number;
  /** Last of several episodes that are broadcast as one. */
  readonly lastEpisode?: number;
  readonly part?: number;
}

/** `1.5/20.0/2`, from 0: season, episode and part, each optionally with the total; any may be empty. Double episodes: `1.4-5.`. */
function xmltvNumbers(text: string): Numbers {
  const fields = text.split(".");
  const [season, episode, part] = fields.map((field) => /\d+/.exec(field)?.[0]);
  const lastEpisode = /-\s*(\d+)/.exec(fields[1] ?? "")?.[1];
  const from1 = (field: string | undefined) => (field === undefined ? undefined : Number(field) + 1);
  const several = /\/\s*([2-9]|\d\d)/.test(fields[2] ?? "");
  return {
    ...optional("season", from1(season)),
    ...optional("episode", from1(episode)),
    ...optional("lastEpisode", from1(lastEpisode)),
    ...(several ? optional("part", from1(part)) : {}),
  };
}

const XMLTV_FIELD = "\\s*(\\d+\\s*(/\\s*\\d+)?)?\\s*";
const XMLTV_NUMBER = new RegExp(`^${XMLTV_FIELD}\\.${XMLTV_FIELD}(\\.${XMLTV_FIELD})?$`);
/** The same with a range of episodes, which XMLTV does not have. */
const XMLTV_EPISODES = "\\s*(\\d+\\s*(-\\s*\\d+\\s*)?(/\\s*\\d+)?)?\\s*";
const XMLTV_RANGES = new RegExp(`^${XMLTV_FIELD}\\.${XMLTV_EPISODES}(\\.${XMLTV_FIELD})?$`);

export function isXmltvNumber(text: string): boolean {
  return XMLTV_NUMBER.test(text);
}

/**
 * `S01E05`, `S1 E5/10`, `Season 1, Episode 5`, `T1:E5`, `1. Staffel, Folge 5`. An episode without its season is that of any.
 */
const SEASON =
  "s(?:eason|eries|erie|taffel|aison|tagione|asong|esong|æson|eizoen|ezon)?|t(?:emporada)?|kausi|rada";
const EPISODE =
  "(?:e(?:p(?:isod[eio]{1,2})?)?|folge|cap(?:itulo)?|avsnitt|afsnit|afl(?:evering)?|odc(?:inek)?|jakso|osa|dil|del)\\.?";
const BETWEEN = "\\s*(?:[.,:|•·/-]\\s*)?";
/** The last one of several: `E5-E6`, `E5-6`, `E5E6`, `E5 & 6`. */
const LAST = `(?:\\s*(?:[-–+&]\\s*(?:${EPISODE}\\s*)?|${EPISODE}\\s*)(\\d+))?`;
/** How many there are, or a number of the whole series. */
const AFTER = "(?:\\s*(?:(?:\\/|of|von|de|sur|di|av|af|van|z)\\s*\\d+|\\(\\d+\\)))?";
const ON_SCREEN_FORMS: readonly RegExp[] = [
  new RegExp(`^(?:${SEASON})\\.?\\s*(\\d+)${BETWEEN}${EPISODE}\\s*(\\d+)${LAST}${AFTER}$`),
  new RegExp(`^(\\d+)[.ao]\\s*(?:${SEASON})${BETWEEN}${EPISODE}\\s*(\\d+)${LAST}${AFTER}$`),
  /^(\d{1,4})x(\d{1,4})(?:\s*[-–+&]\s*(?:\1x)?(\d{1,4}))?$/,
  /^(?:シーズン|第)(\d+)(?:シリーズ|期|シーズン)?\s*[第#](\d+)話?$/,
];

/** The number without a season that is the whole text: `Episode 5`, `Folge 5 von 8`. */
const ONLY_NUMBER = new RegExp(`^${EPISODE}\\s*(\\d+)${AFTER}$`);

function onlyNumber(text: string): Numbers | undefined {
  const episode = ONLY_NUMBER.exec(plain(text.trim()))?.[1];
  return episode === undefined ? undefined : { episode: Number(episode) };
}

/** In lower case, without accents. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

function onscreenNumbers(text: string): Numbers | undefined {
  for (const form of ON_SCREEN_FORMS) {
    const [, season, episode, last] = form.exec(plain(text)) ?? [];
    if (season === undefined) continue;
    return {
      season: Number(season),
      episode: Number(episode),
      ...(last === undefined ? {} : { lastEpisode: Number(last) }),
    };
  }
  return undefined;
}

function optional<K extends string>(key: K, value: number | undefined): { readonly [k in K]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [k in K]: number });
}

function numbered(numbers: Numbers | undefined): NumberIds {
  if (numbers?.episode === undefined) return {};
  const { season, episode, lastEpisode, part } = numbers;
  const said = (mark: string, number: number | undefined) => (number === undefined ? "" : `${mark}${number}`);
  return { episode: `${said("s", season)}e${episode}${said("-", lastEpisode)}${said("p", part)}` };
}
