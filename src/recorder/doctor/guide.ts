import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { createGuideClient, type GuideClient } from "../../guide-wire/client.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { askKernelClock } from "../../kit/machine/kernel-clock.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { judgeClock, offsetOfServerTime } from "../../model/clock-trust.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { trustOf } from "../config/authorities.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import { hostOf } from "../tune/kind.ts";
import { kindOf } from "../tune/registry.ts";
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

const NAME_MS = 10 * SECOND;

export async function lookAtNames(
  { config, clock }: CheckContext,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const names = [...new Set(hostsOf(config))].filter((host) => isIP(host) === 0);
  if (names.length === 0) return [unknown("the configuration has addresses only, no names")];
  return Promise.all(names.map((name) => resolved(name, { clock, signal })));
}

async function resolved(
  name: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  const timeoutError = () => new Error("no answer in time");
  try {
    const { address } = await withDeadline(clock, { ms: NAME_MS, signal, timeoutError }, () => lookup(name));
    return good(`${name} is ${address}`);
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error && "code" in error ? String(error.code) : "no answer in time";
    return bad({
      found: `the name ${name} cannot be resolved (${why})`,
      expected: "an address",
      todo: "Check its spelling, and the name server in /etc/resolv.conf.",
      code: "GUIDE_NAME_UNRESOLVED",
    });
  }
}

function hostsOf({ guide, tuners }: Config): readonly string[] {
  return [hostOf(guide.url), ...tuners.flatMap((tuner) => kindOf(tuner).hosts(tuner))];
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

export async function lookAtClock(patient: CheckContext, signal: AbortSignal): Promise<readonly Result[]> {
  const { config, guide, machine } = patient;
  const [kernel, { offset }] = await Promise.all([askKernelClock(signal, machine.path), guide()]);
  const beliefs = { kernel, ...(offset === undefined ? {} : { guide: offset }) };
  const { trusted, text } = judgeClock(beliefs, config.time.toleranceSeconds * SECOND);
  const todo = "Let NTP set the clock: timedatectl set-ntp true, or install chrony.";
  if (text !== undefined) {
    const belief = trusted ? "; according to NTP, this machine's clock is right" : "";
    const expected = `clocks that differ by at most ${config.time.toleranceSeconds} s`;
    const found = `${text}${belief}`;
    return [
      bad(trusted ? { found, expected, todo: GUIDE_CLOCK } : { found, expected, todo, code: "CLOCK_WRONG" }),
    ];
  }
  if (kernel === "unsynchronised") {
    const found = "NTP is enabled, but has not set the clock yet";
    return [bad({ found, expected: "a clock that NTP sets", todo })];
  }
  const byGuide = offset === undefined ? "" : "the guide service's clock agrees";
  const byKernel = kernel === "synchronised" ? "NTP sets the clock" : "";
  const both = [byKernel, byGuide].filter((part) => part !== "").join(", ");
  return [both === "" ? unknown("no time source is available") : good(both)];
}

const GUIDE_CLOCK =
  "Ask the operator of the guide service to set its clock; recordings follow this machine's clock.";
