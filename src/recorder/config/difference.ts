import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "../../kit/text/parse-json.ts";
import { pathText } from "./mistakes.ts";
import { redact } from "./redact.ts";
import type { Config } from "./schema.ts";

export interface Change {
  /** The path of the key, such as `tuners[1].count`. */
  readonly key: string;
  /** Safe for logs; absent: the key is not set. */
  readonly from?: string;
  readonly to?: string;
}

type Path = readonly (string | number)[];

/** The keys in which two values differ, as deep as possible. */
function differences(from: unknown, to: unknown, path: Path): readonly Change[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) {
    const longer = from.length > to.length ? from : to;
    return longer.flatMap((_item, index) => differences(from[index], to[index], [...path, index]));
  }
  if (isJsonObject(from) && isJsonObject(to)) {
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

const SHOWN_LENGTH_MAX = 80;

function shown(value: unknown, path: Path): string {
  const text = JSON.stringify(redact(value, path.at(-1)));
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

/** Restores the keys that take effect only at the next start, because work in progress depends on them. */
function withRestartKeys(before: Config, after: Config): Config {
  return {
    ...after,
    data: before.data,
    fleet: before.fleet,
    recordings: { ...after.recordings, folder: before.recordings.folder },
  };
}

export interface Reload {
  /** The configuration to continue with. */
  readonly config: Config;
  /** Changes that take effect now. */
  readonly changed: readonly Change[];
  /** Changes that need a restart. */
  readonly kept: readonly Change[];
}

/**
 * Splits the changes of a reloaded configuration into those that apply now and those that need a restart (R-39: the texts contain
 * no secrets).
 */
export function reloaded(before: Config, after: Config): Reload {
  const config = withRestartKeys(before, after);
  return { config, changed: differences(before, config, []), kept: differences(config, after, []) };
}

/** Formats a change: `tuners[1].count: 2 → 4`. */
export function changeText({ key, from = "(not set)", to = "(not set)" }: Change): string {
  return `${key}: ${from} → ${to}`;
}
