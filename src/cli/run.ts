import { Command } from "commander";
import { openDaemon } from "../compose.ts";
import { loadConfig } from "../config/load.ts";
import { createLog } from "../kit/log.ts";
import type { CliIo } from "./io.ts";

export function runCommand(io: CliIo): Command {
  return new Command("run")
    .description("be the recorder: keep recording what the account's timers order, until told to end")
    .requiredOption("--config <FILE>", "configuration, see config/recorderd.example.yaml")
    .action(async ({ config: file }: { readonly config: string }) => {
      const config = await loadConfig(file);
      const log = createLog(config.log.level);
      await using daemon = await openDaemon(config, { clock: io.clock, log });
      log.info("recorderd runs", { config: file });
      await daemon.run(io.signal);
      log.info("recorderd ends; captures that run go on");
    });
}
