import type { Complaint, ListedProgramme } from "./reader.ts";

/** Programmes of one start that are compared by title: a listing may have thousands. */
const SAME_START_LOOKED = 32;

/**
 * The programmes of one channel without duplicates and overlaps: the first of two overlapping ones ends when the
 * second begins. A programme that contains another stays, like a day of sports.
 *
 * @param programmes by start
 */
export function withoutOverlaps(
  programmes: readonly ListedProgramme[],
  complain: (complaint: Complaint) => void,
): readonly ListedProgramme[] {
  const kept: ListedProgramme[] = [];
  for (const programme of programmes) {
    const { start, title, line = 0 } = programme;
    if (isDuplicate(kept, programme)) {
      const reason = `${JSON.stringify(title.slice(0, 60))} is listed twice at that time`;
      complain({ kind: "duplicate", line, reason, leftOut: true });
      continue;
    }
    const last = kept.at(-1);
    if (last?.stop !== undefined && last.start < start && reachesInto(last.stop, programme)) {
      const reason = "it ends after the next one begins: shortened";
      complain({ kind: "overlap", line: last.line ?? 0, reason, leftOut: false });
      kept[kept.length - 1] = { ...last, stop: start };
    }
    kept.push(programme);
  }
  return kept;
}

function reachesInto(stop: number, next: ListedProgramme): boolean {
  return stop > next.start && (next.stop === undefined || stop <= next.stop);
}

function isDuplicate(kept: readonly ListedProgramme[], { start, title }: ListedProgramme): boolean {
  for (let back = 1; back <= SAME_START_LOOKED && kept.at(-back)?.start === start; back += 1) {
    if (kept.at(-back)?.title === title) return true;
  }
  return false;
}
