import { type GuideServer, openGuideServer } from "../../guide-server/server.ts";
import { createLog } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CliIo } from "../io.ts";
import { type DataFlags, databaseOf, dataFolderOf } from "./data-place.ts";
import { newFolder } from "./own-folder.ts";

/**
 * Opens the guide server's data for a command: that in a folder needs the server stopped, a database does not.
 *
 * @throws RecorderdError as openGuideServer; STORE_LOCKED names the remedy
 */
export async function openStanding(flags: DataFlags, { clock }: CliIo): Promise<GuideServer> {
  const parts = { isBrief: true, clock, log: createLog("warn") };
  if (flags.database !== undefined) {
    const database = await databaseOf(flags);
    const folder = await newFolder();
    try {
      const server = await openGuideServer({ ...parts, dataFolder: folder.path, database });
      const close = async () => {
        await server[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      };
      return { ...server, [Symbol.asyncDispose]: close };
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
  }
  const dataFolder = dataFolderOf(flags);
  try {
    return await openGuideServer({ ...parts, dataFolder });
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
