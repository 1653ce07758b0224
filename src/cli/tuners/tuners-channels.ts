import { Command } from "commander";
import type { KnownService } from "../../model/channel-match.ts";
import type { Reach } from "../../model/reach.ts";
import { tripletKey } from "../../model/service.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { tableText } from "../table.ts";

interface Options {
  readonly socket: string;
  readonly missing: boolean;
  readonly json: boolean;
}

/** `recorderd tuners channels`: the guide's channels that can be recorded here, and the reasons for the others. */
export function tunersChannelsCommand(io: CliIo): Command {
  return new Command("channels")
    .description("show which tuners receive each channel of the guide, or why none does")
    .option("--missing", "show only channels that no tuner receives", false)
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

const HEAD = ["ID", "NUMBER", "CHANNEL", "SERVICE", "FOUND BY", "TUNERS"];

function rowOf({
  channelId,
  number,
  name,
  service,
  by,
  tuners,
  why = "",
  candidates = [],
}: Reach): readonly string[] {
  const received = service === undefined ? [why, likelyText(candidates)].join("; ") : tuners.join(", ");
  return [
    channelId,
    number?.toString() ?? "",
    name,
    service === undefined ? "NOT RECEIVED" : tripletKey(service),
    by ?? "",
    received,
  ];
}

const LIKELY_SHOWN = 3;

function likelyText(candidates: readonly KnownService[]): string {
  if (candidates.length === 0) return "no candidates";
  const some = candidates.slice(0, LIKELY_SHOWN);
  return `may be ${some.map(({ name, triplet }) => `${name || "?"} (${tripletKey(triplet)})`).join(", ")}`;
}

function summaryOf(all: readonly Reach[]): string {
  if (all.length === 0)
    return "the recorder does not have the guide's channels yet: `recorderd status` shows why";
  const missing = all.filter(({ service }) => service === undefined).length;
  if (missing === 0) return `all ${all.length} channels are received`;
  return `no tuner receives ${missing} of the ${all.length} channels: assign a service to one with \`recorderd tuners assign\``;
}
