import { Command } from "commander";
import { isTerminal, type Recording } from "../model/recording.ts";
import { formatTimeOfDay, MINUTE } from "../model/time.ts";
import { lengthMs } from "../model/window.ts";
import { askSnapshot } from "../web/ask.ts";
import type { CliIo } from "./io.ts";
import { plainJson } from "./plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";
import { tableText } from "./table.ts";

interface Options {
  readonly socket: string;
  readonly all: boolean;
  readonly json: boolean;
}

/** `recorderd timers`: what the account ordered, and what becomes of it here and as told to the service. */
export function timersCommand(io: CliIo): Command {
  return new Command("timers")
    .description(
      "list the account's timers: what is to be recorded, its state here and as told to the service",
    )
    .option("--socket <FILE>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--all", "those that have ended too, as long as the daemon holds them", false)
    .option("--json", "print them as one JSON document", false)
    .action(async ({ socket, all, json }: Options) => {
      const { recordings } = await askSnapshot(socket, io);
      const shown = recordings
        .filter(({ state }) => all || !isTerminal(state))
        .sort((a, b) => a.event.start - b.event.start);
      if (json) return io.print(plainJson(shown.map(timerOf)));
      if (shown.length === 0) return io.note("There are no timers.");
      io.print(tableText({ head: HEAD, rows: shown.map(row) }, io.columns));
    });
}

const HEAD = ["TIMER", "START", "MIN", "CHANNEL", "TITLE", "PRIO", "STATE", "TUNER", "MESSAGE"];

function row({
  timerId,
  event,
  channelName,
  name,
  priority,
  state,
  tunerId = "",
  told,
}: Recording): readonly string[] {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(event.start);
  const start = `${day} ${formatTimeOfDay(event.start, zone)}`;
  const minutes = String(Math.round(lengthMs(event) / MINUTE));
  return [timerId, start, minutes, channelName, name, String(priority), state, tunerId, told?.message ?? ""];
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
    state,
    tunerId,
    told,
  } = recording;
  return { timerId, recordingId, name, channelName, event, window, priority, state, tunerId, told };
}
