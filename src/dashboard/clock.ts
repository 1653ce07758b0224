import { signal } from "@preact/signals";
import { SECOND } from "../model/time.ts";

/** The only file of the dashboard that reads the browser's clock: the present time advances between two events. */
export const now = signal(Date.now());

export function present(): number {
  return Date.now();
}

const TICK_MS = 10 * SECOND;

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
}

/** @returns a function that cancels the timer */
export function after(ms: number, act: () => void): () => void {
  const id = setTimeout(act, ms);
  return () => clearTimeout(id);
}

/** @returns a function that ends it */
export function every(ms: number, act: () => void): () => void {
  const id = setInterval(act, ms);
  return () => clearInterval(id);
}
