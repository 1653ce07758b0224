import { createRequire } from "node:module";
import type { Highs, default as HighsModule, Model } from "highs";

import type { DurationMs } from "../model/time.ts";

/** The types match the CommonJS build. */
const loadHighs: typeof HighsModule.default = createRequire(import.meta.url)("highs");

/**
 * An integer program: columns from 0 to `most`, integer or real, subject to the rows. Its objectives have integer values at
 * their optimum.
 */
export interface Program {
  readonly columns: readonly { readonly most: number; readonly isWhole: boolean }[];
  readonly rows: readonly Row[];
}

/** The sum of the terms is between `least` and `most`. */
export interface Row {
  readonly terms: readonly Term[];
  readonly least?: number;
  readonly most?: number;
}

/** A column's index and its factor. A row has each column at most once. */
export type Term = readonly [column: number, factor: number];

export interface Optimum {
  /** The value of each column. */
  readonly values: Float64Array;
  readonly value: number;
  /** Upper bound of the sum. */
  readonly bound: number;
}

export interface OpenProgram extends Disposable {
  /**
   * The greatest sum of the terms within the rows, or the best one found before time ran out.
   *
   * @returns `undefined` if no feasible solution was found
   */
  maximize(terms: readonly Term[]): Optimum | undefined;
  add(row: Row): void;
}

/**
 * HiGHS, compiled to WebAssembly: 3.5 MB, loaded on first use. It computes on the calling thread.
 *
 * @param timeMs time for all objectives of one program together, of which a program may get a share
 */
export async function loadIntegerPrograms(
  timeMs: DurationMs,
): Promise<(program: Program, share?: number) => OpenProgram> {
  const highs = await loadHighs();
  return (program, share = 1) => openProgram(highs, program, share * timeMs);
}

/**
 * Objectives are integers: a solution within one of the bound is optimal, and proving smaller gaps takes many times as long.
 */
const LESS_THAN_ONE = 0.9;
/** Tolerance for integer values. */
const FUZZ = 1e-6;

/**
 * Solves the relaxation first: each objective continues from the previous basis, which takes a fraction of the time. If its
 * solution is integral, it is optimal; only otherwise are integers enforced.
 */
function openProgram(highs: Highs, program: Program, timeMs: DurationMs): OpenProgram {
  const { columns } = program;
  const rows = [...program.rows];
  const relaxed = modelOf(highs, { columns: columns.map(({ most }) => ({ most, isWhole: false })), rows });
  let strict: Model | undefined;
  let latest: Float64Array | undefined;
  const isWhole = (values: Float64Array) =>
    columns.every((column, at) => {
      const value = values[at] ?? 0;
      return !column.isWhole || Math.abs(value - Math.round(value)) <= FUZZ;
    });
  const { optimal } = highs.constants.modelStatus;
  const run = (model: Model, costs: Float64Array): Optimum | undefined => {
    model.changeColsCost({ kind: "range", from: 0, to: columns.length - 1 }, costs);
    // The time limit applies to one run, but HiGHS's clock counts over all runs.
    const took = relaxed.getRunTime() + (strict?.getRunTime() ?? 0);
    model.options.set("time_limit", Math.max(0.01, timeMs / 1000 - took));
    model.run();
    return optimumOf(model, optimal);
  };
  return {
    add: (row) => {
      rows.push(row);
      addRow(highs, relaxed, row);
      if (strict !== undefined) addRow(highs, strict, row);
    },
    maximize: (terms) => {
      // HiGHS rejects an empty model.
      if (columns.length === 0) return { values: new Float64Array(0), value: 0, bound: 0 };
      const costs = new Float64Array(columns.length);
      for (const [column, factor] of terms) costs[column] = (costs[column] ?? 0) + factor;
      let found = run(relaxed, costs);
      if (found === undefined || relaxed.getModelStatus() !== optimal || !isWhole(found.values)) {
        strict ??= modelOf(highs, { columns, rows });
        if (latest !== undefined) strict.setSolution({ colValue: latest });
        found = run(strict, costs);
      }
      latest = found?.values;
      return found;
    },
    [Symbol.dispose]: () => {
      relaxed.dispose();
      strict?.dispose();
    },
  };
}

function modelOf(highs: Highs, { columns, rows }: Program): Model {
  const { constants, infinity } = highs;
  const { integer, continuous } = constants.variableType;
  const model = highs.createModel({
    numCols: columns.length,
    numRows: rows.length,
    sense: constants.objectiveSense.maximize,
    colCost: new Float64Array(columns.length),
    colLower: new Float64Array(columns.length),
    colUpper: Float64Array.from(columns, ({ most }) => most),
    rowLower: Float64Array.from(rows, ({ least = -infinity }) => least),
    rowUpper: Float64Array.from(rows, ({ most = infinity }) => most),
    ...(columns.some(({ isWhole }) => isWhole)
      ? { integrality: columns.map(({ isWhole }) => (isWhole ? integer : continuous)) }
      : {}),
    matrix: matrixOf(rows, columns.length),
  });
  model.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: LESS_THAN_ONE });
  return model;
}

function addRow({ infinity }: Highs, model: Model, { terms, least = -infinity, most = infinity }: Row): void {
  const indices = Int32Array.from(terms, ([column]) => column);
  model.addRow(least, most, { indices, values: Float64Array.from(terms, ([, factor]) => factor) });
}

function optimumOf(model: Model, optimal: number): Optimum | undefined {
  const isOptimal = model.getModelStatus() === optimal;
  const value = model.getObjectiveValue();
  const { colValue } = model.getSolution();
  if (!Number.isFinite(value) || colValue === undefined || colValue.length === 0) return undefined;
  const bound = isOptimal ? value : Number(model.info.get("mip_dual_bound"));
  return { values: colValue, value, bound };
}

function matrixOf(rows: readonly Row[], numCols: number) {
  const count = rows.reduce((sum, { terms }) => sum + terms.length, 0);
  const starts = new Int32Array(rows.length + 1);
  const indices = new Int32Array(count);
  const values = new Float64Array(count);
  let at = 0;
  for (const [row, { terms }] of rows.entries()) {
    starts[row] = at;
    for (const [column, factor] of terms) {
      indices[at] = column;
      values[at] = factor;
      at += 1;
    }
  }
  starts[rows.length] = at;
  return { format: "csr" as const, numRows: rows.length, numCols, starts, indices, values };
}
