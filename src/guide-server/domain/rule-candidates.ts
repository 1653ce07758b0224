import { DAY } from "../../model/time.ts";
import { isIndexed, reachOf } from "../../rules/rule-set.ts";
import { areasOf, Candidates, type DayScan, type Searching } from "./rule-search.ts";
import { textScan } from "./rule-texts.ts";
import { seriesSearch } from "./rule-titles.ts";
import { wordSearch } from "./rule-words.ts";

/**
 * Finds the shows that rules may want: by series, by title, and by the texts. Each way may find too many; matching
 * decides. So the result does not depend on the ways. A way that finds few shows looks them up. One that finds many
 * goes through the guide day by day, as far as its reader needs.
 */
export async function* candidatesByDay(
  searching: Searching,
): AsyncGenerator<{ readonly candidates: Candidates; readonly day: number }> {
  const { startFrom, startBefore } = searching.search;
  const candidates = new Candidates();
  const scans = await waysOf(searching, candidates);
  for (let day = Math.floor(startFrom / DAY); day * DAY < startBefore; day += 1) {
    const span = {
      startFrom: Math.max(startFrom, day * DAY),
      startBefore: Math.min(startBefore, (day + 1) * DAY),
    };
    for (const scan of scans) await scan(candidates, (rules) => areasOf(searching, { rules, ...span }));
    yield { candidates, day };
  }
}

async function waysOf(searching: Searching, candidates: Candidates): Promise<readonly DayScan[]> {
  const { rules: all, sought = all.rules } = searching.search;
  const textual = sought.filter((rule) => reachOf(rule) === "text");
  all.cover(textual);
  const expressions = textual.filter((rule) => !isIndexed(rule));
  const scans = [
    await seriesSearch(searching, { candidates, rules: sought }),
    await wordSearch(searching, { candidates, rules: textual.filter(isIndexed) }),
    expressions.length === 0 ? undefined : textScan(searching, expressions),
  ];
  return scans.filter((scan) => scan !== undefined);
}
