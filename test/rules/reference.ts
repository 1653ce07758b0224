/*
 * The expansion of rules once more, written for reading from docs/dev/decisions/0057-rules.md and model/rule.ts: it shares
 * no code with src/rules, and looks at every show for every rule.
 */
import { GENRES, type Rule } from "../../src/model/rule.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface ReferenceShow {
  readonly id: number;
  readonly channelId: number;
  readonly seriesId: string;
  readonly episodeId: string;
  readonly start: number;
  readonly durationMinutes: number;
  readonly title: string;
  readonly subtitle: string;
  readonly desc: string;
  readonly category: readonly { readonly name: string; readonly eit?: string | undefined }[];
  readonly isRepeat?: true | undefined;
  readonly gone?: true | undefined;
}

export interface ReferenceGuide {
  readonly shows: readonly ReferenceShow[];
  readonly hdChannels: readonly number[];
  readonly zone: string;
  readonly now: number;
}

/** The shows that are settled before: shows that a person has ordered, and episodes that are over. */
export interface Settled {
  readonly orderedShowIds: readonly number[];
  readonly done: readonly {
    readonly show: ReferenceShow;
    readonly became: "recorded" | "declined";
    readonly at: number;
  }[];
}

export interface ReferenceTimer {
  readonly showId: number;
  readonly ruleId: number;
}

/** The timers that the rules need, by show. */
export function referenceTimers(
  guide: ReferenceGuide,
  rules: readonly Rule[],
  settled: Settled,
): readonly ReferenceTimer[] {
  const { shows, now } = guide;
  const byAge = rules.filter(({ isPaused }) => isPaused !== true).sort((a, b) => a.id - b.id);
  const ordered = shows.filter(({ id }) => settled.orderedShowIds.includes(id));
  const ahead = shows
    .filter((show) => show.gone !== true && show.start > now && show.start < now + 28 * DAY)
    .filter((show) => !ordered.some((other) => isSameEpisode(other, show)))
    .sort((a, b) => a.start - b.start || a.channelId - b.channelId || a.id - b.id);
  const timers: ReferenceTimer[] = [];
  const looked: ReferenceShow[] = [];
  for (const show of ahead) {
    if (looked.some((other) => isSameEpisode(other, show))) continue;
    looked.push(show);
    const airings = ahead.filter((other) => isSameEpisode(other, show));
    const wants = (rule: Rule, airing: ReferenceShow) =>
      fits(guide, rule, airing) && isOpenFor(settled, rule, airing) && isFresh(guide, rule, airing);
    const owner = byAge.find((rule) => airings.some((airing) => wants(rule, airing)));
    if (owner === undefined) continue;
    const chosen = choose(
      guide,
      owner,
      airings.filter((airing) => wants(owner, airing)),
    );
    const first = byAge.find((rule) => chosen !== undefined && wants(rule, chosen));
    if (chosen !== undefined && first !== undefined) timers.push({ showId: chosen.id, ruleId: first.id });
  }
  return timers.sort((a, b) => a.showId - b.showId);
}

/** Without an id of the episode, only a broadcast of the series at the same time is the same. */
function isSameEpisode(a: ReferenceShow, b: ReferenceShow): boolean {
  if (a.id === b.id) return true;
  if (a.episodeId.startsWith("crid:") || b.episodeId.startsWith("crid:")) return a.episodeId === b.episodeId;
  if (a.seriesId !== b.seriesId || a.episodeId !== b.episodeId) return false;
  return a.episodeId !== "" || a.start === b.start;
}

function isOpenFor({ done }: Settled, rule: Rule, show: ReferenceShow): boolean {
  const found = done.find((one) => isSameEpisode(one.show, show));
  if (found === undefined) return true;
  return found.became === "declined" && rule.createdAt > found.at;
}

/** A repeat comes three hours or more after another airing of its episode. */
function isFresh({ shows }: ReferenceGuide, rule: Rule, show: ReferenceShow): boolean {
  const isLater =
    show.episodeId !== "" &&
    shows.some(
      (other) => other.gone !== true && isSameEpisode(other, show) && show.start - other.start >= 3 * HOUR,
    );
  if (rule.newOnly === true && (isLater || show.isRepeat === true)) return false;
  return !(rule.airing === "first" && isLater);
}

function choose(
  { hdChannels }: ReferenceGuide,
  { quality }: Rule,
  airings: readonly ReferenceShow[],
): ReferenceShow | undefined {
  const [first] = airings;
  const wantsHd = quality.endsWith("HD Only") || quality === "Prefer HD";
  const better = airings.find(
    ({ channelId, start }) =>
      first !== undefined && hdChannels.includes(channelId) === wantsHd && start <= first.start + DAY,
  );
  return better ?? first;
}

function fits({ hdChannels, zone }: ReferenceGuide, rule: Rule, show: ReferenceShow): boolean {
  const isHd = hdChannels.includes(show.channelId);
  if (rule.quality === "HD Only" && !isHd) return false;
  if (rule.quality === "SD Only" && isHd) return false;
  if (rule.channelIds !== undefined && !rule.channelIds.includes(show.channelId)) return false;
  if (rule.seriesId !== undefined && rule.seriesId !== show.seriesId) return false;
  if (show.durationMinutes < (rule.minMinutes ?? 0)) return false;
  if (show.durationMinutes > (rule.maxMinutes ?? 10_000)) return false;
  const everything = `${show.title} ${show.subtitle} ${show.desc}`;
  const searched = rule.within === "all" ? everything : show.title;
  if (rule.words !== undefined && !words(rule.words).every((word) => words(searched).includes(word)))
    return false;
  if (rule.without !== undefined && words(rule.without).some((word) => words(everything).includes(word)))
    return false;
  if (rule.expression !== undefined && !new RegExp(plain(rule.expression), "iu").test(plain(searched)))
    return false;
  if (rule.genres !== undefined && !rule.genres.some((genre) => hasGenre(show, genre))) return false;
  return isAtTime(rule, clockAt(show.start, zone));
}

function hasGenre({ category }: ReferenceShow, genre: string): boolean {
  return category.some(({ name, eit }) => {
    const code = eit === undefined ? -1 : Number.parseInt(eit, 16);
    return plain(name) === plain(genre) || GENRES[Math.floor(code / 16) - 1] === genre;
  });
}

function isAtTime({ weekdays, between }: Rule, { weekday, minute }: ReturnType<typeof clockAt>): boolean {
  const days = weekdays ?? [1, 2, 3, 4, 5, 6, 7];
  if (between === undefined) return days.includes(weekday);
  // Step by step through the part of each day, which may end on the next day.
  return days.some((day) => {
    for (let at = between.from; ; at += 1) {
      if (at > between.from && at % 1440 === between.until) return false;
      const dayAt = at < 1440 ? day : (day % 7) + 1;
      if (dayAt === weekday && at % 1440 === minute) return true;
    }
  });
}

function clockAt(at: number, timeZone: string) {
  const text = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, hourCycle: "h23", ...options }).format(at);
  const [hour = 0, minute = 0] = text({ hour: "2-digit", minute: "2-digit" }).split(":").map(Number);
  const weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(text({ weekday: "short" })) + 1;
  return { weekday, minute: hour * 60 + minute };
}

/** Lower case without accents. */
function plain(text: string): string {
  return [...text.toLowerCase()].map((char) => char.normalize("NFD").replace(/\p{Diacritic}/gu, "")).join("");
}

function words(text: string): readonly string[] {
  return plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
