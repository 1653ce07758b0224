import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { hostOf } from "../../kit/net/host-of.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { SECOND } from "../../model/time.ts";
import type { Config } from "../config/schema.ts";
import { kindOf } from "../tune/registry.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

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
