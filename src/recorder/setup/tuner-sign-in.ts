import type { Credentials } from "../../kit/http/http-auth.ts";
import type { Facts } from "../../model/errors.ts";
import { kindOf, openTuners, TunerConfig } from "../tune/registry.ts";
import type { RequestContext } from "./guide-step.ts";
import type { TunerEntry } from "./tuner-step.ts";

/** Whether a tuner's server asks for user and password, or rejects these. A server that does not answer asks for none. */
export async function wantsSignIn(
  { entry, credentials }: { readonly entry: TunerEntry; readonly credentials: Credentials | undefined },
  { clock, signal }: RequestContext,
): Promise<boolean> {
  if (kindOf(entry).hasUsers !== true) return false;
  const heard: Facts[] = [];
  const hear = (_: string, facts: Facts = {}) => void heard.push(facts);
  const log = { debug: () => {}, info: () => {}, warn: hear, error: hear };
  const config = TunerConfig.parse(entry);
  // These kinds store nothing; there is no folder yet.
  const parts = { clock, log, folder: "/nonexistent", credentials: () => credentials };
  const drivers = await openTuners([config], parts);
  for (const driver of drivers) await driver[Symbol.asyncDispose]();
  signal.throwIfAborted();
  return heard.some(({ code }) => code === "TUNER_CREDENTIALS_WRONG");
}
