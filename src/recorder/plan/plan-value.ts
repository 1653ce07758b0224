import type { Worth } from "../../model/plan.ts";

// Layout of a plan's value: whole events per priority rank, milliseconds of the others per rank, then these terms.
export const HOPE = 0;
export const AVOIDED = 1;
export const WEAK = 2;
export const PADDING = 3;
export const STAYED = 4;
export const TUNINGS = 5;
export const ORDER = 6;

export function worthLength(ranks: number): number {
  return 2 * ranks + ORDER + 1;
}

/** Length of the aims that depend only on the kinds of tuners. */
export function roughLength(ranks: number): number {
  return 2 * ranks + PADDING + 1;
}

/** Compares the first `terms` aims; positive if `a` is better at the first that differs. */
export function compare(a: Float64Array, b: Float64Array, terms: number): number {
  for (let at = 0; at < terms; at += 1) {
    const less = (a[at] ?? 0) - (b[at] ?? 0);
    if (less !== 0) return less;
  }
  return 0;
}

export function worthOf(value: Float64Array, priorities: readonly number[]): Worth {
  const ranks = priorities.length;
  const term = (at: number) => value[2 * ranks + at] ?? 0;
  return {
    priorities,
    whole: [...value.slice(0, ranks)],
    partMs: [...value.slice(ranks, 2 * ranks)],
    hope: term(HOPE),
    avoided: term(AVOIDED),
    weak: term(WEAK),
    paddingMs: term(PADDING),
    stayed: term(STAYED),
    tunings: term(TUNINGS),
    order: term(ORDER),
  };
}

/** How much one plan is better by the first two aims; positive if `a` is. */
export function compareEvents(a: Worth, b: Worth): number {
  for (const aim of ["whole", "partMs"] as const) {
    for (const priority of prioritiesOf(a, b)) {
      const less = valueAt(a, aim, priority) - valueAt(b, aim, priority);
      if (less !== 0) return less;
    }
  }
  return 0;
}

/** The same by the aims up to padding: later ones depend on the previous plan. */
export function compareWorth(a: Worth, b: Worth): number {
  const less = compareEvents(a, b);
  if (less !== 0) return less;
  for (const aim of ["hope", "avoided", "weak", "paddingMs"] as const) {
    if (a[aim] !== b[aim]) return a[aim] - b[aim];
  }
  return 0;
}

export function sumOfWorths(worths: readonly Worth[]): Worth {
  const priorities = prioritiesOf(...worths);
  const sum = (aim: "hope" | "avoided" | "weak" | "paddingMs" | "stayed" | "tunings" | "order") =>
    worths.reduce((all, worth) => all + worth[aim], 0);
  const perPriority = (aim: "whole" | "partMs") =>
    priorities.map((priority) => worths.reduce((all, worth) => all + valueAt(worth, aim, priority), 0));
  return {
    priorities,
    whole: perPriority("whole"),
    partMs: perPriority("partMs"),
    hope: sum("hope"),
    avoided: sum("avoided"),
    weak: sum("weak"),
    paddingMs: sum("paddingMs"),
    stayed: sum("stayed"),
    tunings: sum("tunings"),
    order: sum("order"),
  };
}

function prioritiesOf(...worths: readonly Worth[]): readonly number[] {
  return [...new Set(worths.flatMap(({ priorities }) => priorities))].sort((a, b) => b - a);
}

function valueAt({ priorities, ...worth }: Worth, aim: "whole" | "partMs", priority: number): number {
  return worth[aim][priorities.indexOf(priority)] ?? 0;
}
