import type { TroubleDetails } from "../model/trouble-details.ts";
import type { Reader } from "./reader.ts";

/** The values of a trouble with their labels, such as `File: /recordings/a.ts`. */
export function detailWords(details: TroubleDetails, { say, size, duration }: Reader): readonly string[] {
  const { file, system, freeBytes, silentMs, clockAheadMs, message } = details;
  return [
    ...(file === undefined ? [] : [say("trouble-value-file", { file })]),
    ...(system === undefined ? [] : [say("trouble-value-system", { code: system })]),
    ...(freeBytes === undefined ? [] : [say("trouble-value-free", { size: size(freeBytes) })]),
    ...(silentMs === undefined ? [] : [say("trouble-value-silent", { length: duration(silentMs) })]),
    ...(clockAheadMs === undefined ? [] : [clockWords(clockAheadMs, { say, duration })]),
    ...(message === undefined ? [] : [say("trouble-value-message", { message })]),
  ];
}

function clockWords(aheadMs: number, { say, duration }: Pick<Reader, "say" | "duration">): string {
  return say(aheadMs > 0 ? "trouble-value-clock-ahead" : "trouble-value-clock-behind", {
    by: duration(aheadMs),
  });
}
