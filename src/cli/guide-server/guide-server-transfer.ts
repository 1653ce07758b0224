import { resolve } from "node:path";
import { Command } from "commander";
import { exportGuide } from "../../backup/guide-export.ts";
import { importGuide } from "../../backup/guide-import.ts";
import { migrateToDatabase, migrateToFolder } from "../../backup/guide-migrate.ts";
import { createLog } from "../../kit/log.ts";
import { parseDatabaseAddress } from "../../kit/postgres/address.ts";
import { VERSION } from "../../kit/version.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { type DataFlags, databaseOf, dataFolderOf, PASSWORD_PLACE } from "./data-place.ts";

interface Flags extends DataFlags {
  readonly json: boolean;
}

/** `recorderd guide-server export` @throws RecorderdError from `parseAsync`, as exportGuide */
export function exportCommand(io: CliIo): Command {
  return new Command("export")
    .description(
      "export all data except sessions to one file, JSON lines compressed with gzip; the server may keep running",
    )
    .argument(
      "<file>",
      "the export, which only you can read, as it has password hashes; replaces an existing file",
    )
    .option("--json", "print the result as one JSON document", false)
    .action(async (target: string, _options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { json } = flags;
      const order = { file: resolve(target), folder: dataFolderOf(flags), version: VERSION };
      const { clock, signal } = io;
      const counts = await exportGuide(order, { clock, signal, log: createLog("warn") });
      if (json) return io.print(plainJson({ file: order.file, counts }));
      io.print(plainLine(`${order.file}: ${said(counts)}. It contains password hashes.`));
    });
}

/** `recorderd guide-server import` @throws RecorderdError from `parseAsync`, as importGuide */
export function importCommand(io: CliIo): Command {
  return new Command("import")
    .description("import an export into a folder that is empty or does not exist")
    .argument("<file>", "the export")
    .option("--json", "print the result as one JSON document", false)
    .action(async (source: string, _options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { json } = flags;
      const folder = dataFolderOf(flags);
      const counts = await importGuide(resolve(source), folder);
      if (json) return io.print(plainJson({ folder, counts }));
      io.print(plainLine(`${folder}: ${said(counts)}. Boxes, recorders and browsers must sign in again.`));
    });
}

/** `recorderd guide-server migrate` @throws RecorderdError from `parseAsync`, as migrateToDatabase and migrateToFolder */
export function migrateCommand(io: CliIo): Command {
  return new Command("migrate")
    .description(
      "copy all data, sessions included, from --data to a PostgreSQL database, or from --database to a folder; the server must not run",
    )
    .requiredOption(
      "--to <place>",
      "the database, which must have no data, or the folder, which must be empty",
    )
    .option("--json", "print the result as one JSON document", false)
    .action(async (_options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags & { readonly to: string }>();
      const parts = { clock: io.clock, log: createLog("warn") };
      const counts = /^postgres(ql)?:/.test(flags.to)
        ? await migrateToDatabase(
            dataFolderOf(flags),
            await databaseOf({ ...flags, database: parseDatabaseAddress(flags.to, PASSWORD_PLACE) }),
            parts,
          )
        : await migrateToFolder(await databaseOf(flags), resolve(flags.to), parts);
      if (flags.json) return io.print(plainJson({ to: flags.to, counts }));
      io.print(plainLine(`${flags.to}: ${said(counts)}.`));
    });
}

function said(counts: Readonly<Record<string, number>>): string {
  const of = (table: string) => counts[table] ?? 0;
  return `accounts ${of("accounts")}, users ${of("users")}, devices ${of("devices")}, timers ${of("timers")}, shows ${of("shows")}`;
}
