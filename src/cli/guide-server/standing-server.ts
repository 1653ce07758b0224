import { type GuideServer, openGuideServer } from "../../guide-server/server.ts";
import { createLog } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CliIo } from "../io.ts";

/**
 * The guide server's data, for a command that changes it while no server runs on it.
 *
 * @throws RecorderdError as openGuideServer; STORE_LOCKED says what to do instead
 */
export async function openStanding(dataFolder: string, { clock }: CliIo): Promise<GuideServer> {
  try {
    return await openGuideServer({ dataFolder, isBrief: true, clock, log: createLog("warn") });
  } catch (error) {
    if (!(error instanceof RecorderdError && error.code === "STORE_LOCKED" && error.facts["keeps"] === true))
      throw error;
    throw new RecorderdError(
      "STORE_LOCKED",
      `The guide server of ${dataFolder} runs (process ${error.facts["pid"]}). Its page Users adds, changes and removes users while it runs; ` +
        "for everything else end it for a moment (systemctl stop recorderd-guide) and say this again.",
      error.facts,
      { cause: error },
    );
  }
}
