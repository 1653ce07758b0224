import { Command, InvalidArgumentError } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import type { Difference, Unknown, WhatIf } from "../../model/what-if.ts";
import { askDaemon, askSnapshot } from "../../recorder/api/ask.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { plannedOf, planText } from "./plan-text.ts";
import { differenceText, whatIfOf } from "./what-if-text.ts";

/** The named item does not exist. */
const EXIT_UNKNOWN = 1;

interface Options {
  readonly socket: string;
  readonly json: boolean;
  readonly whatIf?: WhatIf;
}

/** `recorderd plan`: recordings by time and tuner, conflicts with their reasons, and remedies. */
export function planCommand(io: CliIo): Command {
  return new Command("plan")
    .description("show the plan: recordings, their tuners, and what each conflict costs")
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print the plan as one JSON document", false)
    .option(
      "--what-if <change>",
      'show the effect of a change: "without tuner ID", "padding MINUTES", "priority TIMER 80", "add CHANNEL 2026-11-20T20:15Z MINUTES", "disk 200G"',
      changeOf,
    )
    .action(async ({ socket, json, whatIf }: Options) => {
      const timeZone = systemZone();
      if (whatIf !== undefined) {
        const question = { method: "POST" as const, path: "/v1/what-if", body: whatIf };
        const answer = await askDaemon<Difference | Unknown>(socket, question, io);
        if (json) io.print(plainJson(answer));
        if (answer.kind === "unknown") {
          io.note(plainLine(answer.text));
          return io.exitCode(EXIT_UNKNOWN);
        }
        if (json) return;
        const { recordings } = await askSnapshot(socket, io);
        return io.print(differenceText(answer, { recordings, timeZone }));
      }
      const snapshot = await askSnapshot(socket, io);
      const { at, plan } = snapshot;
      if (json) return io.print(plainJson({ at, recordings: plannedOf(snapshot), plan }));
      io.print(planText(snapshot, { columns: io.columns, timeZone }));
    });
}

function changeOf(text: string): WhatIf {
  const change = whatIfOf(text);
  if (change !== undefined) return change;
  throw new InvalidArgumentError("Expected one of the changes that `recorderd plan --help` lists.");
}
