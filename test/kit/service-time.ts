import { isLost, type ServiceScript, TOLERANCES } from "./service-script.ts";

/** Stream time of an instant on the air: a new clock begins where the old one ended, and a small step ahead is no new clock. */
export function streamTime(script: ServiceScript, atMs: number): number {
  const passed = script.jumps.filter((jump) => jump.atMs <= atMs);
  return passed.reduce(
    (sum, { byMs }) => sum + (isSmallStep(byMs) ? byMs : -script.pcrEveryMs),
    atMs - firstPcrMs(script),
  );
}

function isSmallStep(byMs: number): boolean {
  return byMs > 0 && byMs <= TOLERANCES.pauseMs;
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
