import { Command } from "commander";
import { loadConfig } from "../config/load.ts";
import type { CliIo } from "./io.ts";

/** @throws RecorderdError out of `parseAsync`: FILE_UNREADABLE or CONFIG_INVALID */
export function checkCommand(io: CliIo): Command {
  return new Command("check")
    .description("read a configuration and name every mistake in it; nothing is started or changed")
    .requiredOption("--config <FILE>", "configuration, see config/recorderd.example.yaml")
    .action(async ({ config: file }: { readonly config: string }) => {
      await loadConfig(file);
      io.print(`${file} has no mistakes`);
    });
}
