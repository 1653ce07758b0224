import { resolve } from "node:path";
import { Command } from "commander";
import { RECORDER_PART, SECRETS_FILE } from "../../backup/contents.ts";
import { type BackupOrder, createBackup } from "../../backup/create.ts";
import { restoreBackup } from "../../backup/restore.ts";
import { asOwnerOf } from "../../kit/process/privileges.ts";
import { VERSION } from "../../kit/version.ts";
import { formatInstant } from "../../model/time.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { secretsFile } from "../../recorder/config/secrets.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";
import { handedOverSecrets } from "../secrets-file.ts";

const GUIDE_FOLDER = "/var/lib/recorderd-guide";

const FLEET_NOTE =
  "Plan, library and ledger of a fleet are in its database, not in this backup: back that up with pg_dump.";

interface BackupFlags {
  readonly config: string;
  readonly guideData: string;
  readonly withSecrets: boolean;
  readonly json: boolean;
}

export function backupCommand(io: CliIo): Command {
  return new Command("backup")
    .description(
      "back up configuration, plan, library, ledger and imported channel lists to one file, without recordings and other files that the configuration names; the daemon may keep running",
    )
    .argument("<file>", "the backup, a tar.gz that only you can read; replaces an existing file")
    .addOption(configOption("configuration of the daemon"))
    .option("--guide-data <folder>", "data of a guide server, included if the folder exists", GUIDE_FOLDER)
    .option(
      "--with-secrets",
      "include API key, token, passwords, and channel lists whose addresses may hold secrets",
      false,
    )
    .option("--json", "print the result as one JSON document", false)
    .action(async (target: string, { config: configFile, guideData, withSecrets, json }: BackupFlags) => {
      const file = resolve(target);
      const config = await asOwnerOf(configFile, () => loadConfig(configFile));
      const order = {
        file,
        configFile,
        dataFolder: config.data.folder,
        guideFolder: resolve(guideData),
        secretsFile: (await handedOverSecrets(io, config.control.socket)) ?? secretsFile(config.data.folder),
        withSecrets,
        version: VERSION,
      };
      const { files, leftOut } = await createBackup(order, io);
      if (config.fleet !== undefined) io.note(FLEET_NOTE);
      if (json) {
        io.print(JSON.stringify({ file, files, leftOut, hasSecrets: withSecrets }));
        return;
      }
      io.print(`${file}: ${files.length} files. ${secretsText(order, files)}`);
      if (leftOut.length > 0)
        io.print(
          `Left out, as their addresses may hold secrets: ${leftOut.join(", ")}. --with-secrets includes them.`,
        );
    });
}

function secretsText(
  { withSecrets, secretsFile }: Pick<BackupOrder, "withSecrets" | "secretsFile">,
  files: readonly string[],
): string {
  if (!withSecrets) return "It contains no secrets: run recorderd login after a restore.";
  return files.includes(`${RECORDER_PART}/${SECRETS_FILE}`)
    ? "It contains secrets."
    : `It contains the secrets of the configuration. There is no ${secretsFile}: run recorderd login after a restore.`;
}

interface RestoreFlags {
  readonly config: string;
  readonly guideData: string;
  readonly replace: boolean;
  readonly json: boolean;
}

export function restoreCommand(io: CliIo): Command {
  return new Command("restore")
    .description("restore a backup that `recorderd backup` made; the daemon must not run")
    .argument("<file>", "file that `recorderd backup` wrote")
    .addOption(configOption("where to restore the configuration, which names the data folder"))
    .option(
      "--guide-data <folder>",
      "where to restore the data of a guide server, if the backup has any",
      GUIDE_FOLDER,
    )
    .option("--replace", "replace an existing configuration and existing data", false)
    .option("--json", "print the result as one JSON document", false)
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
      const { dataFolder, brings, hasSecrets, hasGuide, linesToComplete, at } = restored;
      const guide = hasGuide ? `, ${order.guideFolder}` : "";
      io.print(`Restored the backup of ${formatInstant(at)}: ${order.configFile}, ${dataFolder}${guide}.`);
      const { guideService, folders, commands } = brings;
      io.print(`  guide service  ${plainLine(guideService)}`);
      for (const folder of folders) io.print(`  recordings     ${plainLine(folder)}`);
      for (const command of commands) io.print(`  it will run    ${plainLine(command)}`);
      if (!hasSecrets)
        io.print("The backup contains no secrets: run recorderd login, and recorderd tuners login.");
      if (linesToComplete.length > 0)
        io.print(
          `${order.configFile}: the backup left out secrets in lines ${linesToComplete.join(", ")}; enter them again.`,
        );
    });
}
