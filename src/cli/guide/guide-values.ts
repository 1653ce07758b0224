import { InvalidArgumentError } from "commander";
import { GUIDE_WIRE_LIMITS } from "../../guide-wire/limits.ts";
import { formatInstant, parseInstant } from "../../model/time.ts";

/** Identifier of a region, channel, device, type or show. */
export function numberId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError("Expected a numeric id.");
}

/** Whole minutes of padding, 0 or more. */
export function minutes(text: string): number {
  const given = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (given <= GUIDE_WIRE_LIMITS.timerMinutesMax) return given;
  throw new InvalidArgumentError(`Expected whole minutes from 0 to ${GUIDE_WIRE_LIMITS.timerMinutesMax}.`);
}

/** Whole minutes of an event (R-19: never 0). */
export function eventMinutes(text: string): number {
  const given = minutes(text);
  if (given > 0) return given;
  throw new InvalidArgumentError(`Expected whole minutes from 1 to ${GUIDE_WIRE_LIMITS.timerMinutesMax}.`);
}

/** An instant in the service's format. */
export function instant(text: string): string {
  const at = parseInstant(text);
  if (at !== undefined) return formatInstant(at);
  throw new InvalidArgumentError(
    "Expected a time with time zone, such as 2026-11-20T09:30:00+00:00 or 2026-11-20T10:30+01:00.",
  );
}

/** A non-empty text. */
export function filled(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("Expected a text that is not empty.");
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}
