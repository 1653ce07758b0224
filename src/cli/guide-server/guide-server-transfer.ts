import { resolve } from "node:path";
import { Command } from "commander";
import { exportGuide } from "../../backup/guide-export.ts";
import { importGuide } from "../../backup/guide-import.ts";
import { createLog } from "../../kit/log.ts";
import { VERSION } from "../../kit/version.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";

interface Flags {
  readonly data: string;
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
      const { data, json } = command.optsWithGlobals<Flags>();
      const order = { file: resolve(target), folder: resolve(data), version: VERSION };
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
      const { data, json } = command.optsWithGlobals<Flags>();
      const folder = resolve(data);
      const counts = await importGuide(resolve(source), folder);
      if (json) return io.print(plainJson({ folder, counts }));
      io.print(plainLine(`${folder}: ${said(counts)}. Boxes, recorders and browsers must sign in again.`));
    });
}

function said(counts: Readonly<Record<string, number>>): string {
  const of = (table: string) => counts[table] ?? 0;
  return `accounts ${of("accounts")}, users ${of("users")}, devices ${of("devices")}, timers ${of("timers")}, shows ${of("shows")}`;
}
