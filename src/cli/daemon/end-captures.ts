import { Command } from "commander";
import { createLog } from "../../kit/log.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { endCaptures } from "../../recorder/wiring/captures.ts";
import { configOption } from "../defaults.ts";
import type { CliIo } from "../io.ts";
import { plainJson } from "../plain-text.ts";

/** For shutdown of the machine, after the daemon has ended: captures would otherwise continue. */
export function endCapturesCommand(io: CliIo): Command {
  return new Command("end-captures")
    .description("end all running captures and close their files; a running daemon would start them again")
    .addOption(configOption("configuration of the daemon that started them"))
    .option("--json", "print their number as one JSON document", false)
    .action(async ({ config: file, json }: { readonly config: string; readonly json: boolean }) => {
      const config = await loadConfig(file);
      const ended = await endCaptures(config, { clock: io.clock, log: createLog(config.log.level) });
      if (json) return io.print(plainJson({ ended }));
      io.print(ended === 1 ? "1 capture ended" : `${ended} captures ended`);
    });
}
