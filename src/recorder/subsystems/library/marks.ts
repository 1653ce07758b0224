import { z } from "zod";
import { readFile } from "../../../kit/files/steady-fs.ts";
import { knownPosition } from "../../../model/integrity.ts";
import type { LibraryEntry } from "../../../model/library.ts";
import { type DurationMs, MINUTE, SECOND } from "../../../model/time.ts";
import { Instant, WrittenSegments } from "../../capture/written-segments.ts";
import { sidecarPath } from "./removal.ts";

/** A place in a file, with its name. */
export interface Mark {
  readonly atMs: DurationMs;
  readonly name: string;
}

const CHAPTER_MS: DurationMs = 10 * MINUTE;
/** A shorter gap is hardly seen. */
const GAP_MS_MIN: DurationMs = SECOND;
/** The longest gaps that get a mark; the format numbers chapters with two digits. */
const GAPS_MAX = 40;
const CHAPTERS_MAX = 99;

const Report = z.object({
  integrity: z.object({
    segments: WrittenSegments,
    gaps: z.array(
      z.object({ start: Instant, stop: Instant, streamMs: z.number(), lacks: z.string().optional() }),
    ),
  }),
});
type Timeline = Pick<z.output<typeof Report>["integrity"], "gaps" | "segments">;
type Gap = Timeline["gaps"][number];

/** Chapters at the event's start and end, every ten minutes between, and at gaps. */
export async function chapterMarks(entry: LibraryEntry, durationMs: DurationMs): Promise<readonly Mark[]> {
  const timeline = await timelineOf(entry.file);
  const { gaps } = timeline;
  const { firstAt, event } = entry;
  const place = (at: number) =>
    firstAt === undefined ? undefined : knownPosition(at, { firstAt, ...timeline });
  const begin = Math.max(0, place(event.start) ?? 0);
  const end = Math.min(durationMs, place(event.stop) ?? durationMs);
  const between = Array.from({ length: Math.max(0, Math.ceil((end - begin) / CHAPTER_MS)) }, (_, index) => ({
    atMs: begin + index * CHAPTER_MS,
    name: `Chapter ${index + 1}`,
  }));
  const before = begin > 0 ? [{ atMs: 0, name: "Before" }] : [];
  const after = end < durationMs ? [{ atMs: end, name: "After" }] : [];
  return [...before, ...between, ...after, ...gapMarks(gaps, durationMs)]
    .toSorted((a, b) => a.atMs - b.atMs)
    .slice(0, CHAPTERS_MAX);
}

/** Places in the file where something is missing. */
export async function marksOfGaps(file: string, durationMs: DurationMs): Promise<readonly Mark[]> {
  return gapMarks((await timelineOf(file)).gaps, durationMs);
}

function gapMarks(gaps: readonly Gap[], durationMs: DurationMs): readonly Mark[] {
  return gaps
    .filter(
      ({ start, stop, streamMs }) => stop - start >= GAP_MS_MIN && streamMs > 0 && streamMs < durationMs,
    )
    .toSorted((a, b) => b.stop - b.start - (a.stop - a.start))
    .slice(0, GAPS_MAX)
    .toSorted((a, b) => a.streamMs - b.streamMs)
    .map(({ streamMs, lacks }) => ({ atMs: streamMs, name: lacks === undefined ? "Gap" : `Gap (${lacks})` }));
}

/** Gaps and segments in the `.json` beside the recording; none without it. */
export async function timelineOf(file: string): Promise<Timeline> {
  const nothing = { gaps: [], segments: [] };
  const text = await readFile(sidecarPath(file, ".json"), "utf8").catch(() => "null");
  try {
    return Report.safeParse(JSON.parse(text)).data?.integrity ?? nothing;
  } catch {
    // A damaged sidecar: the recording is marked without it.
    return nothing;
  }
}
