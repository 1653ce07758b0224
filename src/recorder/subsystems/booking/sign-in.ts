import type { GuideClient } from "../../../guide-wire/client.ts";
import { signIn } from "../../../guide-wire/sign-in.ts";
import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { parseWireInstant } from "../../../model/time.ts";
import type { GuideApi } from "../../../web/guide-api.ts";
import type { LiveSecrets } from "../../config/live-secrets.ts";
import { prepareFolder, readSecretsFile, refuseHandedOver, writeSecretsFile } from "../../config/secrets.ts";
import { BOOKING_LIMITS } from "./limits.ts";

interface SignInParts {
  readonly client: Pick<GuideClient, "login">;
  /** The file of the token. */
  readonly file: string;
  /** The same file if systemd or a container provides it: then it cannot be changed. */
  readonly handedOver: string | undefined;
  readonly secrets: LiveSecrets;
  /** Makes the daemon use the file's new content. */
  readonly takeOver: () => Promise<void>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Takes over a sign-in that another program stores. */
export function watchSignIn({
  refresh,
  clock,
}: {
  readonly refresh: () => Promise<void>;
  readonly clock: Clock;
}): { readonly name: "sign-in"; run(signal: AbortSignal): Promise<void> } {
  return {
    name: "sign-in",
    run: async (signal) => {
      while (!signal.aborted) {
        await refresh();
        await clock.sleep(BOOKING_LIMITS.signInLookMs, signal).catch(() => {});
      }
    },
  };
}

/** Signs in for people at the daemon itself, like `recorderd login`; one at a time. */
export function createSignIn({
  client,
  file,
  handedOver,
  secrets,
  takeOver,
  log,
  signal,
}: SignInParts): GuideApi["signIn"] {
  let isBusy = false;

  async function attempt(email: string, password: string) {
    refuseHandedOver(handedOver);
    await prepareFolder(file);
    // Request no token that could not be stored.
    await readSecretsFile(file);
    const request = { member: { email_address: email, password } };
    const { document, account } = await signIn(client, request, signal);
    // The rest of the file stays; an unreadable file is not overwritten.
    await writeSecretsFile(file, { ...((await readSecretsFile(file)) ?? secrets.current), account });
    await takeOver();
    const until = parseWireInstant(document.member.token_expiry ?? "");
    return until === undefined ? {} : { until };
  }

  return async ({ email, password }) => {
    if (isBusy)
      throw new RecorderdError(
        "GUIDE_UNAVAILABLE",
        "Another sign-in is under way: try again when it is finished.",
      );
    isBusy = true;
    try {
      const signedIn = await attempt(email, password);
      log.info("signed in to the guide service");
      return signedIn;
    } catch (error) {
      if (error instanceof RecorderdError)
        log.warn("sign-in to the guide service failed", { code: error.code });
      throw error;
    } finally {
      isBusy = false;
    }
  };
}
