/** A linear program: numbers from 0 to `most`, integers where `isWhole`, within rows; sums with integer factors are maximized. */
export interface Program {
  readonly columns: readonly { readonly most: number; readonly isWhole: boolean }[];
  readonly rows: readonly Row[];
}

/** The sum of the terms lies between `least` and `most`. */
export interface Row {
  readonly terms: readonly Term[];
  readonly least?: number;
  readonly most?: number;
}

export type Term = readonly [column: number, factor: number];

/** A solver of integer programs: HiGHS, on another thread. A program may get a share of its time, up to 1. */
export type Optimizer = (
  program: Program,
  share?: number,
) => Disposable & {
  /** @returns `undefined` if no solution within the rows was found */
  maximize(terms: readonly Term[]): { readonly values: Float64Array; readonly bound: number } | undefined;
  add(row: Row): void;
};
