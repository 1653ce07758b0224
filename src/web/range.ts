/** The requested part of a file. */
export type RequestedRange =
  | { readonly kind: "whole" }
  /** `last` is included; absent: to the end, even of a growing file. */
  | { readonly kind: "part"; readonly first: number; readonly last?: number }
  | { readonly kind: "beyond" };

/**
 * Parses a Range header. Unknown units and multiple ranges count as a request for the whole file.
 *
 * @param size the present size
 * @param isGrowing the file still grows: the range may end beyond the present size
 * @see RFC 9110 §14
 */
export function parseRange(
  header: string | undefined,
  { size, isGrowing }: { readonly size: number; readonly isGrowing: boolean },
): RequestedRange {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return { kind: "whole" };
  if (from === "") {
    const length = Number(to);
    return length === 0 || size === 0
      ? { kind: "beyond" }
      : { kind: "part", first: Math.max(0, size - length), last: size - 1 };
  }
  const first = Number(from);
  if (to !== "" && Number(to) < first) return { kind: "whole" };
  if (first > size || (first === size && !(isGrowing && to === ""))) return { kind: "beyond" };
  if (to === "" && isGrowing) return { kind: "part", first };
  return { kind: "part", first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
