import type { EpochMs } from "../../model/time.ts";

/** Returns a function for the local minute of the day, 0 to 1439. A zone outside the tz database counts as UTC. */
export function minuteOfDayIn(timeZone: string | undefined): (at: EpochMs) => number {
  const format = formatterFor(timeZone);
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return (parts.get("hour") ?? 0) * 60 + (parts.get("minute") ?? 0);
  };
}

const WANTED = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

function formatterFor(timeZone = "UTC"): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-GB", { ...WANTED, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...WANTED, timeZone: "UTC" });
  }
}
