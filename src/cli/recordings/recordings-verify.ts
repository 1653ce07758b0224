import { Command } from "commander";
import { RecorderdError } from "../../model/errors.ts";
import type { JobView } from "../../model/job.ts";
import { type FileVerdict, fileTrouble, type LibraryEntry } from "../../model/library.ts";
import { SECOND } from "../../model/time.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import { EXIT_DAMAGED } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { sizeText, tableText } from "../table.ts";

const LOOK_MS = SECOND / 2;

interface Options {
  readonly socket: string;
  readonly json: boolean;
}

interface Result {
  readonly recordingId: string;
  readonly name: string;
  readonly file: string;
  readonly verdict: FileVerdict;
  readonly text: string;
}

/** `recorderd recordings verify [ID…]`: the daemon reads the files one by one at low speed and compares their checksums. */
export function verifyCommand(io: CliIo): Command {
  return new Command("verify")
    .description(
      "read recordings and compare size and SHA-256 with the stored values; fails unless all are intact",
    )
    .argument("[recordings...]", "ids from `recorderd recordings list` (default: all)")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the results as one JSON document", false)
    .action(async (ids: readonly string[], { socket, json }: Options) => {
      const held = (await listed(socket, io)).filter(({ deleted }) => deleted === undefined);
      const chosen = ids.length === 0 ? held : ids.map((id) => known(held, id));
      const results: Result[] = [];
      for (const { recordingId } of chosen) results.push(await verified(recordingId, socket, io));
      const bad = results.filter(({ verdict }) => verdict !== "intact");
      if (bad.length > 0) io.exitCode(EXIT_DAMAGED);
      if (json) return io.print(plainJson(results));
      if (results.length === 0) return io.note("There are no recordings.");
      const rows = results.map(({ recordingId, name, text }) => [recordingId, name, text]);
      io.print(tableText({ head: ["ID", "TITLE", "FILE"], rows }, io.columns));
    });
}

function listed(socket: string, io: CliIo): Promise<readonly LibraryEntry[]> {
  return askDaemon<readonly LibraryEntry[]>(socket, { method: "GET", path: "/v1/recordings" }, io);
}

function known(entries: readonly LibraryEntry[], id: string): LibraryEntry {
  const entry = entries.find(({ recordingId }) => recordingId === id);
  if (entry !== undefined) return entry;
  const message = `The library has no recording ${id}: recorderd recordings list shows all recordings.`;
  throw new RecorderdError("RECORDING_UNKNOWN", message);
}

/** Starts the job and waits for its end; the recording then has the result. */
async function verified(id: string, socket: string, io: CliIo): Promise<Result> {
  const path = `/v1/recordings/${encodeURIComponent(id)}/verify`;
  const job = await askDaemon<JobView>(socket, { method: "POST", path }, io);
  for (;;) {
    const jobs = await askDaemon<readonly JobView[]>(socket, { method: "GET", path: "/v1/jobs" }, io);
    const now = jobs.find((each) => each.id === job.id);
    if (now === undefined || now.state === "done") break;
    if (now.state === "failed") throw new RecorderdError("FILE_UNREADABLE", `${id}: ${now.text ?? "failed"}`);
    const share = Math.floor(100 * (now.progress ?? 0));
    io.transient?.(
      `${plainLine(now.name)}: ${now.state === "running" ? `${share} %` : "waiting for other jobs"}`,
    );
    await io.clock.sleep(LOOK_MS, io.signal);
  }
  io.transient?.("");
  return resultOf(known(await listed(socket, io), id));
}

function resultOf(entry: LibraryEntry): Result {
  const { recordingId, name, file, checked } = entry;
  const verdict = checked?.verdict ?? "unreadable";
  const told = verdict === "unproven" ? "unproven: no SHA-256 was stored before" : verdict;
  return { recordingId, name, file, verdict, text: fileTrouble(entry, sizeText) ?? told };
}
