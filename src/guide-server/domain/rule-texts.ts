import { type CompiledRule, hasPlace } from "../../rules/compiled-rule.ts";
import { hasWord, lacksTerms } from "../../rules/fold.ts";
import { linesWith } from "../../rules/lines.ts";
import type { PlaceIndex } from "../../rules/place-index.ts";
import type { AreaShows } from "./area-shows.ts";
import type { Candidates, Scan, Searching } from "./rule-search.ts";

/** Rules that want the same of a text. */
interface Sought {
  readonly index: PlaceIndex;
  /** None of the rules wants a show at every place. */
  readonly isPlaced: boolean;
  /** The lines that may match, at a small cost. */
  readonly linesOf: (lines: string) => readonly number[];
  readonly matches: (text: string) => boolean;
}

interface Wanted {
  readonly expressions: readonly CompiledRule[];
  /** Rules with the same words, which very many shows have. */
  readonly common: readonly (readonly CompiledRule[])[];
}

/** By all texts of the channels that the rules may want: an index does not know expressions, and common words cost less here. */
export function textScan(searching: Searching, { expressions, common }: Wanted): Scan | undefined {
  const { rules: all } = searching.search;
  const sought = (rules: readonly CompiledRule[], how: Pick<Sought, "linesOf" | "matches">): Sought => ({
    index: all.indexed(rules),
    isPlaced: rules.every((rule) => hasPlace(rule) || rule.channelIds !== undefined),
    ...how,
  });
  const every = [
    ...expressions.map((rule) => sought([rule], byExpression(rule, searching))),
    ...common.map((rules) => sought(rules, byWords(rules))),
  ];
  if (every.length === 0) return undefined;
  const rules = [...expressions, ...common.flat()];
  const isAnywhere = rules.some(({ channelIds }) => channelIds === undefined);
  const channels = new Set(rules.flatMap(({ channelIds }) => [...(channelIds ?? [])]));
  return {
    rules,
    addFrom: async (area, candidates) => {
      if (!isAnywhere && !area.query.channelIds.some((id) => channels.has(id))) return;
      if (area.lines === "") return;
      for (const one of every) await addMatches(searching, one, { area, candidates });
    },
  };
}

function byExpression(rule: CompiledRule, { search }: Searching): Pick<Sought, "linesOf" | "matches"> {
  return {
    linesOf: (lines) => rule.expression?.linesOf(lines) ?? [],
    matches: (text) => search.rules.holds(rule, () => text),
  };
}

function byWords(rules: readonly CompiledRule[]): Pick<Sought, "linesOf" | "matches"> {
  const longestFirst = (rules[0]?.words ?? []).toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst[0] ?? "", "g");
  return {
    linesOf: (lines) => linesWith(pattern, lines, () => true),
    matches: (text) =>
      longestFirst.every((word) => hasWord(text, word)) &&
      rules.some(({ without }) => lacksTerms(text, without)),
  };
}

async function addMatches(
  { share, channelOf }: Searching,
  { index, isPlaced, linesOf, matches }: Sought,
  { area, candidates }: { readonly area: AreaShows; readonly candidates: Candidates },
): Promise<void> {
  const some = linesOf(area.lines);
  await share.rest();
  const matched: number[] = [];
  for (const line of some) {
    const id = area.idAt(line);
    const place = isPlaced ? area.placeOf(id) : undefined;
    if (place !== undefined && !index.hasAt({ show: place, ...channelOf(place.channelId) })) continue;
    if (matches(area.textAt(line))) matched.push(id);
    if (share.isTurnOver) await share.pause();
  }
  if (matched.length === 0) return;
  for (const place of area.placesOf(matched))
    if (index.hasAt({ show: place, ...channelOf(place.channelId) })) candidates.addFound(place, index);
  await share.rest();
}
