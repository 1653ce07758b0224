import { isLost, type ServiceScript, TOLERANCES } from "./service-script.ts";

/**
 * Stream time of an instant on the air: a PCR that jumps a little ahead means time that is missing, and a new clock begins
 * where the old one ended.
 */
export function streamTime(script: ServiceScript, atMs: number): number {
  const passed = script.jumps.filter((jump) => jump.atMs <= atMs);
  return passed.reduce(
    (sum, { byMs }) => sum + (isMissingTime(byMs) ? byMs : -script.pcrEveryMs),
    atMs - firstPcrMs(script),
  );
}

export function isMissingTime(byMs: number): boolean {
  return byMs > 0 && byMs <= TOLERANCES.missingTimeMs;
}

function firstPcrMs(script: ServiceScript): number {
  let at = 0;
  while (isLost(script, at)) at += script.pcrEveryMs;
  return at;
}

/** The length of the service by its clock. */
export function lastPcrMs(script: ServiceScript): number {
  let at = Math.ceil(script.durationMs / script.pcrEveryMs - 1) * script.pcrEveryMs;
  while (isLost(script, at)) at -= script.pcrEveryMs;
  return streamTime(script, at);
}
