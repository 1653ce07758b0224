import { Command, InvalidArgumentError } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { openOrigin } from "../../migration/origin-folders.ts";
import { planImport } from "../../migration/plan.ts";
import { READERS } from "../../migration/registry.ts";
import { ORIGINS, type Origin } from "../../model/imported.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { carryOut } from "./carry-out.ts";
import { knownHere } from "./here.ts";
import { cannotCome, type ImportPicture, outcomeText, planText } from "./import-text.ts";

interface Options {
  readonly recordings?: readonly string[];
  readonly dryRun: boolean;
  readonly socket: string;
  readonly json: boolean;
}

const KNOWN = ORIGINS.filter((origin) => READERS[origin] !== undefined);

/** `recorderd import FROM FOLDER`: takes over recordings, timers and rules of another recorder, and changes nothing of it. */
export function importCommand(io: CliIo): Command {
  return new Command("import")
    .description(
      "take over recordings, timers and rules of another recorder; its files stay where they are, unchanged",
    )
    .argument("<from>", `one of ${KNOWN.join(", ")}`, originOf)
    .argument("<folder>", "the folder of its settings, such as /var/lib/tvheadend")
    .option(
      "--recordings <folder>",
      "a folder of its recordings, if they are elsewhere; may be repeated",
      (folder: string, all: readonly string[] = []) => [...all, folder],
    )
    .option("--dry-run", "show the plan, and do nothing", false)
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print plan and results as one JSON document", false)
    .action(async (origin: Origin, folder: string, options: Options) => {
      const { recordings = [], dryRun, socket, json } = options;
      const reader = await READERS[origin]?.();
      if (reader === undefined) throw new Error(`there is no reader for ${origin}`);
      const folders = await openOrigin([folder, ...recordings]);
      const { clock, signal, columns } = io;
      const found = await reader.read(folders, { now: clock.now(), timeZone: systemZone(), signal });
      const plan = planImport(origin, found, await knownHere(socket, found, io));
      const picture = { found, plan };
      if (!json) io.print(planText(picture, columns));
      const outcome = dryRun ? undefined : await carryOut(socket, plan, io);
      if (json) return io.print(plainJson({ ...document(picture), outcome }));
      if (outcome === undefined) return io.note("Nothing was done: run it again without --dry-run.");
      io.print(plainLine(""));
      io.print(outcomeText(outcome, { title: reader.title, columns }));
    });
}

function originOf(text: string): Origin {
  const origin = KNOWN.find((one) => one === text.toLowerCase());
  if (origin !== undefined) return origin;
  throw new InvalidArgumentError(`Expected one of ${KNOWN.join(", ")}.`);
}

function document({ found, plan }: ImportPicture) {
  return {
    channels: plan.channels.map(({ of, channel }) => ({ name: of.name, channelId: channel?.id })),
    recordings: plan.recordings.map(({ of, orders, fate }) => ({
      id: of.id,
      title: of.title,
      files: of.files.map(({ file }) => file),
      new: orders.length,
      fate,
    })),
    timers: plan.timers.map(({ of, ...rest }) => ({ id: of.id, title: of.title, ...rest })),
    rules: plan.rules.map(({ of, ...rest }) => ({ id: of.id, name: of.order.name, ...rest })),
    cannotCome: cannotCome({ found, plan }).map(([kind, name, why]) => ({ kind, name, why })),
    problems: found.problems,
  };
}
