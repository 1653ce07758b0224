import { Command } from "commander";
import { RecorderdError } from "../../model/errors.ts";
import { fileTrouble, type LibraryEntry } from "../../model/library.ts";
import { tripletKey } from "../../model/service.ts";
import { formatInstant } from "../../model/time.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { sizeOf } from "../../recorder/subsystems/library/removal.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { detailsText, sizeText, tableText } from "../table.ts";
import { exportRecording } from "./recordings-export.ts";
import { play } from "./recordings-play.ts";
import { verifyCommand } from "./recordings-verify.ts";

interface Options {
  readonly socket: string;
  readonly json?: boolean;
}

/** `recorderd recordings …`: the running daemon's library. */
export function recordingsCommand(io: CliIo): Command {
  const recordings = new Command("recordings").description("list, play, protect and delete recordings");
  const entries = ({ socket }: Options) =>
    askDaemon<readonly LibraryEntry[]>(socket, { method: "GET", path: "/v1/recordings" }, io);

  command("list", "list the recordings, the newest last")
    .option("--json", "print the recordings as one JSON document", false)
    .action(async (options: Options) => {
      const held = (await entries(options)).filter(({ deleted }) => deleted === undefined);
      const sorted = [...held].sort((a, b) => a.event.start - b.event.start);
      if (options.json === true) return io.print(plainJson(sorted));
      if (sorted.length === 0) return io.note("There are no recordings.");
      io.print(tableText({ head: HEAD, rows: sorted.map(row) }, io.columns));
    });

  command("show", "show all facts about a recording")
    .argument("<recording>", "id from `recorderd recordings list`")
    .option("--json", "print the recording as one JSON document", false)
    .action(async (id: string, options: Options) => {
      const entry = found(await entries(options), id);
      if (options.json === true) return io.print(plainJson(entry));
      io.print(detailsText(await details(entry), io.columns));
    });

  command("delete", "delete a recording: its file and its sidecars")
    .argument("<recording>", "id from `recorderd recordings list`")
    .option("--json", "print the deleted recording as one JSON document", false)
    .action(async (id: string, { socket, json }: Options) => {
      const path = `/v1/recordings/${encodeURIComponent(id)}`;
      const entry = await askDaemon<LibraryEntry>(socket, { method: "DELETE", path }, io);
      const done = entry.imported === undefined ? "Deleted" : "Removed from the library; the file stays";
      io.print(json === true ? plainJson(entry) : `${done}: ${plainLine(entry.file)}`);
    });

  command("play", "play a recording with a player on this machine")
    .argument("<recording>", "id from `recorderd recordings list`")
    .option("--player <program>", "player to use (default: mpv, vlc or ffplay, the first that is installed)")
    .option("--json", "instead, print the path of the file as one JSON document", false)
    .action(async (id: string, options: Options & { readonly player?: string }) => {
      const { file } = found(await entries(options), id);
      if (options.json === true) return io.print(plainJson({ recordingId: id, file }));
      io.exitCode(await play(file, options.player, io));
    });

  command("export", "copy a recording and its sidecars to another place")
    .argument("<recording>", "id from `recorderd recordings list`")
    .argument("<target>", "a folder, or the name of the copy")
    .option("--json", "print the copy as one JSON document", false)
    .action(async (id: string, target: string, options: Options) => {
      const { file } = found(await entries(options), id);
      const copied = await exportRecording(file, target, io);
      if (options.json === true) return io.print(plainJson(copied));
      io.print(`Copied: ${plainLine(copied.file)}, ${sizeText(copied.bytes)}, SHA-256 ${copied.sha256}`);
    });

  recordings.addCommand(verifyCommand(io));

  flag("protect", "protect a recording from retention and from deletion", { protected: true });
  flag("unprotect", "remove the protection of a recording", { protected: false });
  flag("watched", "mark a recording as watched", { watched: true });
  flag("unwatched", "mark a recording as not watched", { watched: false });

  function flag(name: string, description: string, body: object): void {
    command(name, description)
      .argument("<recording>", "id from `recorderd recordings list`")
      .option("--json", "print the recording as one JSON document", false)
      .action(async (id: string, { socket, json }: Options) => {
        const path = `/v1/recordings/${encodeURIComponent(id)}/flags`;
        const entry = await askDaemon<LibraryEntry>(socket, { method: "POST", path, body }, io);
        if (json === true) return io.print(plainJson(entry));
        io.print(`${plainLine(entry.name)}: ${flagsText(entry) || "no flags"}`);
      });
  }

  function command(name: string, description: string): Command {
    const child = new Command(name)
      .description(description)
      .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET);
    recordings.addCommand(child);
    return child;
  }

  return recordings;
}

function found(entries: readonly LibraryEntry[], id: string): LibraryEntry {
  const entry = entries.find(({ recordingId }) => recordingId === id);
  if (entry !== undefined) return entry;
  const message = `The library has no recording ${id}: recorderd recordings list shows all recordings.`;
  throw new RecorderdError("RECORDING_UNKNOWN", message);
}

const HEAD = ["ID", "START", "CHANNEL", "TITLE", "STATE", "SIZE", "FLAGS"];

function row(entry: LibraryEntry): readonly string[] {
  const { recordingId, event, channelName, state, bytes, goneSince } = entry;
  const trouble = fileTrouble(entry, sizeText);
  return [
    recordingId,
    formatInstant(event.start),
    channelName,
    titleOf(entry),
    trouble ?? state,
    goneSince === undefined ? sizeText(entry.flaw?.bytes ?? bytes) : "",
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
    ["size", size === undefined ? `${sizeText(entry.bytes)}, missing now` : sizeText(size)],
    ["problems", fileTrouble(entry, sizeText) ?? ""],
    ["SHA-256", entry.sha256 ?? ""],
    [
      "compared",
      entry.checked === undefined ? "" : `${formatInstant(entry.checked.at)}, ${entry.checked.verdict}`,
    ],
    ["derived files", made.join(", ")],
    ["flags", flagsText(entry)],
    ["replaces", entry.heals ?? ""],
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
