import { Command } from "commander";
import type { JobView } from "../../model/job.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { tableText } from "../table.ts";

/** `recorderd jobs`: the running daemon's jobs on finished recordings. */
export function jobsCommand(io: CliIo): Command {
  return new Command("jobs")
    .description("list jobs on finished recordings: waiting, running and ended")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the list as one JSON document", false)
    .action(async ({ socket, json }: { readonly socket: string; readonly json: boolean }) => {
      const jobs = await askDaemon<readonly JobView[]>(socket, { method: "GET", path: "/v1/jobs" }, io);
      if (json) return io.print(plainJson(jobs));
      if (jobs.length === 0) return io.note("There are no jobs.");
      io.print(tableText({ head: HEAD, rows: jobs.map(row) }, io.columns));
    });
}

const HEAD = ["ID", "JOB", "RECORDING", "TITLE", "STATE", "DONE", "TEXT"];

function row({ id, kind, recordingId, name, state, progress, text = "" }: JobView): readonly string[] {
  const done = progress === undefined ? "" : `${Math.floor(progress * 100)} %`;
  return [String(id), kind, recordingId, name, state, done, text];
}
