import { type GuideServer, openGuideServer } from "../../guide-server/server.ts";
import { createLog } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CliIo } from "../io.ts";

/**
 * Opens the guide server's data for a command that needs the server stopped.
 *
 * @throws RecorderdError as openGuideServer; STORE_LOCKED names the remedy
 */
export async function openStanding(dataFolder: string, { clock }: CliIo): Promise<GuideServer> {
  try {
    return await openGuideServer({ dataFolder, isBrief: true, clock, log: createLog("warn") });
  } catch (error) {
    if (!(error instanceof RecorderdError && error.code === "STORE_LOCKED" && error.facts["keeps"] === true))
      throw error;
    throw new RecorderdError(
      "STORE_LOCKED",
      `The guide server of ${dataFolder} runs (process ${error.facts["pid"]}). Use its page Users to manage users while it runs; ` +
        "for everything else stop it (systemctl stop recorderd-guide) and run this command again.",
      error.facts,
      { cause: error },
    );
  }
}
