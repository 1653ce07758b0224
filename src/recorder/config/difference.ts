import { isDeepStrictEqual } from "node:util";
import { pathText } from "./mistakes.ts";
import { redact } from "./redact.ts";
import type { Config } from "./schema.ts";

/** One key of the configuration that is not as it was. */
export interface Change {
  /** As `tuners[1].count`. */
  readonly key: string;
  /** Fit for logs; absent: the key is not set. */
  readonly from?: string;
  readonly to?: string;
}

type Path = readonly (string | number)[];

/** The keys in which two values differ, each as deep as can be. */
function differences(from: unknown, to: unknown, path: Path): readonly Change[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) {
    const longer = from.length > to.length ? from : to;
    return longer.flatMap((_item, index) => differences(from[index], to[index], [...path, index]));
  }
  if (isRecord(from) && isRecord(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differences(from[key], to[key], [...path, key]));
  }
  const change = { key: pathText(path) };
  return [
    {
      ...change,
      ...(from === undefined ? {} : { from: shown(from, path) }),
      ...(to === undefined ? {} : { to: shown(to, path) }),
    },
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SHOWN_LENGTH_MAX = 80;

function shown(value: unknown, path: Path): string {
  const text = JSON.stringify(redact(value, path.at(-1)));
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

/**
 * What is in the middle of being done depends on these: they count from the next start on. Everything else can change while
 * the daemon runs.
 */
function withKept(before: Config, after: Config): Config {
  return {
    ...after,
    data: before.data,
    recordings: { ...after.recordings, folder: before.recordings.folder },
  };
}

export interface Reload {
  /** The configuration to go on with. */
  readonly config: Config;
  /** What changes now. */
  readonly changed: readonly Change[];
  /** What would, with a restart. */
  readonly kept: readonly Change[];
}

/** What a configuration that was read anew means for a daemon that runs (R-39: nothing secret is in the texts). */
export function reloaded(before: Config, after: Config): Reload {
  const config = withKept(before, after);
  return { config, changed: differences(before, config, []), kept: differences(config, after, []) };
}

/** As `tuners[1].count: 2 → 4`. */
export function changeText({ key, from = "(not set)", to = "(not set)" }: Change): string {
  return `${key}: ${from} → ${to}`;
}
