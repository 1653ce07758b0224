import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../kit/log.ts";
import { RecorderdError } from "../model/errors.ts";
import { readSecretsFile, type Secrets } from "./secrets.ts";

/** The secrets as they are now: a login beside the running daemon takes effect without a restart. */
export interface LiveSecrets {
  readonly current: Secrets;
  /** Reads the file again, if it was changed; what cannot be read leaves those before in force. @returns whether they are others now */
  refresh(): Promise<boolean>;
}

/** Before the first login there is no account, and the service asks for one. */
export const NOBODY: Secrets = { apiKey: "none" };

/** @throws RecorderdError CONFIG_INVALID or FILE_UNREADABLE when there is a file and it cannot be used */
export async function liveSecrets(file: string, log: Log): Promise<LiveSecrets> {
  let current = (await readSecretsFile(file)) ?? NOBODY;
  let complaint: string | undefined;
  /** Of the file as it was last read without complaint. */
  let readMark: string | undefined;
  return {
    get current() {
      return current;
    },
    async refresh() {
      const mark = await markOf(file);
      if (mark !== undefined && mark === readMark) return false;
      readMark = undefined;
      try {
        const read = (await readSecretsFile(file)) ?? current;
        complaint = undefined;
        readMark = mark;
        const isNew = !isDeepStrictEqual(read, current);
        current = read;
        return isNew;
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
        if (complaint === error.message) return false;
        complaint = error.message;
        log.warn("the secrets cannot be read, those before stay in force", {
          code: error.code,
          text: error.message,
        });
        return false;
      }
    },
  };
}

/** Another one whenever something of the file was changed, its permissions too; `undefined` where it cannot be looked at. */
async function markOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, ctimeNs].join(" ");
  } catch {
    return undefined;
  }
}
