import type { RuleMatch, RuleOutcome } from "../../model/rule.ts";
import { now } from "../clock.ts";
import type { Mark } from "../parts/verdict.ts";
import { reader, say } from "../state/language.ts";
import type { Preview } from "./shapes.ts";

/** The outcome of a match as a viewer sees it: a tuner may be missing. */
export type Fate = RuleOutcome | "noTuner";

export interface MatchLine extends RuleMatch {
  readonly fate: Fate;
}

export interface MatchDay {
  /** `Tomorrow` */
  readonly day: string;
  readonly lines: readonly MatchLine[];
}

const MARKS: Readonly<Record<Fate, Omit<Mark, "text">>> = {
  records: { tone: "planned", mark: "○" },
  noTuner: { tone: "warn", mark: "!" },
  ordered: { tone: "good", mark: "✓" },
  otherAiring: { tone: "plain", mark: "–" },
  recorded: { tone: "plain", mark: "✓" },
  declined: { tone: "plain", mark: "✕" },
  repeat: { tone: "plain", mark: "↻" },
  later: { tone: "plain", mark: "–" },
  noRoom: { tone: "warn", mark: "!" },
};

/** The matches of a preview by the days of the reader. */
export function matchDays({ matches, unplaced = [] }: Preview, now: number): readonly MatchDay[] {
  const withoutTuner = new Set(unplaced.map(({ showId }) => showId));
  const days = new Map<string, MatchLine[]>();
  for (const match of matches) {
    const day = reader().day(match.start, now);
    const fate = match.outcome === "records" && withoutTuner.has(match.showId) ? "noTuner" : match.outcome;
    const lines = days.get(day) ?? [];
    lines.push({ ...match, fate });
    days.set(day, lines);
  }
  return Array.from(days, ([day, lines]) => ({ day, lines }));
}

export function fateMark(fate: Fate): Mark {
  return { ...MARKS[fate], text: say(`rules-fate-${fate}`) };
}

/** Why a match is not recorded, or what is uncertain about it. */
export function reasonText({ fate, isIdentified }: MatchLine): string | undefined {
  if (fate !== "records") return say(`rules-reason-${fate}`);
  return isIdentified ? undefined : say("rules-reason-unidentified");
}

/** One sentence about the whole preview. */
export function countText({ records, total, countedUntil }: Preview, isPaused: boolean): string {
  if (total === 0) return say("rules-preview-none");
  if (countedUntil !== undefined) {
    const at = reader().inside.at(countedUntil, now.value);
    return say("rules-preview-many", { records, total, at });
  }
  return say(isPaused ? "rules-preview-paused" : "rules-preview-records", { records, total });
}

/** Whether tuners or disk do not suffice for the rule and everything else. */
export function exceeds({ displaced = [], unplaced = [], ...preview }: Preview): boolean {
  return displaced.length > 0 || unplaced.length > 0 || lacksSpace(preview);
}

export function lacksSpace({
  needsBytes = 0,
  freeBytes,
}: Pick<Preview, "needsBytes" | "freeBytes">): boolean {
  return freeBytes !== undefined && needsBytes > freeBytes;
}
