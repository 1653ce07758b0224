import type { Inspection, Lack } from "../../model/inspection.ts";
import { merged, uncovered, type Window } from "../../model/window.ts";

/** Adds spans without picture or sound to an inspection. */
export function withLacks(inspection: Inspection, kind: Lack["kind"], spans: readonly Window[]): Inspection {
  const alike = inspection.lacks.filter((lack) => lack.kind === kind);
  const others = inspection.lacks.filter((lack) => lack.kind !== kind);
  const lacking = merged([...alike, ...spans]).map((span) => ({ ...span, kind }) as const);
  return {
    ...inspection,
    spans: inspection.spans.flatMap((span) => uncovered(span, spans)),
    lacks: [...others, ...lacking].sort((a, b) => a.start - b.start),
  };
}
