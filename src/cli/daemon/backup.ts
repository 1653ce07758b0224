import { resolve } from "node:path";
import { Command } from "commander";
import { createBackup } from "../../backup/create.ts";
import { restoreBackup } from "../../backup/restore.ts";
import { asOwnerOf } from "../../kit/process/privileges.ts";
import { VERSION } from "../../kit/version.ts";
import { formatInstant } from "../../model/time.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";

const GUIDE_FOLDER = "/var/lib/recorderd-guide";

interface BackupFlags {
  readonly config: string;
  readonly guideData: string;
  readonly withSecrets: boolean;
  readonly json: boolean;
}

export function backupCommand(io: CliIo): Command {
  return new Command("backup")
    .description(
      "write one file with configuration, plan, library and ledger, of a daemon that may go on; recordings are not in it",
    )
    .argument("<file>", "the backup, a tar.gz that only you can read; one of that name is replaced")
    .addOption(configOption("configuration of the daemon"))
    .option("--guide-data <folder>", "data of a guide server, taken along where it is there", GUIDE_FOLDER)
    .option("--with-secrets", "with API key, token and passwords", false)
    .option("--json", "answer with one JSON document", false)
    .action(async (target: string, { config: configFile, guideData, withSecrets, json }: BackupFlags) => {
      const file = resolve(target);
      const config = await asOwnerOf(configFile, () => loadConfig(configFile));
      const order = {
        file,
        configFile,
        dataFolder: config.data.folder,
        guideFolder: resolve(guideData),
        withSecrets,
        version: VERSION,
      };
      const files = await createBackup(order, io);
      if (json) {
        io.print(JSON.stringify({ file, files, hasSecrets: withSecrets }));
        return;
      }
      const secrets = withSecrets
        ? "It holds secrets"
        : "Without secrets: after a restore run recorderd login";
      io.print(`${file}: ${files.length} files. ${secrets}.`);
    });
}

interface RestoreFlags {
  readonly config: string;
  readonly guideData: string;
  readonly replace: boolean;
  readonly json: boolean;
}

export function restoreCommand(io: CliIo): Command {
  return new Command("restore")
    .description("put back what `recorderd backup` wrote, where no daemon runs")
    .argument("<file>", "the backup")
    .addOption(configOption("where its configuration goes, which says where the data go"))
    .option("--guide-data <folder>", "where data of a guide server go, if it holds any", GUIDE_FOLDER)
    .option("--replace", "also where a configuration or data are there already: they are gone then", false)
    .option("--json", "answer with one JSON document", false)
    .action(async (source: string, { config, guideData, replace, json }: RestoreFlags) => {
      const order = {
        file: resolve(source),
        configFile: resolve(config),
        guideFolder: resolve(guideData),
        replaces: replace,
      };
      const restored = await restoreBackup(order, io);
      if (json) {
        io.print(JSON.stringify({ ...restored, at: formatInstant(restored.at) }));
        return;
      }
      const { dataFolder, hasSecrets, hasGuide, linesToComplete, at } = restored;
      const guide = hasGuide ? `, ${order.guideFolder}` : "";
      io.print(`As of ${formatInstant(at)}: ${order.configFile}, ${dataFolder}${guide}.`);
      if (!hasSecrets) io.print("It held no secrets: run recorderd login, and recorderd tuners login.");
      if (linesToComplete.length > 0)
        io.print(
          `${order.configFile}: write in again what was left out as secret, in lines ${linesToComplete.join(", ")}.`,
        );
    });
}
