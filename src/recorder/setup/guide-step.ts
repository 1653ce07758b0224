import { hostname } from "node:os";
import { guideAccount } from "../../guide-wire/account.ts";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import { signIn } from "../../guide-wire/sign-in.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import type { Channel } from "../../model/service.ts";
import type { SetupChoice } from "../../model/setup.ts";
import { NOBODY } from "../config/live-secrets.ts";
import type { Secrets } from "../config/secrets.ts";
import { noAnswer } from "./refusal.ts";

/** Who asks the guide service. */
export interface Asking {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A guide service that is known to answer. */
export interface GuideService {
  readonly url: string;
  readonly apiKey: string;
  readonly account?: Secrets["account"];
}

const EXPECTED = "Expected an address such as https://guide.example/api.";

/** @throws RecorderdError CONFIG_INVALID; GUIDE_FORBIDDEN where the service wants another API key */
export async function regionsAt(
  { url, apiKey = NOBODY.apiKey }: { readonly url: string; readonly apiKey?: string | undefined },
  asking: Asking,
): Promise<{ readonly service: GuideService; readonly regions: readonly SetupChoice[] }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw noAnswer(EXPECTED);
  // It would stand in a file that others may read.
  if (new URL(url).username !== "" || new URL(url).password !== "") throw noAnswer(EXPECTED);
  const service = { url, apiKey };
  const { regions } = (await asked(service, asking, (client) => client.regions(asking.signal))).value;
  return { service, regions: regions.map(({ id, name }) => ({ id, name })) };
}

/** @throws as signIn */
export async function signedIn(
  service: GuideService,
  { email, password }: { readonly email: string; readonly password: string },
  asking: Asking,
): Promise<GuideService> {
  const request = { member: { email_address: email, password } };
  const { account } = await asked(service, asking, (client) => signIn(client, request, asking.signal));
  return { ...service, account };
}

export async function devicesAt(service: GuideService, asking: Asking): Promise<readonly SetupChoice[]> {
  const { devices } = (await asked(service, asking, (client) => client.devices(asking.signal))).value;
  return devices.map(({ id, label }) => ({ id, name: label }));
}

/** Registers this machine: it stays at the service whatever happens next. */
export async function newDevice(service: GuideService, asking: Asking): Promise<SetupChoice> {
  const { types } = (await asked(service, asking, (client) => client.deviceTypes(asking.signal))).value;
  const type = types.find(({ model }) => /recorderd|daemon/i.test(model ?? "")) ?? types[0];
  if (type === undefined) throw noAnswer("The service knows no types of devices: answer all.");
  const order = { label: hostname(), type_id: type.id };
  const made = await asked(service, asking, (client) => client.addDevices([order], asking.signal));
  const [device] = made.value.devices;
  if (device === undefined) throw noAnswer("The service registered no device: answer all.");
  return { id: device.id, name: device.label };
}

export function channelsAt(
  service: GuideService,
  regionId: number,
  asking: Asking,
): Promise<readonly Channel[]> {
  return asked(service, asking, (client) => guideAccount(client, { regionId }).channels(asking.signal));
}

/** @throws RecorderdError CONFIG_INVALID naming what there is */
export function oneOf(choices: readonly SetupChoice[], text: string, what: string): number {
  const found = choices.find(({ id }) => String(id) === text);
  if (found !== undefined) return found.id;
  const there = choices.map(({ id }) => id).join(", ");
  throw noAnswer(`There is no ${what} ${text}${there === "" ? "" : `: choose one of ${there}`}.`);
}

async function asked<T>(
  { url, apiKey, account }: GuideService,
  { clock }: Asking,
  work: (client: GuideClient) => Promise<T>,
): Promise<T> {
  await using http = createHttpClient();
  return await work(
    createGuideClient({
      baseUrl: url,
      apiKey,
      applicationVersion: VERSION,
      wire: "json",
      http,
      clock,
      credentials: () => account,
    }),
  );
}
