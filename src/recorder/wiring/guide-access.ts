import { existsSync } from "node:fs";
import { guideAccount } from "../../guide-wire/account.ts";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { VERSION } from "../../kit/version.ts";
import type { GuideAccount, WorkRegister } from "../../model/ports.ts";
import { trustOf } from "../config/authorities.ts";
import { type LiveSecrets, liveSecrets, secretsInForce } from "../config/live-secrets.ts";
import { secretsFile } from "../config/secrets.ts";
import type { StateStore } from "../store/state-store.ts";
import { withListedRules } from "../subsystems/booking/kept/listed-rules.ts";
import { openRuleStore, type RuleStore } from "../subsystems/booking/kept/store.ts";
import { withoutSetAside } from "../sync/set-aside.ts";
import { createDecoding } from "../threads/decoding.ts";
import { DECODING_THREAD } from "../threads/place.ts";
import type { DaemonBase } from "./base.ts";

/** The guide service and its sign-in. */
export interface GuideAccess {
  readonly client: GuideClient;
  readonly account: GuideAccount;
  /** Rules that the recorder keeps for a service without rules. */
  readonly ruleStore: RuleStore;
  readonly secrets: LiveSecrets;
  readonly secretsPath: string;
  /** `secretsPath` if the file is not that of the data folder. */
  readonly handedOver: string | undefined;
}

/** @throws RecorderdError FILE_UNREADABLE if the file of authorities cannot be read */
export async function openGuideAccess(
  { config: { guide }, folder, disposeLater, clock, log }: DaemonBase,
  {
    state,
    register,
    secretsPath = secretsFile(folder),
  }: {
    readonly state: StateStore;
    readonly register: WorkRegister;
    readonly secretsPath?: string | undefined;
  },
): Promise<GuideAccess> {
  const http = disposeLater(createHttpClient(await trustOf(guide.caFile)));
  const ownFile = secretsFile(folder);
  const handedOver = secretsPath === ownFile ? undefined : secretsPath;
  if (handedOver !== undefined && existsSync(ownFile))
    log.warn(
      "the secrets come from systemd or the container: secrets.yaml in the data folder is ignored; remove it",
      {
        ignored: ownFile,
        file: handedOver,
      },
    );
  const secrets = await liveSecrets(secretsPath, { clock, log });
  const client = createGuideClient({
    baseUrl: guide.url,
    get apiKey() {
      return secretsInForce(secrets).apiKey;
    },
    applicationVersion: VERSION,
    wire: guide.format,
    http,
    clock,
    credentials: () => secretsInForce(secrets).account,
    decodeOnThread: createDecoding({ threadFile: DECODING_THREAD, clock }),
    register,
  });
  const { regionId, deviceId } = guide;
  const whole = guideAccount(client, { regionId, ...(deviceId === undefined ? {} : { deviceId }) });
  const ruleStore = await openRuleStore(state, log);
  const account = withListedRules(withoutSetAside(whole, register), ruleStore);
  return { client, account, ruleStore, secrets, secretsPath, handedOver };
}
