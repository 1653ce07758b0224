import type { Doubt, Hollow, Inspection } from "../../model/inspection.ts";
import { lengthMs, merged, uncovered } from "../../model/window.ts";
import type { DecodesExcerpt, Excerpt } from "./excerpt.ts";
import { withLacks } from "./lacking.ts";
import { EVIDENCE_LIMITS } from "./limits.ts";

/** A doubtful part, and whether its excerpt decodes. */
interface Judged {
  readonly part: Doubt;
  readonly decodes: boolean | undefined;
}

/**
 * Asks a decoder about the doubtful parts of a file. Parts that do not decode, or that no decoder could judge, do not count as
 * present (docs/dev/decisions/0069).
 */
export async function withoutHollowParts(
  { doubts, ...inspection }: Inspection,
  { file, decodesExcerpt }: { readonly file: string; readonly decodesExcerpt: DecodesExcerpt },
  signal: AbortSignal,
): Promise<Inspection> {
  if (doubts === undefined) return inspection;
  const judged: Judged[] = [];
  for (const [index, part] of partsOf(doubts).entries()) {
    const isAsked = index < EVIDENCE_LIMITS.excerpts;
    const decodes = isAsked ? await ask(excerptOf(file, part), decodesExcerpt, signal) : undefined;
    if (decodes !== true) judged.push({ part, decodes });
  }
  return judged.length === 0 ? inspection : withoutParts(inspection, judged);
}

/** A picture that does not change may go on for long without a key picture, and nothing can be decoded before one. */
async function ask(
  excerpt: Excerpt,
  decodesExcerpt: DecodesExcerpt,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const decodes = await decodesExcerpt(excerpt, signal);
  const earlier = withLead(excerpt);
  if (decodes !== false || excerpt.kind !== "picture" || earlier.from === excerpt.from) return decodes;
  return await decodesExcerpt(earlier, signal);
}

function withLead(excerpt: Excerpt): Excerpt {
  const { from, to, lengthMs } = excerpt;
  const { excerptLeadMs, excerptBytes } = EVIDENCE_LIMITS;
  const wanted = ((to - from) * excerptLeadMs) / lengthMs;
  const bytes = Math.floor(Math.max(0, Math.min(from, wanted, excerptBytes - (to - from))));
  return { ...excerpt, from: from - bytes, leadMs: (lengthMs * bytes) / (to - from) };
}

/** The main streams come first: an excerpt of each other picture and sound, if some are left. */
function partsOf(doubts: readonly Doubt[]): readonly Doubt[] {
  return [
    ...mainParts(doubts.filter(({ isExtra }) => isExtra !== true)),
    ...doubts.filter(({ isExtra }) => isExtra === true),
  ];
}

/** Long doubts in parts; the longest ones first, as many at least as can be asked about. */
function mainParts(doubts: readonly Doubt[]): readonly Doubt[] {
  const longest = [...doubts].sort((a, b) => lengthMs(b) - lengthMs(a));
  const totalMs = doubts.reduce((sum, doubt) => sum + lengthMs(doubt), 0);
  const { excerpts, excerptStandsForMs } = EVIDENCE_LIMITS;
  const spare = Math.max(0, excerpts - doubts.length);
  return longest.flatMap((doubt) => {
    const wanted = Math.ceil(lengthMs(doubt) / excerptStandsForMs);
    return split(doubt, Math.min(wanted, 1 + Math.floor((spare * lengthMs(doubt)) / totalMs)));
  });
}

function split(doubt: Doubt, count: number): readonly Doubt[] {
  return Array.from({ length: count }, (_, index) => ({
    ...doubt,
    ...slice(doubt, index / count, (index + 1) / count),
  }));
}

/** The part between two shares of a doubtful one. */
function slice({ start, stop, from, to }: Doubt, first: number, last: number) {
  const between = (a: number, b: number, share: number) => Math.round(a + (b - a) * share);
  return {
    start: between(start, stop, first),
    stop: between(start, stop, last),
    from: between(from, to, first),
    to: between(from, to, last),
  };
}

/** An excerpt from its middle. */
function excerptOf(file: string, part: Doubt): Excerpt {
  const { excerptMs, excerptBytes } = EVIDENCE_LIMITS;
  const share = Math.min(1, excerptMs / lengthMs(part), excerptBytes / (part.to - part.from));
  const { from, to } = slice(part, (1 - share) / 2, (1 + share) / 2);
  return { file, pid: part.pid, kind: part.kind, lengthMs: share * lengthMs(part), from, to };
}

function withoutParts(all: Inspection, judged: readonly Judged[]): Inspection {
  const tracks = all.tracks.map((track) => {
    const own = judged.filter(({ part: { pid } }) => pid === track.pid).map(({ part }) => part);
    return own.length === 0
      ? track
      : { ...track, spans: track.spans.flatMap((span) => uncovered(span, own)) };
  });
  const kinds = ["picture", "sound"] as const;
  return kinds.reduce<Inspection>(
    (before, kind) => {
      const alike = judged.filter(({ part }) => part.kind === kind && part.isExtra !== true);
      if (alike.length === 0) return before;
      const parts = merged(alike.map(({ part: { start, stop } }) => ({ start, stop })));
      const hollow: Hollow = alike.some(({ decodes }) => decodes === false)
        ? { kind }
        : { kind, isUnchecked: true };
      return { ...withLacks(before, kind, parts), hollow: [...(before.hollow ?? []), hollow] };
    },
    { ...all, tracks },
  );
}
