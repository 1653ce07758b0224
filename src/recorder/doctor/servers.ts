import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import type { ErrorCode, Facts } from "../../model/errors.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { TunerDriver } from "../../model/ports.ts";
import { tripletKey } from "../../model/service.ts";
import { kindOf, openTuners, type TunerConfig } from "../tune/registry.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

/** Asks each tuner's server for its services, as the daemon does at its start, and for a stream, as a recording does. */
export async function lookAtServers(patient: CheckContext, signal: AbortSignal): Promise<readonly Result[]> {
  const { tuners } = patient.config;
  return (await Promise.all(tuners.map((tuner) => lookAtServer(tuner, patient, signal)))).flat();
}

async function lookAtServer(
  tuner: TunerConfig,
  { config, secrets, clock, daemon }: CheckContext,
  signal: AbortSignal,
): Promise<readonly Result[]> {
  const { id } = tuner;
  const { yielding, advice = {} } = kindOf(tuner);
  const heard: Facts[] = [];
  const hear = (_message: string, facts: Facts = {}) => void heard.push(facts);
  const log = { debug: () => {}, info: () => {}, warn: hear, error: hear };
  const credentials = (tunerId: string) =>
    secrets instanceof RecorderdError ? undefined : secrets?.tuners?.[tunerId];
  const parts = { clock, log, folder: config.data.folder, credentials };
  let drivers: readonly TunerDriver[] = [];
  try {
    // With the lowest priority, the check takes no tuner from a viewer.
    drivers = await openTuners([yielding?.(tuner) ?? tuner], parts);
    // Other warnings concern unused services.
    const complaint = heard.find(({ code }) => code !== undefined);
    if (complaint !== undefined) return [complained(tuner, complaint)];
    const [driver] = drivers;
    if (driver !== undefined && hasNoServices(driver)) return [withoutServices(tuner)];
    // Without priorities, the check could take the tuner that a recording needs next.
    const isInUse = yielding === undefined && (await daemon()).version !== undefined;
    return [
      driver === undefined || isInUse ? reachable(tuner) : await received(driver, tuner, { clock, signal }),
    ];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const todo =
      advice[error.code] ?? "Name an existing channel list: recorderd tuners import FILE checks one.";
    return [
      bad({
        found: `tuner ${id}: ${error.message}`,
        expected: "a list of the services that it can receive",
        todo,
        code: error.code,
      }),
    ];
  } finally {
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
  }
}

/** Its server has answered, and lists neither a service that can be asked for nor a multiplex to scan. */
function hasNoServices({ facts: { services, unknown: multiplexes = [] }, example }: TunerDriver): boolean {
  return services !== "any" && multiplexes.length === 0 && example !== undefined && example() === undefined;
}

function withoutServices({ id, kind }: TunerConfig): Result {
  return bad({
    found: `tuner ${id} (${kind}) answers, but lists no service that can be recorded`,
    expected: "services with their ids",
    todo: "Scan for channels on the server. If it names no ids, as some imitations of an HDHomeRun, enter the addresses of its streams in a tuner of the kind url.",
    code: "TUNER_SERVICE_UNKNOWN",
  });
}

function reachable({ id, kind }: TunerConfig): Result {
  return good(
    `tuner ${id} (${kind}) answers; recorderd tuners probe TRIPLET tests whether it receives a service`,
  );
}

async function received(
  driver: TunerDriver,
  tuner: TunerConfig,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  const { id, kind } = tuner;
  const service = driver.example?.();
  if (service === undefined) return reachable(tuner);
  const name = tripletKey(service);
  const timeoutError = () =>
    new RecorderdError("TUNER_NO_LOCK", `Tuner ${id} did not deliver a stream in time.`, { tunerId: id });
  const within = { ms: MODEL_LIMITS.tuneMs, signal, timeoutError };
  const refusal = await withDeadline(clock, within, async (both) => {
    await using session = await driver.open(service, both);
    return await session.explain?.(both);
  }).catch((error: unknown) => {
    if (error instanceof RecorderdError) return error;
    throw error;
  });
  if (refusal === undefined) return good(`tuner ${id} (${kind}) gives a stream of service ${name}`);
  const { code, message } = refusal;
  if (code === "TUNER_IN_USE") return unknown(`service ${name} was not tested. ${message}`);
  return bad({
    found: `service ${name} is not received. ${message}`,
    expected: "a stream",
    todo: todoOf(code, tuner),
    code,
  });
}

function complained(tuner: TunerConfig, { code, text }: Facts): Result {
  const known = typeof code === "string" ? (code as ErrorCode) : "TUNER_UNREACHABLE";
  return bad({
    found: String(text ?? `tuner ${tuner.id}: its server does not answer (${known})`),
    expected: "a list of the services that it can receive",
    todo: todoOf(known, tuner),
    code: known,
  });
}

function todoOf(code: ErrorCode, tuner: TunerConfig): string {
  return kindOf(tuner).advice?.[code] ?? usualAdvice(code, tuner.id);
}

function usualAdvice(code: ErrorCode, id: string): string {
  switch (code) {
    case "TUNER_CREDENTIALS_WRONG":
      return `Store the right password: recorderd tuners login ${id} USER. The user needs the rights that docs/tuners.md lists.`;
    case "TUNER_FORBIDDEN":
      return "Give the user on the server the rights that docs/tuners.md lists for this kind of tuner.";
    case "TUNER_SERVICE_UNKNOWN":
      return "Follow the message, or scan the multiplex on the server again.";
    case "TUNER_NO_LOCK":
    case "STREAM_NO_DATA":
      return "Check the aerial, dish or cable of the server, and whether the server itself can show the service.";
    default:
      return "Check its address, that it is switched on, and that no firewall blocks it.";
  }
}
