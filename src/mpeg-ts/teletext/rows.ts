import type { CharacterSet } from "./characters.ts";

/** Foreground colours of level 1, by their code. EN 300 706 §12.2. */
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
export type TeletextColour = (typeof COLOURS)[number];

export interface TeletextRun {
  readonly text: string;
  readonly colour: TeletextColour;
}

/** The boxed text of one row. */
export interface TeletextLine {
  /** 1 to 24, from the top. */
  readonly row: number;
  /** Columns of its first and last character that is no space, 0 to 39. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** Never empty. Spaces are single, and neither at the beginning nor at the end. */
  readonly runs: readonly TeletextRun[];
}

/** G0 sets of a row: the second one is selected by ESC. */
export interface RowSets {
  readonly first: CharacterSet;
  readonly second: CharacterSet;
}

/** A place on the screen, at the end of its spacing attributes. */
interface Pen {
  colour: TeletextColour;
  isBoxed: boolean;
  isMosaic: boolean;
  isConcealed: boolean;
  isSecond: boolean;
  isWide: boolean;
}

const COLUMNS = 40;
const END_BOX = 0x0a;
const START_BOX = 0x0b;
const NORMAL_SIZE = 0x0c;
const DOUBLE_HEIGHT = 0x0d;
const DOUBLE_WIDTH = 0x0e;
const DOUBLE_SIZE = 0x0f;
const MOSAICS = 0x10;
const CONCEAL = 0x18;
const ESCAPE = 0x1b;

interface Cell {
  readonly character: string;
  readonly colour: TeletextColour;
}

const EMPTY: Cell = { character: " ", colour: "white" };

/** Codes of a row: 7 bits each; 0x20 where nothing is known. */
export type RowCodes = Uint8Array;

/** Whether the row below shows the lower halves of this one's characters. EN 300 706 §12.2. */
export function isDoubleHeight(codes: RowCodes): boolean {
  return codes.some((code) => code === DOUBLE_HEIGHT || code === DOUBLE_SIZE);
}

/**
 * The text of a row in boxes: outside of them, a subtitle page shows the picture (EN 300 706 §9.3.1.3, C5 and C6).
 *
 * @param enhanced characters of X/26 by column
 * @returns `undefined` if there is none
 */
export function boxedLine(
  row: number,
  {
    codes,
    sets,
    enhanced,
  }: {
    readonly codes: RowCodes;
    readonly sets: RowSets;
    readonly enhanced: ReadonlyMap<number, string>;
  },
): TeletextLine | undefined {
  const cells = cellsOf(codes, sets, enhanced);
  const firstColumn = cells.findIndex(isVisible);
  if (firstColumn === -1) return undefined;
  const lastColumn = cells.findLastIndex(isVisible);
  return { row, firstColumn, lastColumn, runs: runsOf(cells.slice(firstColumn, lastColumn + 1)) };
}

function isVisible({ character }: Cell): boolean {
  return character !== " ";
}

function cellsOf(codes: RowCodes, sets: RowSets, enhanced: ReadonlyMap<number, string>): readonly Cell[] {
  const pen: Pen = {
    colour: "white",
    isBoxed: false,
    isMosaic: false,
    isConcealed: false,
    isSecond: false,
    isWide: false,
  };
  const cells: Cell[] = [];
  for (let column = 0; column < COLUMNS; column += 1) {
    const code = codes[column] ?? 0x20;
    if (code === NORMAL_SIZE) pen.isWide = false;
    if (code === CONCEAL) pen.isConcealed = true;
    const isShown = pen.isBoxed && !pen.isConcealed;
    const character = enhanced.get(column) ?? characterOf(code, pen, sets);
    cells.push(isShown ? { character, colour: pen.colour } : EMPTY);
    // The right half of a character of double width hides the next one.
    if (pen.isWide && code >= 0x20 && column + 1 < COLUMNS) {
      column += 1;
      cells.push({ ...EMPTY, character: "" });
    }
    if (code < 0x20) apply(code, pen);
  }
  return cells;
}

function characterOf(code: number, { isMosaic, isSecond }: Pen, sets: RowSets): string {
  const isBlock = isMosaic && (code & 0x20) !== 0;
  if (code < 0x20 || isBlock) return " ";
  return (isSecond ? sets.second : sets.first)[code - 0x20] ?? " ";
}

/** Attributes that take effect after their place. */
function apply(code: number, pen: Pen): void {
  if (code < COLOURS.length || (code >= MOSAICS && code < MOSAICS + COLOURS.length)) {
    pen.colour = COLOURS[code & 7] ?? "white";
    pen.isMosaic = code >= MOSAICS;
    pen.isConcealed = false;
  }
  if (code === START_BOX || code === END_BOX) pen.isBoxed = code === START_BOX;
  if (code === DOUBLE_HEIGHT) pen.isWide = false;
  if (code === DOUBLE_WIDTH || code === DOUBLE_SIZE) pen.isWide = true;
  if (code === ESCAPE) pen.isSecond = !pen.isSecond;
}

function runsOf(cells: readonly Cell[]): readonly TeletextRun[] {
  const runs: { text: string; readonly colour: TeletextColour }[] = [];
  let isSpace = false;
  for (const { character, colour } of cells) {
    const last = runs.at(-1);
    if (character === "" || (character === " " && isSpace)) continue;
    isSpace = character === " ";
    if (last !== undefined && (isSpace || last.colour === colour)) last.text += character;
    else runs.push({ text: character, colour });
  }
  return runs;
}
