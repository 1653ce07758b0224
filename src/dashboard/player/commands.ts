/** A command of the viewer, by button or key. */
export type Command =
  | { readonly do: "toggle" | "full-screen" | "mute" | "next-sound" | "captions" | "help" | "live" }
  | { readonly do: "skip"; readonly seconds: number }
  | { readonly do: "seek"; readonly seconds: number }
  /** Tenths of the whole. */
  | { readonly do: "part"; readonly tenths: number }
  | { readonly do: "louder"; readonly by: number }
  /** From 0 to 1. */
  | { readonly do: "volume"; readonly volume: number }
  | { readonly do: "rate"; readonly rate: number }
  /** One step of `RATES`. */
  | { readonly do: "faster"; readonly steps: number };

export const RATES: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
/** The steps of the arrow keys. */
export const STEP_SECONDS = 5;
export const BACK_SECONDS = 10;
export const FORWARD_SECONDS = 30;

const KEYS: Readonly<Record<string, Command>> = {
  " ": { do: "toggle" },
  k: { do: "toggle" },
  ArrowLeft: { do: "skip", seconds: -STEP_SECONDS },
  ArrowRight: { do: "skip", seconds: STEP_SECONDS },
  j: { do: "skip", seconds: -BACK_SECONDS },
  l: { do: "skip", seconds: FORWARD_SECONDS },
  ArrowUp: { do: "louder", by: 0.1 },
  ArrowDown: { do: "louder", by: -0.1 },
  m: { do: "mute" },
  f: { do: "full-screen" },
  a: { do: "next-sound" },
  c: { do: "captions" },
  "<": { do: "faster", steps: -1 },
  ">": { do: "faster", steps: 1 },
  "?": { do: "help" },
};

/** The part of a keyboard event that names a key. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The command of a key; `undefined` for another key, and for a combination that belongs to the browser. */
export function commandOf({ key, ctrlKey, metaKey, altKey }: PressedKey): Command | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (/^\d$/.test(key)) return { do: "part", tenths: Number(key) };
  const name = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}

/** The rate that is so many steps from another one. */
export function rateAfter(rate: number, steps: number): number {
  const at = RATES.findIndex((each) => each >= rate);
  const from = at < 0 ? RATES.length - 1 : at;
  return RATES[Math.min(RATES.length - 1, Math.max(0, from + steps))] ?? 1;
}
