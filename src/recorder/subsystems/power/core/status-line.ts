import { inMotion, isTerminal, type Recording } from "../../../../model/recording.ts";
import type { Snapshot } from "../../../../model/snapshot.ts";
import { type EpochMs, formatInstant } from "../../../../model/time.ts";

/** The number of titles in the line. */
const NAMED_MAX = 3;
const TITLE_LENGTH_MAX = 60;

/** The daemon's activity in one line, for `systemctl status`. */
export function statusLine(snapshot: Snapshot): string {
  const alarms = alarmsOf(snapshot);
  return [...alarms, doing(snapshot), ...coming(snapshot)].join("; ");
}

function alarmsOf({ store, secrets, guide, clock, power }: Snapshot): readonly string[] {
  return [
    ...(store === undefined ? [] : [`ALARM: the data folder ${STORE_TROUBLES[store.code]} (${store.code})`]),
    ...(secrets === undefined ? [] : [`ALARM: the secrets file cannot be used (${secrets.code})`]),
    ...(clock.trusted ? [] : ["ALARM: the clock is not trusted"]),
    ...(power?.alarm === "not-set" ? ["ALARM: the machine's clock is not set to wake it"] : []),
    ...(power?.failed === undefined ? [] : [`ALARM: not awake at ${minuteOf(power.failed.wantedAt)}`]),
    ...(guide.signInNeeded ? ["sign-in needed: recorderd login"] : []),
    ...(guide.failure === undefined || guide.signInNeeded
      ? []
      : [`guide not usable (${guide.failure.code})`]),
  ];
}

const STORE_TROUBLES = {
  DISK_LOW: "has no space left except its reserve",
  DISK_FULL: "is not writable",
  STORE_WRITE_FAILED: "is not writable",
} as const;

function doing({ recordings }: Snapshot): string {
  const running = recordings.filter(({ state }) => inMotion(state));
  if (running.length === 0) return "recording nothing";
  const named = running.slice(0, NAMED_MAX).map(titleOf);
  const rest = running.length - named.length;
  return `recording ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`;
}

function coming({ recordings }: Snapshot): readonly string[] {
  const [next] = recordings
    .filter(({ state }) => !isTerminal(state) && !inMotion(state))
    .sort((a, b) => a.window.start - b.window.start);
  return next === undefined ? [] : [`next ${titleOf(next)} at ${minuteOf(next.window.start)}`];
}

function titleOf({ name }: Recording): string {
  return `“${name.length > TITLE_LENGTH_MAX ? `${name.slice(0, TITLE_LENGTH_MAX)}…` : name}”`;
}

/** `2026-11-21 20:15 UTC`: the reader may be in another zone than the machine. */
function minuteOf(at: EpochMs): string {
  return `${formatInstant(at).slice(0, 16).replace("T", " ")} UTC`;
}
