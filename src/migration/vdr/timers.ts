import type { RuleConditions } from "../../model/rule.ts";
import { DAY, HOUR, MINUTE } from "../../model/time.ts";
import { lengthMs, type Window } from "../../model/window.ts";
import { BadLine, readLines, wholeNumber } from "../bad-line.ts";
import type { Collector } from "../collector.ts";
import { ANY_TEXT, literal, spanNote } from "../conditions.ts";
import type { FoundChannel, FoundRule, ReadOptions } from "../found.ts";
import { dayOf, instantAt, localTimeAt, minuteOf } from "../local-time.ts";
import { folderOf, ruleName, titleOf } from "../names.ts";
import { type ChannelBook, isChannelId } from "./channel-book.ts";
import type { VdrSetup } from "./setup.ts";

/*
 * VDR's timers.conf (vdr(5)): flags, channel, day, start, stop, priority, lifetime, file, auxiliary data, by colons.
 *
 * flags      1 active: others are left out, or paused if they repeat; 16 made by a pattern timer: the rule makes it again
 * channel    its id, or its number
 * day        a date, a day of the month, or weekdays, which may have a first date
 * file       `~` between folders, `|` for a colon; `{…}` before it makes a pattern timer
 * auxiliary  that of a search timer of epgsearch: the search makes it again
 */

const ACTIVE = 0x01;
const SPAWNED = 0x10;
const FOREVER = 99;

export interface TimersContext {
  readonly file: string;
  readonly text: string;
  readonly channels: ChannelBook;
  readonly setup: VdrSetup;
  readonly options: ReadOptions;
  readonly into: Collector;
}

interface TimerLine {
  readonly flags: number;
  readonly channel: FoundChannel;
  readonly day: string;
  /** Minutes of the day. */
  readonly start: number;
  readonly stop: number;
  readonly priority: number;
  readonly lifetime: number;
  readonly path: string;
  /** The same at every reading. */
  readonly id: string;
}

export function readTimers(context: TimersContext): void {
  readLines(context, (line) => {
    const fields = line.split(":");
    if (fields.length < 8)
      throw new BadLine(`Expected at least 8 fields with colons between, found ${fields.length}.`);
    const aux = fields.slice(8).join(":");
    const timer = timerOf(fields, context.channels);
    if ((timer.flags & SPAWNED) !== 0 || /<searchtimer>/.test(aux)) return;
    if (/^[0-9]/.test(timer.day)) addTimer(timer, context);
    else addRule(timer, context);
  });
}

function timerOf(fields: readonly string[], channels: ChannelBook): TimerLine {
  const [flags, channel = "", day = "", start = "", stop = "", priority, lifetime, path = ""] = fields;
  const [from, until] = [minuteOf(start), minuteOf(stop)];
  if (from === undefined || until === undefined)
    throw new BadLine(
      `Expected times such as 2015, found "${start.slice(0, 20)}" and "${stop.slice(0, 20)}".`,
    );
  return {
    flags: wholeNumber(flags, "flags"),
    channel: channelOf(channel, channels),
    day,
    start: from,
    stop: until,
    priority: wholeNumber(priority, "a priority"),
    lifetime: wholeNumber(lifetime, "a lifetime"),
    path: path.replaceAll("|", ":"),
    id: [channel, day, start].join(" "),
  };
}

function channelOf(text: string, channels: ChannelBook): FoundChannel {
  if (isChannelId(text)) return channels.byId(text);
  const channel = channels.byNumber(wholeNumber(text, "the number or id of a channel"));
  if (channel === undefined) throw new BadLine(`channels.conf has no channel ${text}.`);
  return channel;
}

function addTimer(timer: TimerLine, { options, setup, into }: TimersContext): void {
  const title = titleOf(levelsOf(timer.path).at(-1)) ?? timer.channel.name;
  const day = dayOf(timer.day) ?? dayInMonth(timer.day, options);
  const start = instantAt({ day, minute: timer.start }, options.timeZone);
  const isNextDay = timer.stop <= timer.start;
  const stop = instantAt({ day: isNextDay ? day + 1 : day, minute: timer.stop }, options.timeZone);
  if (stop <= options.now) return;
  if ((timer.flags & ACTIVE) === 0) {
    into.leaveOut("timer", title, "It is switched off in VDR.");
    return;
  }
  into.timer({
    id: timer.id,
    title,
    channel: timer.channel,
    ...withoutMargins({ start, stop }, setup),
    notes: notesOf(timer, setup),
  });
}

/** VDR stores the time with its margins: without them, it is the time of the event. */
function withoutMargins(
  window: Window,
  { marginStart, marginStop }: VdrSetup,
): { readonly event: Window; readonly beforeMinutes?: number; readonly afterMinutes?: number } {
  const event = { start: window.start + marginStart * MINUTE, stop: window.stop - marginStop * MINUTE };
  if (lengthMs(event) === 0) return { event: window };
  return { event, beforeMinutes: marginStart, afterMinutes: marginStop };
}

/** Old versions write the day of the month: this month's, or that of the next one where it is over. */
function dayInMonth(text: string, { now, timeZone }: ReadOptions): number {
  const number = wholeNumber(text, "a date such as 2026-12-24");
  const today = localTimeAt(now, timeZone).day;
  const days = Array.from({ length: 62 }, (_, ahead) => today + ahead);
  const day = days.find((each) => new Date(each * DAY).getUTCDate() === number);
  if (day === undefined) throw new BadLine(`Expected a day of the month, found "${text.slice(0, 20)}".`);
  return day;
}

function addRule(timer: TimerLine, context: TimersContext): void {
  const { setup, into, options } = context;
  const [, pattern, path = timer.path] = /^\{([^}]*)\}(.*)$/.exec(timer.path) ?? [];
  const levels = levelsOf(path);
  const named = ruleName(levels.at(-1));
  const folder = folderOf(pattern === undefined ? levels.slice(0, -1) : levels);
  const slot = pattern === undefined ? patternlessSlot(timer, setup) : patternSlot(timer);
  into.rule({
    id: timer.id,
    channels: [timer.channel],
    order: {
      name:
        (pattern === undefined ? named : ruleName(pattern.replaceAll(/^@?\^?|\$$/g, ""))) ??
        timer.channel.name,
      ...((timer.flags & ACTIVE) === 0 ? { isPaused: true } : {}),
      ...(pattern === undefined ? ANY_TEXT : patternOf(pattern)),
      ...weekdaysOf(timer.day),
      ...slot.between,
      quality: "Prefer HD",
      priority: Math.min(Math.max(timer.priority, 0), 100),
      ...slot.padding,
      ...(folder === undefined ? {} : { folder }),
    },
    notes: [
      ...(pattern === undefined ? [spanNote("VDR")] : []),
      ...firstDayNote(timer.day, options),
      ...lifetimeNote(timer),
    ],
  });
}

/** The folders and the name of a recording, without those that depend on the show. */
function levelsOf(path: string): readonly string[] {
  return path.split("~").filter((level) => level.trim() !== "" && !/TITLE|EPISODE|\{[<>=]\}/.test(level));
}

interface Slot {
  readonly between?: Pick<FoundRule["order"], "between">;
  readonly padding?: Pick<FoundRule["order"], "beforeMinutes" | "afterMinutes">;
}

/** A show that begins in the margin after the time is the next one. */
function patternlessSlot({ start, stop }: TimerLine, { marginStart, marginStop }: VdrSetup): Slot {
  const minutes = (stop - start + DAY / MINUTE) % (DAY / MINUTE) || DAY / MINUTE;
  const until = minutes > marginStop ? (start + minutes - marginStop) % (DAY / MINUTE) : stop;
  return {
    between: { between: { from: start, until } },
    padding: { beforeMinutes: marginStart, afterMinutes: marginStop },
  };
}

/** A pattern timer has no margins: it records events. Its time of 0000 to 2359 is the whole day. */
function patternSlot({ start, stop }: TimerLine): Slot {
  const isWholeDay = start === stop || stop - start >= (23 * HOUR) / MINUTE + 59;
  return isWholeDay ? {} : { between: { between: { from: start, until: stop } } };
}

/** `MTWTF--`, also in the letters of another language; a first date may follow. @throws BadLine */
function weekdaysOf(day: string): Pick<FoundRule["order"], "weekdays"> {
  const [letters = ""] = day.split("@");
  if (!/^[A-Za-z-]{7}$/.test(letters) || /^-*$/.test(letters))
    throw new BadLine(`Expected a date or weekdays such as MTWTF--, found "${day.slice(0, 40)}".`);
  const weekdays = [...letters].flatMap((letter, at) => (letter === "-" ? [] : [at + 1]));
  return weekdays.length === 7 ? {} : { weekdays };
}

function firstDayNote(day: string, { now, timeZone }: ReadOptions): readonly string[] {
  const date = day.split("@")[1] ?? "";
  const first = dayOf(date);
  if (first === undefined || first <= localTimeAt(now, timeZone).day) return [];
  return [`In VDR it begins on ${date}; here it begins at once.`];
}

function notesOf(timer: TimerLine, { priority }: VdrSetup): readonly string[] {
  const own = timer.priority === priority ? [] : [`Its priority of ${timer.priority} is not kept.`];
  return [...own, ...lifetimeNote(timer)];
}

function lifetimeNote({ lifetime }: TimerLine): readonly string[] {
  return lifetime >= FOREVER ? [] : [`Its lifetime of ${lifetime} days is not kept.`];
}

/**
 * The pattern of a pattern timer (vdr(5)): a part of the title, `^` and `$` for its ends, `*` for every title. A leading `@`
 * avoids repeats, as our rules always do.
 */
function patternOf(pattern: string): Pick<RuleConditions, "expression"> {
  const text = pattern.replace(/^@/, "");
  if (text === "*" || text === "") return ANY_TEXT;
  const [, start = "", middle = "", end = ""] = /^(\^?)(.*?)(\$?)$/.exec(text) ?? [];
  return { expression: `${start}${literal(middle)}${end}` };
}
