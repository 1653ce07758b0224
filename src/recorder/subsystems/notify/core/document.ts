import type { News, NewsDocument, WaitingNews } from "../../../../model/news.ts";
import type { EpochMs } from "../../../../model/time.ts";

/** 2: facts instead of words. 3: the latest changes are in a log. */
export const NEWS_VERSION = 3;

export function emptyNews(now: EpochMs): NewsDocument {
  return { since: now, ended: {}, conditions: {}, waiting: [] };
}

/**
 * Reads stored news. This program wrote them, so the shape is checked, not every field.
 *
 * @param version the schema version that they were written with
 * @throws Error when they are none of ours
 */
export function parseNews(stored: unknown, version: number): NewsDocument {
  const empty = emptyNews(0);
  if (typeof stored !== "object" || stored === null) throw new Error("the list of news is not an object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Readonly<Record<string, unknown>>)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (!same) throw new Error(`the field ${key} of the list of news has an invalid value`);
  }
  const document: NewsDocument = { ...empty, ...stored };
  return version < 2 ? { ...document, waiting: document.waiting.map(withFacts) } : document;
}

/** Version 1 kept words instead of facts. */
type WordedNews = Omit<News, "facts"> & { readonly title: string; readonly text: string };

function withFacts(waiting: WaitingNews): WaitingNews {
  const { title, text, ...news } = waiting.news as News & WordedNews;
  return { ...waiting, news: { ...news, facts: { is: "words", title, text } } };
}
