import { columnsOf, cutTo, plainLine, wrapped } from "./plain-text.ts";

const GAP = "  ";

export interface Table {
  readonly head: readonly string[];
  /** Raw texts; control characters are removed here. */
  readonly rows: readonly (readonly string[])[];
}

/**
 * A table for people. Empty columns are left out. On a narrow terminal the widest columns are cut first, so that ids and times
 * stay complete as long as possible.
 *
 * @param columnsMax width of the terminal; without one nothing is cut
 */
export function tableText({ head, rows }: Table, columnsMax: number | undefined): string {
  const plain = rows.map((row) => row.map(plainLine));
  const used = head.map((_, at) => plain.some((row) => row[at] !== ""));
  const lines = [head, ...plain].map((row) => row.filter((_, at) => used[at]));
  const natural = used.filter(Boolean).map((_, at) => widest(lines.map((row) => row[at] ?? "")));
  const widths = columnsMax === undefined ? natural : narrowed(natural, columnsMax);
  const texts = lines.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return texts.map((text) => (columnsMax === undefined ? text : cutTo(text, columnsMax))).join("\n");
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}

/** The greatest common width limit with which all columns fit; the first cut columns share the rest. */
function narrowed(natural: readonly number[], columnsMax: number): readonly number[] {
  const room = columnsMax - GAP.length * (natural.length - 1);
  const sumAt = (bound: number) => natural.reduce((sum, width) => sum + Math.min(width, bound), 0);
  let bound = natural.reduce((most, width) => Math.max(most, width), 1);
  while (bound > 1 && sumAt(bound) > room) bound -= 1;
  let left = Math.max(0, room - sumAt(bound));
  return natural.map((width) => {
    const more = width > bound && left > 0 ? 1 : 0;
    left -= more;
    return Math.min(width, bound + more);
  });
}

function padded(cell: string, width: number): string {
  const cut = cutTo(cell, width);
  return cut + " ".repeat(Math.max(0, width - columnsOf(cut)));
}

/** One record, a field per line; long values wrap, nothing is cut. Empty values are left out. */
export function detailsText(
  fields: readonly (readonly [name: string, value: string])[],
  columnsMax: number | undefined,
): string {
  const plain = fields.map(([name, value]) => [plainLine(name), plainLine(value)] as const);
  const shown = plain.filter(([, value]) => value !== "");
  // Field names from the service may have any length.
  const most = columnsMax === undefined ? 40 : Math.min(40, Math.floor(columnsMax / 2) - GAP.length);
  const width = Math.min(most, widest(shown.map(([name]) => name)));
  const room = columnsMax === undefined ? Number.POSITIVE_INFINITY : columnsMax - width - GAP.length;
  return shown
    .flatMap(([name, value]) =>
      wrapped(value, room).map((line, at) => `${padded(at === 0 ? name : "", width)}${GAP}${line}`),
    )
    .join("\n");
}

/** `1.23 GB`, `45.6 MB` */
export function sizeText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
