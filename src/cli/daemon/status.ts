import { Command } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { RecorderdError } from "../../model/errors.ts";
import { isTerminal, type Recording } from "../../model/recording.ts";
import { WORK_KINDS } from "../../model/set-aside.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { SpaceFacts } from "../../model/space.ts";
import { formatDuration, formatInstant, formatTimeOfDay, SECOND } from "../../model/time.ts";
import { askSnapshot } from "../../recorder/api/ask.ts";
import type { CliIo } from "../io.ts";
import { cutTo, plainJson, plainLine } from "../plain-text.ts";
import { sizeText } from "../table.ts";

/** The default address of the daemon's control socket. */
export const DEFAULT_SOCKET = "/run/recorderd/control.sock";

export function statusCommand(io: CliIo): Command {
  return new Command("status")
    .description("show what the running daemon is doing")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--watch", "refresh every second, until Ctrl-C", false)
    .option(
      "--json",
      "print the snapshot as one JSON document; with --watch, one line for each change",
      false,
    )
    .action(async (options: StatusOptions) => {
      if (options.watch) return watch(io, options);
      const snapshot = await askSnapshot(options.socket, io);
      io.print(options.json ? plainJson(snapshot) : describe(snapshot));
    });
}

interface StatusOptions {
  readonly socket: string;
  readonly watch: boolean;
  readonly json: boolean;
}

const WATCH_MS = SECOND;
/** ECMA-48: moves to the first line and clears the rest. */
const CLEAR = "\x1b[H\x1b[J";

/** Waits through a restart of the daemon. Redraws the screen on a terminal; elsewhere prints changes. */
async function watch(io: CliIo, { socket, json }: StatusOptions): Promise<void> {
  const { columns, clock, signal } = io;
  let shown = "";
  while (!signal.aborted) {
    const text = await askSnapshot(socket, io).then(
      (snapshot) => (json ? JSON.stringify(withoutVolatileFields(snapshot)) : describe(snapshot)),
      (error: unknown) => {
        if (!(error instanceof RecorderdError)) throw error;
        return json ? JSON.stringify({ code: error.code, message: error.message }) : error.message;
      },
    );
    if (text !== shown) {
      const lines = text.split("\n");
      io.print(
        columns === undefined || json ? text : CLEAR + lines.map((line) => cutTo(line, columns)).join("\n"),
      );
    }
    shown = text;
    await clock.sleep(WATCH_MS, signal).catch(() => {});
  }
}

function withoutVolatileFields({ at: _always, ...snapshot }: Snapshot): object {
  return snapshot;
}

function describe(snapshot: Snapshot): string {
  const zone = systemZone();
  const open = snapshot.recordings.filter(({ state }) => !isTerminal(state));
  const done = snapshot.recordings.filter(({ state }) => isTerminal(state)).slice(-10);
  return [
    `recorderd ${snapshot.version}, up ${formatDuration(snapshot.at - snapshot.startedAt)}`,
    ...clockLine(snapshot),
    guideLine(snapshot, zone),
    ...broadcastLine(snapshot, zone),
    ...quarantineLine(snapshot, zone),
    ...storeLine(snapshot, zone),
    ...secretsLine(snapshot, zone),
    ...powerLines(snapshot, zone),
    ...setAsideLines(snapshot, zone),
    ...snapshot.tuners.map(
      ({ id, kind, multiplex, recordings }) =>
        `tuner ${id} (${kind}): ${multiplex === undefined ? "free" : `multiplex ${multiplex}, ${recordings.join(", ")}`}`,
    ),
    ...spaceLine(snapshot, zone),
    ...section("Upcoming and running recordings", open, zone),
    ...section("Latest", done, zone),
    ...strayLines(snapshot, zone),
    ...siteSection(snapshot, zone),
  ].join("\n");
}

function guideLine({ guide }: Snapshot, zone: string): string {
  const waiting = guide.reportsWaiting > 0 ? `, ${guide.reportsWaiting} reports waiting` : "";
  if (guide.signInNeeded) return `guide: sign-in needed, run: recorderd login${waiting}`;
  const next = guide.nextAt === undefined ? "" : `, next poll at ${formatTimeOfDay(guide.nextAt, zone)}`;
  if (guide.failure !== undefined) {
    const { since, code, text } = guide.failure;
    return `guide: not usable since ${formatTimeOfDay(since, zone)}${next}, ${code}: ${text}${waiting}`;
  }
  const last =
    guide.lastGoodAt === undefined
      ? "not polled yet"
      : `answered at ${formatTimeOfDay(guide.lastGoodAt, zone)}`;
  return `guide: ${last}${next}${waiting}`;
}

/** Empty if the service does not want EPG data. */
function broadcastLine({ broadcastGuide }: Snapshot, zone: string): readonly string[] {
  if (broadcastGuide?.isTaken !== true) return [];
  const { broughtAt, events, idleAt } = broadcastGuide;
  const last =
    broughtAt === undefined
      ? "nothing yet"
      : `${events} events, the last at ${formatTimeOfDay(broughtAt, zone)}`;
  const idle =
    idleAt === undefined ? "" : `; an idle tuner last gathered it at ${formatTimeOfDay(idleAt, zone)}`;
  return [`EIT sent to the guide service: ${last}${idle}`];
}

/** Empty for an undisputed clock. */
function clockLine({ clock: { trusted, holds, text, kernel } }: Snapshot): readonly string[] {
  const by = kernel === "synchronised" ? "set by NTP" : "not confirmed by NTP";
  if (text === undefined) return [];
  if (trusted) return [`clock: trusted, ${by}; but ${text}`];
  const sofar = holds
    ? "recordings are not ended or given up until it is trusted"
    : "untrusted for so long that it is used anyway";
  return [`clock: ALARM, not trusted (${text}; ${by}): ${sofar}`];
}

/** Problems only. */
function powerLines({ power }: Snapshot, zone: string): readonly string[] {
  const { alarm, failed, wakeAlarmAt } = power ?? {};
  return [
    ...(alarm === "not-set"
      ? [
          `wake: ALARM, the machine's clock is not set to ${wakeAlarmAt === undefined ? "nothing" : formatInstant(wakeAlarmAt)}: is recorderd-wake.path enabled?`,
        ]
      : []),
    ...(failed === undefined
      ? []
      : [
          `wake: ALARM, the machine should have been awake at ${formatInstant(failed.wantedAt)}, but woke at ${formatTimeOfDay(failed.cameAt, zone)}`,
        ]),
  ];
}

function quarantineLine({ guide: { quarantine } }: Snapshot, zone: string): readonly string[] {
  if (quarantine === undefined) return [];
  const { since, listed, held } = quarantine;
  return [
    `guide: ALARM since ${formatTimeOfDay(since, zone)}: its list has only ${listed} of ${held} upcoming timers; no timer is withdrawn until further polls confirm the list`,
  ];
}

function storeLine({ store }: Snapshot, zone: string): readonly string[] {
  if (store === undefined) return [];
  const { since, code, text } = store;
  const rest =
    code === "DISK_LOW" ? "" : " Captures continue; nothing new begins until the folder is writable";
  return [`data folder: ALARM since ${formatTimeOfDay(since, zone)}, ${code}: ${plainLine(text)}${rest}`];
}

function secretsLine({ secrets }: Snapshot, zone: string): readonly string[] {
  if (secrets === undefined) return [];
  const { since, code, text, usesEarlier } = secrets;
  const rest = usesEarlier
    ? "The previous secrets stay in force until the daemon restarts"
    : "Planned recordings continue; new timers, reports, sign-in and servers with a password wait";
  return [`secrets: ALARM since ${formatTimeOfDay(since, zone)}, ${code}: ${plainLine(text)} ${rest}`];
}

function spaceLine({ space }: Snapshot, zone: string): readonly string[] {
  return space === undefined ? [] : [`disk: ${spaceText(space, zone)}`];
}

/** Free space, the plan's demand, and how long the space will last. */
export function spaceText(space: SpaceFacts, zone: string): string {
  const { level, freeBytes, totalBytes, lowBytes, stopBytes, reservedBytes, fills } = space;
  if (level === "offline")
    return "OFFLINE, the folder of recordings is missing; the recordings stay in the library";
  const alarm = {
    enough: "",
    low: `LOW, below the low-water mark of ${sizeText(lowBytes)}; `,
    full: `FULL, below the stop mark of ${sizeText(stopBytes)}: nothing is recorded; `,
  }[level];
  const until = fills === undefined ? "" : `, full ${dayText(fills.at, zone)} ${FILLS_BY[fills.by]}`;
  return `${alarm}${sizeText(freeBytes)} of ${sizeText(totalBytes)} free, ${sizeText(reservedBytes)} reserved for the plan${until}`;
}

const FILLS_BY = {
  plan: "with the planned recordings",
  pace: "if recording continues at the planned rate",
} as const;

function dayText(at: number, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
  return `on ${day} at ${formatTimeOfDay(at, timeZone)}`;
}

function section(title: string, recordings: readonly Recording[], zone: string): readonly string[] {
  if (recordings.length === 0) return [];
  const lines = [...recordings]
    .sort((a, b) => a.window.start - b.window.start)
    .map((recording) => line(recording, zone));
  return ["", `${title}:`, ...lines];
}

function setAsideLines({ setAside = [] }: Snapshot, zone: string): readonly string[] {
  return setAside.map(
    ({ kind, subject, at, until }) =>
      `set aside: ${plainLine(`${kind} ${subject}`.trimEnd())}: it blocked the daemon at ${formatTimeOfDay(at, zone)}. ${WORK_KINDS[kind]} It is set aside until ${formatInstant(until)}.`,
  );
}

function strayLines({ strays = [] }: Snapshot, zone: string): readonly string[] {
  if (strays.length === 0) return [];
  const lines = strays.map(
    ({ attemptId, endedAt }) =>
      `  ${attemptId}, ended at ${formatTimeOfDay(endedAt, zone)}: .recorderd/${attemptId}.ts.part in the folder of recordings`,
  );
  return ["", "Files of captures that belonged to no recording:", ...lines];
}

function siteSection({ site }: Snapshot, zone: string): readonly string[] {
  if (site === undefined) return [];
  const { failure, lastGoodAt, announcements } = site;
  const lines = announcements.flatMap(({ at, title, link }) => [
    `  ${formatInstant(at)}  ${plainLine(title)}`,
    `      ${plainLine(link)}`,
  ]);
  if (failure !== undefined) {
    const { since, code, text } = failure;
    lines.unshift(`  not usable since ${formatTimeOfDay(since, zone)}, ${code}: ${plainLine(text)}`);
  } else if (lines.length === 0) lines.push(lastGoodAt === undefined ? "  not fetched yet" : "  none");
  return ["", "Announcements of the content site:", ...lines];
}

function line({ state, window, channelName, name, reported }: Recording, zone: string): string {
  const span = `${formatTimeOfDay(window.start, zone)}–${formatTimeOfDay(window.stop, zone)}`;
  const message = reported === undefined ? "" : `\n             ${plainLine(reported.message)}`;
  return `  ${state.padEnd(10)} ${span}  ${plainLine(`${channelName}: ${name}`)}${message}`;
}
