import { columnsOf, cutTo, plainLine, wrapped } from "./plain-text.ts";

const GAP = "  ";

/** Dates and times of day. */
const TIME = /\d{1,2}:\d{2}/;

export interface Table {
  readonly head: readonly string[];
  /** Raw texts; control characters are removed here. */
  readonly rows: readonly (readonly string[])[];
  /** A text below each row; an empty one takes no line. */
  readonly notes?: readonly string[];
}

/**
 * A table for people, without columns that are empty in every row. On a narrow terminal, the widest texts are cut first;
 * times stay whole.
 *
 * @param columnsMax width of the terminal; without one nothing is cut
 */
export function tableText({ head, rows, notes = [] }: Table, columnsMax: number | undefined): string {
  const plain = rows.map((row) => row.map(plainLine));
  const used = head.map((_, at) => plain.some((row) => row[at] !== ""));
  const lines = [head, ...plain].map((row) => row.filter((_, at) => used[at]));
  const columns = lines.map((row) => row.map(columnsOf));
  const natural = used
    .filter(Boolean)
    .map((_, at) => columns.reduce((most, row) => Math.max(most, row[at] ?? 0), 0));
  const isTime = natural.map((_, at) => isTimeColumn(lines.slice(1).map((row) => row[at] ?? "")));
  const widths = columnsMax === undefined ? natural : narrowed(natural, isTime, columnsMax);
  const texts = lines.map((row, line) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0, columns[line]?.[at]))
      .join(GAP)
      .trimEnd(),
  );
  return texts
    .map((text) => (columnsMax === undefined ? text : cutTo(text, columnsMax)))
    .flatMap((text, at) => [text, ...noteLines(notes[at - 1] ?? "", columnsMax)])
    .join("\n");
}

function noteLines(note: string, columnsMax = Number.POSITIVE_INFINITY): readonly string[] {
  const plain = plainLine(note);
  if (plain === "") return [];
  const room = columnsMax - GAP.length;
  return room < 2 ? [cutTo(plain, columnsMax)] : wrapped(plain, room).map((line) => `${GAP}${line}`);
}

/** Half a time is a wrong one: such a column is never cut. */
function isTimeColumn(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "" || TIME.test(cell));
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}

/** The greatest common bound on the widths of texts with which all columns fit; the rest goes to the first cut ones. */
function narrowed(
  natural: readonly number[],
  isTime: readonly boolean[],
  columnsMax: number,
): readonly number[] {
  const room = columnsMax - GAP.length * (natural.length - 1);
  const sumAt = (bound: number) =>
    natural.reduce((sum, width, at) => sum + (isTime[at] === true ? width : Math.min(width, bound)), 0);
  let bound = natural.reduce((most, width) => Math.max(most, width), 1);
  while (bound > 1 && sumAt(bound) > room) bound -= 1;
  let left = Math.max(0, room - sumAt(bound));
  return natural.map((width, column) => {
    if (isTime[column] === true) return width;
    const more = width > bound && left > 0 ? 1 : 0;
    left -= more;
    return Math.min(width, bound + more);
  });
}

function padded(cell: string, width: number, columns = columnsOf(cell)): string {
  if (columns <= width) return cell + " ".repeat(width - columns);
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
