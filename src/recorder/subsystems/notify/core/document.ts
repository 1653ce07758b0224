import type { NewsDocument } from "../../../../model/news.ts";
import type { EpochMs } from "../../../../model/time.ts";

export const NEWS_VERSION = 1;

export function emptyNews(now: EpochMs): NewsDocument {
  return { since: now, ended: {}, conditions: {}, waiting: [] };
}

/**
 * Reads stored news. This program wrote them, so the shape is checked, not every field.
 *
 * @throws Error when they are none of ours
 */
export function parseNews(stored: unknown): NewsDocument {
  const empty = emptyNews(0);
  if (typeof stored !== "object" || stored === null) throw new Error("the news are no object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Readonly<Record<string, unknown>>)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (!same) throw new Error(`the ${key} of the news is not what it was written as`);
  }
  return { ...empty, ...stored };
}
