import { Command } from "commander";
import type { Reach } from "../model/reach.ts";
import { tripletKey } from "../model/service.ts";
import { askDaemon } from "../web/ask.ts";
import type { CliIo } from "./io.ts";
import { plainJson } from "./plain-text.ts";
import { DEFAULT_SOCKET } from "./status.ts";
import { tableText } from "./table.ts";

interface Options {
  readonly socket: string;
  readonly missing: boolean;
  readonly json: boolean;
}

/** `recorderd tuners channels`: which channels of the guide can be recorded here, and why the others cannot. */
export function tunersChannelsCommand(io: CliIo): Command {
  return new Command("channels")
    .description("which tuners receive each channel of the guide, and why none does")
    .option("--missing", "only those that no tuner receives", false)
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print one JSON document", false)
    .action(async ({ socket, missing, json }: Options) => {
      const question = { method: "GET", path: "/v1/tuners/channels" } as const;
      const all = await askDaemon<readonly Reach[]>(socket, question, io);
      const shown = missing ? all.filter(({ service }) => service === undefined) : all;
      if (json) return io.print(plainJson({ channels: shown }));
      if (shown.length > 0) io.print(tableText({ head: HEAD, rows: shown.map(rowOf) }, io.columns));
      io.note(summaryOf(all));
    });
}

const HEAD = ["NUMBER", "CHANNEL", "SERVICE", "TUNERS"];

function rowOf({ number, name, service, tuners, why = "" }: Reach): readonly string[] {
  const received = service === undefined ? why : tuners.join(", ");
  return [
    number?.toString() ?? "",
    name,
    service === undefined ? "NOT RECEIVED" : tripletKey(service),
    received,
  ];
}

function summaryOf(all: readonly Reach[]): string {
  if (all.length === 0)
    return "the recorder does not know the guide's channels yet: `recorderd status` says why";
  const missing = all.filter(({ service }) => service === undefined).length;
  if (missing === 0) return `all ${all.length} channels are received`;
  return `${missing} of ${all.length} channels are received by no tuner: docs/tuners.md, "Channel lists"`;
}
