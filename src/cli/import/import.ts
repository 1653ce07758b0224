import { Command } from "commander";
import { systemZone } from "../../kit/machine/machine.ts";
import { openOrigin } from "../../migration/origin-folders.ts";
import { planImport } from "../../migration/plan.ts";
import type { OriginReader } from "../../migration/reader.ts";
import { READERS } from "../../migration/registry.ts";
import { ORIGIN_NAMES, ORIGINS, type Origin } from "../../model/imported.ts";
import { DEFAULT_SOCKET } from "../daemon/status.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";
import { carryOut } from "./carry-out.ts";
import { knownHere } from "./here.ts";
import { cannotCome, type ImportPicture, outcomeText, planText } from "./import-text.ts";

interface Options {
  readonly recordings?: readonly string[];
  readonly dryRun: boolean;
  readonly socket: string;
  readonly json: boolean;
}

const FOLDERS: Readonly<Record<Origin, string>> = {
  tvheadend: "settings folder of Tvheadend",
  vdr: "settings folder of VDR",
  mythtv: "folder with a backup of MythTV's database",
};

/** `recorderd import`: a command for each recorder that can be read. It changes nothing of that recorder. */
export function importCommand(io: CliIo): Command {
  const command = new Command("import").description(
    "import recordings, timers and rules from another recorder; its files stay where they are, unchanged",
  );
  for (const origin of ORIGINS) {
    const load = READERS[origin];
    if (load !== undefined) command.addCommand(fromOrigin(origin, load, io));
  }
  return command;
}

function fromOrigin(origin: Origin, load: () => Promise<OriginReader>, io: CliIo): Command {
  const { clock, signal, columns } = io;
  const title = ORIGIN_NAMES[origin];
  return new Command(origin)
    .description(`import recordings, timers and rules from ${title}`)
    .argument("<folder>", FOLDERS[origin])
    .option(
      "--recordings <folder>",
      "folder with recordings outside of the settings folder; may be repeated",
      (folder: string, all: readonly string[] = []) => [...all, folder],
    )
    .option("--dry-run", "show what would be imported, and change nothing", false)
    .option("--socket <file>", "control socket of the daemon", DEFAULT_SOCKET)
    .option("--json", "print plan and results as one JSON document", false)
    .action(async (folder: string, { recordings = [], dryRun, socket, json }: Options) => {
      const reader = await load();
      const folders = await openOrigin([folder, ...recordings]);
      const found = await reader.read(folders, { now: clock.now(), timeZone: systemZone(), signal });
      const plan = planImport(origin, found, await knownHere(socket, found, io));
      const picture = { found, plan };
      if (!json) io.print(planText(picture, columns));
      const outcome = dryRun ? undefined : await carryOut(socket, plan, io);
      if (json) return io.print(plainJson({ ...document(picture), outcome }));
      if (outcome === undefined)
        return io.note("Nothing was imported: run the command again without --dry-run.");
      io.print("");
      io.print(outcomeText(outcome, { title, columns }));
    });
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
