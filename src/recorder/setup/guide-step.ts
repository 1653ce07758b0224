import { hostname } from "node:os";
import { guideAccount } from "../../guide-wire/account.ts";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import { signIn } from "../../guide-wire/sign-in.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import type { Channel } from "../../model/service.ts";
import type { SetupChoice } from "../../model/setup.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import type { Secrets } from "../config/secrets.ts";
import { invalidAnswer } from "./refusal.ts";

/** Clock and cancellation of a request to the guide service. */
export interface RequestContext {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A guide service that has answered. */
export interface GuideService {
  readonly url: string;
  readonly apiKey: string;
  readonly account?: Secrets["account"];
}

/** The answers about it. */
export interface GuideAnswers {
  readonly service: GuideService;
  readonly regions: readonly SetupChoice[];
  readonly devices: readonly SetupChoice[];
  readonly scope?: { readonly regionId: number; readonly deviceId?: number };
}

const EXPECTED = "Expected an address such as https://guide.example/api.";

/** @throws RecorderdError CONFIG_INVALID; GUIDE_FORBIDDEN if the service requires another API key */
export async function regionsAt(
  { url, apiKey = NO_ACCOUNT.apiKey }: { readonly url: string; readonly apiKey?: string | undefined },
  asking: RequestContext,
): Promise<{ readonly service: GuideService; readonly regions: readonly SetupChoice[] }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalidAnswer(EXPECTED, "address");
  // The address goes into a file that others may read.
  if (new URL(url).username !== "" || new URL(url).password !== "") throw invalidAnswer(EXPECTED, "address");
  const service = { url, apiKey };
  const { regions } = (await withClient(service, asking, (client) => client.regions(asking.signal))).value;
  return { service, regions: regions.map(({ id, name }) => ({ id, name })) };
}

/** @throws as signIn */
export async function signedIn(
  service: GuideService,
  { email, password }: { readonly email: string; readonly password: string },
  asking: RequestContext,
): Promise<GuideService> {
  const request = { member: { email_address: email, password } };
  const { account } = await withClient(service, asking, (client) => signIn(client, request, asking.signal));
  return { ...service, account };
}

export async function devicesAt(
  service: GuideService,
  asking: RequestContext,
): Promise<readonly SetupChoice[]> {
  const { devices } = (await withClient(service, asking, (client) => client.devices(asking.signal))).value;
  return devices.map(({ id, label }) => ({ id, name: label }));
}

/** Registers this machine; the registration stays even if setup is cancelled. */
export async function newDevice(service: GuideService, asking: RequestContext): Promise<SetupChoice> {
  const { types } = (await withClient(service, asking, (client) => client.deviceTypes(asking.signal))).value;
  const type = types.find(({ model }) => /recorderd|daemon/i.test(model ?? "")) ?? types[0];
  if (type === undefined) throw invalidAnswer("The service has no device types: answer all.");
  const order = { label: hostname(), type_id: type.id };
  const made = await withClient(service, asking, (client) => client.addDevices([order], asking.signal));
  const [device] = made.value.devices;
  if (device === undefined) throw invalidAnswer("The service registered no device: answer all.");
  return { id: device.id, name: device.label };
}

export function channelsAt(
  service: GuideService,
  regionId: number,
  asking: RequestContext,
): Promise<readonly Channel[]> {
  return withClient(service, asking, (client) => guideAccount(client, { regionId }).channels(asking.signal));
}

/** @throws RecorderdError CONFIG_INVALID listing the valid choices */
export function choiceOf(choices: readonly SetupChoice[], text: string, what: string): number {
  const found = choices.find(({ id }) => String(id) === text);
  if (found !== undefined) return found.id;
  const there = choices.map(({ id }) => id).join(", ");
  throw invalidAnswer(`There is no ${what} ${text}${there === "" ? "" : `: choose one of ${there}`}.`);
}

async function withClient<T>(
  { url, apiKey, account }: GuideService,
  { clock }: RequestContext,
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
