import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { SecretsTrouble } from "../../model/snapshot.ts";
import { readSecretsFile, type Secrets } from "./secrets.ts";

/** The secrets as they are now: a login beside the running daemon takes effect without a restart. */
export interface LiveSecrets {
  /** `NOBODY` where there is no file, or none of its versions could be read. */
  readonly current: Secrets;
  /** Present while the file cannot be used. */
  readonly trouble: SecretsTrouble | undefined;
  /** Reads the file again, if it was changed; what cannot be read leaves those before in force. @returns whether others count now */
  refresh(): Promise<boolean>;
}

/** Before the first login there is no account, and the service asks for one. */
export const NOBODY: Secrets = { apiKey: "none" };

/** Reads the secrets. A file that cannot be used is a trouble, never a reason not to record (docs/dev/decisions/0041). */
export async function liveSecrets(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<LiveSecrets> {
  let current = NOBODY;
  let wasRead = false;
  let trouble: SecretsTrouble | undefined;
  /** Of the file as it was last read without complaint. */
  let readMark: string | undefined;

  function complain({ code, message: text }: RecorderdError): void {
    const before = trouble;
    trouble = { since: before?.since ?? clock.now(), code, text, usesEarlier: wasRead };
    if (before?.text === text) return;
    const message = wasRead
      ? "the secrets cannot be read; those read before stay in force"
      : "the secrets cannot be read: planned recordings are made, what needs the secrets waits";
    log.error(message, { code, text });
  }

  async function refresh(): Promise<boolean> {
    const mark = await markOf(file);
    if (mark !== undefined && mark === readMark) return false;
    readMark = undefined;
    try {
      const read = (await readSecretsFile(file)) ?? current;
      const isNew = !isDeepStrictEqual(read, current) || (trouble !== undefined && !wasRead);
      if (trouble !== undefined) log.info("the secrets can be read again");
      trouble = undefined;
      wasRead = true;
      readMark = mark;
      current = read;
      return isNew;
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      complain(error);
      return false;
    }
  }

  await refresh();
  return {
    get current() {
      return current;
    },
    get trouble() {
      return trouble;
    },
    refresh,
  };
}

/**
 * The secrets for who cannot do without them.
 *
 * @throws RecorderdError GUIDE_SIGN_IN_NEEDED while the file cannot be used and nothing is known of what it held
 */
export function secretsInForce({ current, trouble }: LiveSecrets): Secrets {
  if (trouble === undefined || trouble.usesEarlier) return current;
  throw new RecorderdError("GUIDE_SIGN_IN_NEEDED", `The guide service is not asked: ${trouble.text}`);
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
