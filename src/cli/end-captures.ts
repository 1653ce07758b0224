import { Command } from "commander";
import { captureOf } from "../compose.ts";
import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { openInspection } from "../inspect/file-inspection.ts";
import type { Clock } from "../kit/clock.ts";
import { createLog, type Log } from "../kit/log.ts";
import { LIMITS } from "../model/limits.ts";
import type { CliIo } from "./io.ts";
import { plainJson } from "./plain-text.ts";

/** What a machine does that shuts down, after the daemon has ended: captures would go on without one. */
export function endCapturesCommand(io: CliIo): Command {
  return new Command("end-captures")
    .description("end what captures run, their files closed; a daemon that runs would begin them again")
    .requiredOption("--config <FILE>", "configuration of the daemon that started them")
    .option("--json", "print how many as one JSON document", false)
    .action(async ({ config: file, json }: { readonly config: string; readonly json: boolean }) => {
      const config = await loadConfig(file);
      const ended = await endCaptures(config, { clock: io.clock, log: createLog(config.log.level) });
      if (json) return io.print(plainJson({ ended }));
      io.print(ended === 1 ? "1 capture ended" : `${ended} captures ended`);
    });
}

/** @returns how many there were */
export async function endCaptures(
  config: Config,
  parts: { readonly clock: Clock; readonly log: Log },
): Promise<number> {
  const capture = captureOf(config, { ...parts, openInspection, limits: LIMITS });
  const running = [...(await capture.running())];
  await Promise.all(running.map((id) => capture.stop(id)));
  await capture.dismissHost();
  return running.length;
}
