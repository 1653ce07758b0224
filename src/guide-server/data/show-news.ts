import { localTimeIn } from "../../rules/local-time.ts";
import { RuleSet, reachOf } from "../../rules/rule-set.ts";
import { compiledRule } from "../domain/ordering-rules.ts";
import type { Show } from "./show.ts";
import type { GuideTables } from "./tables.ts";

/** Changes that are remembered; beyond, everything may have changed. */
const REMEMBERED = 20_000;

/** Comparing more titles with rules costs more than expanding again. */
const TITLES_COMPARED = 500;

type News = Pick<Show, "id" | "seriesId" | "title"> & { readonly at: number };

/** The latest changes of shows, to tell which accounts they concern. */
export class ShowNews {
  /** Everything after this state is remembered. */
  #since: number;
  #latest: number;
  #news: News[] = [];

  /** @param state that of the shows now */
  constructor(state: number) {
    this.#since = state;
    this.#latest = state;
  }

  /** The state of the shows: it grows with every change. */
  get latest(): number {
    return this.#latest;
  }

  record(shows: readonly Show[], state = this.#latest + 1): void {
    if (shows.length === 0) return;
    this.#latest = Math.max(this.#latest, state);
    const at = this.#latest;
    for (const { id, seriesId, title } of shows) this.#news.push({ id, seriesId, title, at });
    if (this.#news.length <= REMEMBERED) return;
    const dropped = this.#news.splice(0, this.#news.length - REMEMBERED / 2);
    this.#since = dropped.at(-1)?.at ?? this.#since;
  }

  /** Forgets all changes until now. */
  forgetAll(): void {
    this.#since = this.#latest;
    this.#news = [];
  }

  /** Whether a change after this state may concern the account's rules or timers. */
  concerns(state: number, { rules, timers }: Pick<GuideTables, "rules" | "timers">): boolean {
    if (state < this.#since) return true;
    if (state >= this.#latest) return false;
    const news = this.#news.filter(({ at }) => at > state);
    const shows = new Set(news.map(({ id }) => id));
    if ([...timers.values()].some(({ showId }) => shows.has(showId))) return true;
    const titles = new Set(news.map(({ title }) => title));
    if (titles.size > TITLES_COMPARED) return rules.size > 0;
    const compiled = [...rules.values()].map(compiledRule);
    const series = new Set(news.map(({ seriesId }) => seriesId));
    const byTitle = new RuleSet(compiled, localTimeIn("UTC"));
    return (
      compiled.some((rule) => {
        const reach = reachOf(rule);
        return reach === "text" || (reach === "series" && series.has(rule.rule.wants.seriesId ?? ""));
      }) || [...titles].some((title) => byTitle.titled(title).length > 0)
    );
  }
}
