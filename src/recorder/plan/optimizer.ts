/** Numbers from 0 to `most`, whole ones or any, of which sums, whole ones, are to be as great as can be; within rows. */
export interface Program {
  readonly columns: readonly { readonly most: number; readonly isWhole: boolean }[];
  readonly rows: readonly Row[];
}

/** The sum of its terms is at least and at most so much. */
export interface Row {
  readonly terms: readonly Term[];
  readonly least?: number;
  readonly most?: number;
}

export type Term = readonly [column: number, factor: number];

/** Whoever solves integer programs: HiGHS, beside the loop. */
export type Optimizer = (program: Program) => Disposable & {
  /** @returns `undefined` where it found nothing within the rows */
  maximize(terms: readonly Term[]): { readonly values: Float64Array; readonly bound: number } | undefined;
  add(row: Row): void;
};
