import { SECOND } from "../../model/time.ts";
import { reader } from "../state/language.ts";

/** `42:10`, or `1:02:03` from an hour on. */
export function positionText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = `${String(minutes).padStart(hours > 0 ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** For screen readers: `1 hour 2 minutes 3 seconds`. */
export function spokenPosition(seconds: number): string {
  return reader().spoken(Math.max(0, Math.floor(seconds)) * SECOND);
}
