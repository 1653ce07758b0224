import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { VERSION } from "../../kit/version.ts";
import { offsetOfServerTime } from "../../model/clock-trust.ts";
import { RecorderdError } from "../../model/errors.ts";
import { trustOf } from "../config/authorities.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import type { Secrets } from "../config/secrets.ts";
import type { CheckContext, GuideAnswer } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

type Parts = Pick<CheckContext, "config" | "clock"> & { readonly secrets: Secrets | undefined };

export async function lookAtRegions(parts: Parts, signal: AbortSignal): Promise<GuideAnswer> {
  const { clock } = parts;
  try {
    return await withClient(parts, async (client) => {
      const [askedAt, begun] = [clock.now(), clock.monotonicMs()];
      const { value, serverTime } = await client.regions(signal);
      const reading = { askedAt, answeredAt: clock.now(), tookMs: clock.monotonicMs() - begun };
      const offset = serverTime === undefined ? undefined : offsetOfServerTime({ ...reading, serverTime });
      return { regions: value.regions, ...(offset === undefined ? {} : { offset }) };
    });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return { regions: error };
  }
}

async function withClient<T>(
  { config: { guide }, clock, secrets = NO_ACCOUNT }: Parts,
  work: (client: GuideClient) => Promise<T>,
): Promise<T> {
  await using http = createHttpClient(await trustOf(guide.caFile));
  const { url: baseUrl, format: wire } = guide;
  const { apiKey, account } = secrets;
  const credentials = () => account;
  const client = { baseUrl, apiKey, applicationVersion: VERSION, wire, http, clock, credentials };
  return await work(createGuideClient(client));
}

export async function lookAtGuide({
  config: { guide },
  guide: look,
}: CheckContext): Promise<readonly Result[]> {
  const { regions } = await look();
  if (regions instanceof RecorderdError) {
    return [
      bad({
        found: regions.message,
        expected: "an answer of the guide service",
        todo:
          regions.code === "GUIDE_FORBIDDEN"
            ? "The service requires an API key: recorderd login EMAIL asks for it, or reads it from the second line of its input."
            : "Check guide.url, the network, and whether the service is up.",
        code: regions.code,
      }),
    ];
  }
  const region = regions.find(({ id }) => id === guide.regionId);
  if (region !== undefined) return [good(`the guide service answers, region ${region.id} is ${region.name}`)];
  const some = regions.slice(0, 10).map(({ id, name }) => `${id} (${name})`);
  return [
    bad({
      found: `the guide service has no region ${guide.regionId}`,
      expected: some.length === 0 ? "a region of the service" : `one of ${some.join(", ")}`,
      todo: "Set guide.regionId to the region of the account.",
      code: "GUIDE_NOT_FOUND",
    }),
  ];
}

export async function lookAtAccount(patient: CheckContext, signal: AbortSignal): Promise<readonly Result[]> {
  const { secrets, guide, config, file } = patient;
  if (secrets instanceof RecorderdError) return [unknown("the secrets cannot be used")];
  const signIn = `recorderd login EMAIL --config ${file}`;
  if (secrets?.account === undefined) {
    return [
      bad({
        found: "nobody is signed in",
        expected: "an account, whose timers are recorded",
        todo: `Run: ${signIn}`,
        code: "GUIDE_SIGN_IN_NEEDED",
      }),
    ];
  }
  if ((await guide()).regions instanceof RecorderdError)
    return [unknown("the guide service does not answer")];
  try {
    return await withClient({ ...patient, secrets }, async (client) => {
      const timers = (await client.timers(signal).catch(noneFound))?.value.timers ?? [];
      const { deviceId } = config.guide;
      if (deviceId === undefined) return [good(`signed in, ${timers.length} timers of all devices`)];
      const { devices } = (await client.devices(signal)).value;
      const device = devices.find(({ id }) => id === deviceId);
      if (device !== undefined) return [good(`signed in, as device ${deviceId} (${device.label})`)];
      const some = devices.slice(0, 10).map(({ id, label }) => `${id} (${label})`);
      return [
        bad({
          found: `the account has no device ${deviceId}`,
          expected: some.length === 0 ? "a device of the account" : `one of ${some.join(", ")}`,
          todo: "Set guide.deviceId, or register this recorder: recorderd guide devices add",
          code: "GUIDE_NOT_FOUND",
        }),
      ];
    });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const expected = "the timers of the account";
    return [bad({ found: error.message, expected, todo: `Run: ${signIn}`, code: error.code })];
  }
}

/** Some services answer 404 instead of an empty list. */
function noneFound(error: unknown): undefined {
  if (!(error instanceof RecorderdError) || error.code !== "GUIDE_NOT_FOUND") throw error;
}
