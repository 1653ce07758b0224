import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { SecretsTrouble } from "../../model/snapshot.ts";
import { readSecretsFile, type Secrets } from "./secrets.ts";

/** The current secrets: a login takes effect while the daemon runs, without a restart. */
export interface LiveSecrets {
  /** `NO_ACCOUNT` if there is no file, or if it was never readable. */
  readonly current: Secrets;
  /** The reason why the file cannot be used; absent if it can. */
  readonly trouble: SecretsTrouble | undefined;
  /** Reads a changed file again; after an error, the previous secrets stay valid. @returns whether the secrets changed */
  refresh(): Promise<boolean>;
}

/** Before the first login there is no account. */
export const NO_ACCOUNT: Secrets = { apiKey: "none" };

/** Reads the secrets. An unusable file is a reported trouble, and never prevents recording (docs/dev/decisions/0041). */
export async function liveSecrets(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<LiveSecrets> {
  let current = NO_ACCOUNT;
  let wasRead = false;
  let trouble: SecretsTrouble | undefined;
  /** Identifies the last version of the file that was read without errors. */
  let readMark: string | undefined;

  function complain({ code, message: text }: RecorderdError): void {
    const before = trouble;
    trouble = { since: before?.since ?? clock.now(), code, text, usesEarlier: wasRead };
    if (before?.text === text) return;
    const message = wasRead
      ? "the secrets cannot be read; the previous ones stay in force"
      : "the secrets cannot be read: planned recordings continue, work that needs secrets waits";
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
 * The secrets, for callers that need them.
 *
 * @throws RecorderdError GUIDE_SIGN_IN_NEEDED if the file cannot be used and no earlier content is known
 */
export function secretsInForce({ current, trouble }: LiveSecrets): Secrets {
  if (trouble === undefined || trouble.usesEarlier) return current;
  throw new RecorderdError(
    "GUIDE_SIGN_IN_NEEDED",
    `The recorder does not contact the guide service: ${trouble.text}`,
  );
}

/** Identifies a version of the file, including its permissions; `undefined` if it is not accessible. */
async function markOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, ctimeNs } = await stat(file, { bigint: true });
    return [dev, ino, size, ctimeNs].join(" ");
  } catch {
    return undefined;
  }
}
