import { Command } from "commander";
import { captureOf } from "../compose.ts";
import { loadConfig } from "../config/load.ts";
import { openInspection } from "../inspect/file-inspection.ts";
import { createLog } from "../kit/log.ts";
import { LIMITS } from "../model/limits.ts";
import type { CliIo } from "./io.ts";

/** What a machine does that shuts down, after the daemon has ended: captures would go on without one. */
export function endCapturesCommand(io: CliIo): Command {
  return new Command("end-captures")
    .description("end what captures run, their files closed; a daemon that runs would begin them again")
    .requiredOption("--config <FILE>", "configuration of the daemon that started them")
    .action(async ({ config: file }: { readonly config: string }) => {
      const config = await loadConfig(file);
      const log = createLog(config.log.level);
      const capture = captureOf(config, { clock: io.clock, log, openInspection, limits: LIMITS });
      const running = [...(await capture.running())];
      await Promise.all(running.map((id) => capture.stop(id)));
      io.print(running.length === 1 ? "1 capture ended" : `${running.length} captures ended`);
    });
}
