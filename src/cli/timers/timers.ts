import { Command, InvalidArgumentError } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { isTerminal, type Recording } from "../../model/recording.ts";
import type { Repeat } from "../../model/repeat.ts";
import { formatDuration, formatTimeOfDay, MINUTE } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { askDaemon, askSnapshot } from "../../recorder/api/ask.ts";
import { repeatText } from "../../recorder/report/core/message.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tableText } from "../table.ts";

interface Options {
  readonly socket: string;
  readonly all: boolean;
  readonly json: boolean;
}

/** `recorderd timers`: the account's timers, with their local state and the reported one. */
export function timersCommand(io: CliIo): Command {
  const timers = new Command("timers")
    .description("list the account's timers, with their state here and as reported to the service")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--all", "include ended timers that the daemon still has", false)
    .option("--json", "print the timers as one JSON document", false)
    .action(async ({ socket, all, json }: Options) => {
      const { recordings } = await askSnapshot(socket, io);
      const shown = recordings
        .filter(({ state }) => all || !isTerminal(state))
        .sort((a, b) => a.event.start - b.event.start);
      if (json) return io.print(plainJson(shown.map(timerOf)));
      if (shown.length === 0) return io.note("There are no timers.");
      io.print(tableText({ head: HEAD, rows: shown.map(row), notes: shown.map(noteOf) }, io.columns));
    });

  timers
    .command("priority")
    .description("override the priority of a timer")
    .argument("<timer>", "id from `recorderd timers`")
    .argument("<priority>", "0 to 100, or `default` for the priority from the rules", priorityOf)
    .action(async (id: string, priority: number | null, _options: unknown, command: Command) =>
      setOverride(id, { priority }, command),
    );

  timers
    .command("padding")
    .description("override the padding of a timer")
    .argument("<timer>", "id from `recorderd timers`")
    .argument(
      "<minutes>",
      "minutes before and after, such as 2,10, or `default` for the padding from the account and the configuration",
      paddingOf,
    )
    .action(async (id: string, padding: Minutes | null, _options: unknown, command: Command) =>
      setOverride(id, { padding }, command),
    );

  timers
    .command("repeat")
    .description("record the repeat that the plan offers for a timer in conflict, then cancel the timer")
    .argument("<timer>", "id from `recorderd timers`")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { socket, json } = command.optsWithGlobals<Options>();
      const path = `/v1/timers/${encodeURIComponent(id)}/repeat`;
      const repeat = await askDaemon<Repeat>(socket, { method: "POST", path }, io);
      if (json) return io.print(plainJson(repeat));
      const timeZone = systemZone();
      io.print(plainLine(`Booked the repeat ${repeatText(repeat, { timeZone })} and cancelled timer ${id}.`));
    });

  async function setOverride(id: string, body: object, command: Command): Promise<void> {
    const { socket, json } = command.optsWithGlobals<Options>();
    const path = `/v1/timers/${encodeURIComponent(id)}/override`;
    const recording = await askDaemon<Recording>(socket, { method: "POST", path, body }, io);
    if (json) return io.print(plainJson(timerOf(recording)));
    const { name, priority, padding } = recording;
    const [before, after] = [padding.beforeMs, padding.afterMs].map((ms) => formatDuration(ms));
    io.print(plainLine(`“${name}”: priority ${priority}, padding ${before} before and ${after} after`));
  }

  return timers;
}

interface Minutes {
  readonly beforeMinutes: number;
  readonly afterMinutes: number;
}

function priorityOf(text: string): number | null {
  if (text === "default") return null;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new InvalidArgumentError("Expected a number from 0 to 100, or default.");
}

function paddingOf(text: string): Minutes | null {
  if (text === "default") return null;
  const [, before, after] = /^(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  const [beforeMinutes, afterMinutes] = [Number(before), Number(after)];
  if (beforeMinutes <= 1440 && afterMinutes <= 1440) return { beforeMinutes, afterMinutes };
  throw new InvalidArgumentError("Expected minutes before and after, such as 2,10, or default.");
}

const HEAD = ["TIMER", "START", "MIN", "CHANNEL", "TITLE", "PRIO", "STATE", "TUNER"];

function row({
  timerId,
  event,
  channelName,
  name,
  priority,
  state,
  tunerId = "",
}: Recording): readonly string[] {
  const zone = systemZone();
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(event.start);
  const start = `${day} ${formatTimeOfDay(event.start, zone)}`;
  const minutes = String(Math.round(lengthMs(event) / MINUTE));
  return [timerId, start, minutes, channelName, name, String(priority), state, tunerId];
}

/** The reported message, unless it only repeats the row. */
function noteOf({ state, trim, doubt, trouble, reported }: Recording): string {
  const isPlain = state === "planned" && trim === undefined && doubt === undefined && trouble === undefined;
  return isPlain ? "" : (reported?.message ?? "");
}

function timerOf(recording: Recording): object {
  const {
    timerId,
    id: recordingId,
    name,
    channelName,
    event,
    window,
    priority,
    override,
    state,
    tunerId,
    reported,
    rule,
  } = recording;
  return {
    timerId,
    recordingId,
    name,
    channelName,
    event,
    window,
    priority,
    own: override,
    ruleId: rule?.id,
    state,
    tunerId,
    told: reported,
  };
}
