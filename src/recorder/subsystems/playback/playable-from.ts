import { Readable } from "node:stream";
import type { AccessIndex } from "../../../model/access-index.ts";
import type { DurationMs } from "../../../model/time.ts";
import type { Playable } from "../../api/daemon-api.ts";

/** A recording from the access point at or before an instant of its timeline. Its tables come first: a decoder needs them. */
export function playableFrom(
  whole: Playable,
  { points, tables }: Pick<AccessIndex, "points" | "tables">,
  atMs: DurationMs,
): Playable {
  const point = points.findLast(({ streamMs }) => streamMs <= atMs);
  if (point === undefined) return whole;
  const lead = tables[point.tables] ?? new Uint8Array(0);
  const left = point.offset - lead.length;
  if (left <= 0) return whole;
  return {
    ...whole,
    size: whole.size - left,
    etag: `${whole.etag.slice(0, -1)}-${point.offset.toString(36)}"`,
    read: ({ first, last }) => {
      const rest = {
        first: left + Math.max(first, lead.length),
        ...(last !== undefined && { last: left + last }),
      };
      if (first >= lead.length) return whole.read(rest);
      return Readable.from(joined(lead.subarray(first, last === undefined ? undefined : last + 1), rest));
    },
  };

  async function* joined(lead: Uint8Array, rest: { readonly first: number; readonly last?: number }) {
    yield lead;
    if (rest.last === undefined || rest.last >= rest.first) yield* whole.read(rest);
  }
}
