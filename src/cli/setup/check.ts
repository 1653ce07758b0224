import { Command } from "commander";
import { startProblem } from "../../kit/process/startable.ts";
import { RecorderdError } from "../../model/errors.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import type { Config } from "../../recorder/config/schema.ts";
import { commandOf, HOOK_PATH } from "../../recorder/subsystems/library/core/hooks.ts";
import { notFollowed } from "../daemon/not-followed.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";

/** @throws RecorderdError from `parseAsync`: FILE_UNREADABLE or CONFIG_INVALID */
export function checkCommand(io: CliIo): Command {
  return new Command("check")
    .description("check a configuration and list all its mistakes; starts and changes nothing")
    .addOption(configOption("configuration, see config/recorderd.example.yaml"))
    .option("--json", "print the configuration with all defaults as one JSON document", false)
    .action(async ({ config: file, json }: { readonly config: string; readonly json: boolean }) => {
      const config = await loadConfig(file);
      await checkHooks(config, file);
      if (json) return io.print(plainJson(config));
      io.print(`${file} has no mistakes`);
      for (const text of notFollowed(config)) io.print(`note: ${text}`);
    });
}

/** A hook that cannot start would otherwise be noticed only after a recording. */
async function checkHooks({ hooks }: Pick<Config, "hooks">, file: string): Promise<void> {
  const mistakes: string[] = [];
  for (const [index, hook] of hooks.entries()) {
    const why = await startProblem(commandOf(hook), HOOK_PATH);
    if (why !== undefined)
      mistakes.push(`${file}: hooks[${index}].command: ${hook.command[0]} cannot be started: ${why}`);
  }
  if (mistakes.length > 0) throw new RecorderdError("CONFIG_INVALID", mistakes.join("\n"), { file });
}
