import { Command } from "commander";
import { sizeOf } from "../library/removal.ts";
import type { LibraryEntry } from "../model/library.ts";
import { tripletKey } from "../model/service.ts";
import { formatInstant } from "../model/time.ts";
import { askDaemon } from "../web/ask.ts";
import type { CliIo } from "./io.ts";
import { plainJson, plainLine } from "./plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";
import { detailsText, sizeText, tableText } from "./table.ts";

/** What was named is not there. */
const EXIT_UNKNOWN = 1;

interface Options {
  readonly socket: string;
  readonly json?: boolean;
}

/** `recorderd recordings …`: the library, as the running daemon holds it. */
export function recordingsCommand(io: CliIo): Command {
  const recordings = new Command("recordings").description("what was recorded: see it, keep it, delete it");
  const entries = ({ socket }: Options) =>
    askDaemon<readonly LibraryEntry[]>(socket, { method: "GET", path: "/v1/recordings" }, io);

  command("list", "list the recordings, the newest last")
    .option("--json", "print them as one JSON document", false)
    .action(async (options: Options) => {
      const held = (await entries(options)).filter(({ deleted }) => deleted === undefined);
      const sorted = [...held].sort((a, b) => a.event.start - b.event.start);
      if (options.json === true) return io.print(plainJson(sorted));
      if (sorted.length === 0) return io.note("There are no recordings.");
      io.print(tableText({ head: HEAD, rows: sorted.map(row) }, io.columns));
    });

  command("show", "say everything about one recording")
    .argument("<recording>", "its id, as the list shows it")
    .option("--json", "print it as one JSON document", false)
    .action(async (id: string, options: Options) => {
      const entry = (await entries(options)).find(({ recordingId }) => recordingId === id);
      if (entry === undefined) {
        io.note(`The library holds no recording ${plainLine(id)}.`);
        return io.exitCode(EXIT_UNKNOWN);
      }
      if (options.json === true) return io.print(plainJson(entry));
      io.print(detailsText(await details(entry), io.columns));
    });

  command("delete", "delete a recording: its file, and what goes with it")
    .argument("<recording>", "its id, as the list shows it")
    .action(async (id: string, { socket }: Options) => {
      const path = `/v1/recordings/${encodeURIComponent(id)}`;
      const { file } = await askDaemon<LibraryEntry>(socket, { method: "DELETE", path }, io);
      io.print(`Deleted: ${plainLine(file)}`);
    });

  flag("protect", "keep a recording from retention and from deletion", { protected: true });
  flag("unprotect", "undo protect", { protected: false });
  flag("watched", "mark a recording as watched", { watched: true });
  flag("unwatched", "undo watched", { watched: false });

  function flag(name: string, description: string, body: object): void {
    command(name, description)
      .argument("<recording>", "its id, as the list shows it")
      .action(async (id: string, { socket }: Options) => {
        const path = `/v1/recordings/${encodeURIComponent(id)}/flags`;
        const entry = await askDaemon<LibraryEntry>(socket, { method: "POST", path, body }, io);
        io.print(`${plainLine(entry.name)}: ${flagsText(entry) || "no flags"}`);
      });
  }

  function command(name: string, description: string): Command {
    const child = new Command(name)
      .description(description)
      .option("--socket <FILE>", "control socket of the daemon", DEFAULT_SOCKET);
    recordings.addCommand(child);
    return child;
  }

  return recordings;
}

const HEAD = ["ID", "START", "CHANNEL", "TITLE", "STATE", "SIZE", "FLAGS"];

function row(entry: LibraryEntry): readonly string[] {
  const { recordingId, event, channelName, state, bytes, goneSince } = entry;
  return [
    recordingId,
    formatInstant(event.start),
    channelName,
    titleOf(entry),
    state,
    goneSince === undefined ? sizeText(bytes) : "",
    flagsText(entry),
  ];
}

function titleOf({ name, subtitle }: LibraryEntry): string {
  return subtitle === undefined ? name : `${name}: ${subtitle}`;
}

async function details(entry: LibraryEntry): Promise<readonly (readonly [string, string])[]> {
  const { recordingId, timerId, channelName, service, event, state, endedAt, file, made, deleted } = entry;
  const size = await sizeOf(file);
  return [
    ["id", recordingId],
    ["timer", timerId],
    ["title", titleOf(entry)],
    ["channel", channelName],
    ["service", service === undefined ? "" : tripletKey(service)],
    ["series", entry.guideSeries ?? ""],
    ["series recording", entry.series ?? ""],
    ["event", `${formatInstant(event.start)} – ${formatInstant(event.stop)}`],
    ["ended", `${formatInstant(endedAt)}, ${state}`],
    ["file", file],
    ["size", size === undefined ? `${sizeText(entry.bytes)}, not there now` : sizeText(size)],
    ["made of it", made.join(", ")],
    ["flags", flagsText(entry)],
    [
      "deleted",
      deleted === undefined ? "" : `${formatInstant(deleted.at)} by ${deleted.actor}: ${deleted.reason}`,
    ],
  ];
}

function flagsText({ protected: isProtected, watched, goneSince }: LibraryEntry): string {
  const flags = [
    isProtected ? "protected" : "",
    watched ? "watched" : "",
    goneSince === undefined ? "" : `gone since ${formatInstant(goneSince)}`,
  ];
  return flags.filter((each) => each !== "").join(", ");
}
