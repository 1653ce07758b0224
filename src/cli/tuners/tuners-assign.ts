import { Command } from "commander";
import type { Reach } from "../../model/reach.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import { askDaemon } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { tripletOf } from "./triplet.ts";

interface Options {
  readonly socket: string;
  readonly json: boolean;
}

/** `recorderd tuners assign CHANNEL TRIPLET`: assigns a service to a channel of the guide. */
export function tunersAssignCommand(io: CliIo): Command {
  return new Command("assign")
    .description("assign a service to a channel of the guide, on this recorder; takes effect at once")
    .argument("<channel>", "id from `recorderd tuners channels`")
    .argument(
      "<service>",
      "triplet of the service, such as 318/18432/3401, or `auto` to let recorderd choose",
      serviceOf,
    )
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print one JSON document", false)
    .action(async (channelId: string, service: Triplet | null, { socket, json }: Options) => {
      const path = `/v1/tuners/channels/${encodeURIComponent(channelId)}`;
      const question = { method: "PUT", path, body: { service } } as const;
      const all = await askDaemon<readonly Reach[]>(socket, question, io);
      const channel = all.find((one) => one.channelId === channelId);
      if (json) return io.print(plainJson(channel ?? null));
      io.print(plainLine(channel === undefined ? channelId : assignedText(channel)));
    });
}

function serviceOf(text: string): Triplet | null {
  return text === "auto" ? null : tripletOf(text);
}

function assignedText({ name, service, tuners, why = "" }: Reach): string {
  if (service === undefined) return `No tuner receives ${name} yet: ${why}`;
  return `${name} is ${tripletKey(service)}, received by ${tuners.join(", ")}`;
}
