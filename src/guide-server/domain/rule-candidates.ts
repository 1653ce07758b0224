import { DAY } from "../../model/time.ts";
import { isIndexed, reachOf } from "../../rules/rule-set.ts";
import { AreaShows } from "./area-shows.ts";
import { areasOf, Candidates, type Scan, type Searching } from "./rule-search.ts";
import { textScan } from "./rule-texts.ts";
import { seriesSearch } from "./rule-titles.ts";
import { wordSearch } from "./rule-words.ts";

/**
 * Finds the shows that rules may want: by series, by title, and by the texts. Each way may find too many; matching
 * decides. So the result does not depend on the ways. A way that finds few shows looks them up. Those that find many
 * go through the guide together, day by day, as far as their reader needs.
 */
export async function* candidatesByDay(
  searching: Searching,
): AsyncGenerator<{ readonly candidates: Candidates; readonly day: number }> {
  const { startFrom, startBefore } = searching.search;
  const candidates = new Candidates();
  const scans = await waysOf(searching, candidates);
  const rules = scans.flatMap((scan) => scan.rules);
  const times = searching.search.rules.timesOf(rules);
  for (let day = Math.floor(startFrom / DAY); day * DAY < startBefore; day += 1) {
    const part = times.partOf({
      startFrom: Math.max(startFrom, day * DAY),
      startBefore: Math.min(startBefore, (day + 1) * DAY),
    });
    for (const area of part === undefined ? [] : areasOf(searching, { rules, ...part })) {
      const shows = new AreaShows(searching.tables.shows, area);
      for (const scan of scans) await scan.addFrom(shows, candidates);
    }
    yield { candidates, day };
  }
}

async function waysOf(searching: Searching, candidates: Candidates): Promise<readonly Scan[]> {
  const { rules: all, sought = all.rules } = searching.search;
  const textual = sought.filter((rule) => reachOf(rule) === "text");
  all.cover(textual);
  const expressions = textual.filter((rule) => !isIndexed(rule));
  const bySeries = await seriesSearch(searching, { candidates, rules: sought });
  const words = await wordSearch(searching, { candidates, rules: textual.filter(isIndexed) });
  const inTexts = textScan(searching, { expressions, common: words.common });
  return [bySeries, words.scan, inTexts].filter((scan) => scan !== undefined);
}
