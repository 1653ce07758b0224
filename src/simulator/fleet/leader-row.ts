import assert from "node:assert/strict";
import type { Value } from "../../recorder/fleet/database.ts";

/** The row of the leader, as `schema.ts` describes it. */
export interface LeaderRow {
  term: number;
  node: string | null;
  renewals: number;
  writes: number;
  alive_at: number;
  mark: string;
  is_marked: boolean;
  since: number | null;
  captures: string;
  idle: string;
  home: string;
}

type Cell = string | number | boolean | null;

const UPDATE = /UPDATE fleet_leader\s+SET (?<sets>.+?)\s+WHERE (?<where>.+?)\s*(?:RETURNING|\)|$)/s;

/**
 * Carries out the one UPDATE of the leader's row in a statement as its text says, so that a condition that is missing there
 * is missing here.
 *
 * @returns whether the row fits the conditions, and was changed
 */
export function updateLeader(
  row: LeaderRow,
  text: string,
  { values, now }: { readonly values: readonly Value[]; readonly now: number },
): boolean {
  const { assignments, conditions } = updateIn(text);
  const before: Readonly<Record<string, Cell>> = { ...row };
  const cellOf = (expression: string): Cell => {
    const [, column, plus] = /^(\w+) \+ (\d+)$/.exec(expression) ?? [];
    if (column !== undefined) return Number(before[column]) + Number(plus);
    if (expression.startsWith("$")) return values[Number(expression.slice(1)) - 1] as Cell;
    if (expression === "clock_timestamp()") return now;
    if (Object.hasOwn(before, expression)) return before[expression] ?? null;
    return JSON.parse(expression.toLowerCase()) as Cell;
  };
  const holds = (condition: string): boolean => {
    const [, left = "", operator, right = ""] = /^(\w+) (=|<|>=) (\S+)$/.exec(condition) ?? [];
    const [is, than] = [cellOf(left), cellOf(right)];
    if (operator === "=") return is === than;
    if (operator === "<") return Number(is) < Number(than);
    assert.equal(operator, ">=", `unknown condition: ${condition}`);
    return Number(is) >= Number(than);
  };
  if (!conditions.every(holds)) return false;
  for (const [column, expression] of assignments) {
    assert(Object.hasOwn(row, column), `unknown column: ${column}`);
    Object.assign(row, { [column]: cellOf(expression) });
  }
  return true;
}

interface Update {
  readonly assignments: readonly (readonly [column: string, expression: string])[];
  readonly conditions: readonly string[];
}

/** By the text of the statement: each is carried out many times. */
const UPDATES = new Map<string, Update>();

function updateIn(text: string): Update {
  const known = UPDATES.get(text);
  if (known !== undefined) return known;
  const { sets, where } = UPDATE.exec(text)?.groups ?? {};
  assert(sets !== undefined && where !== undefined, `no update of the leader's row: ${text}`);
  const update: Update = {
    assignments: sets.split(", ").map((assignment) => {
      const [column = "", expression = ""] = assignment.trim().split(" = ");
      return [column, expression];
    }),
    conditions: where.split(" AND ").map((condition) => condition.trim()),
  };
  // A write has its number in its text.
  if (!text.includes("SET writes = ")) UPDATES.set(text, update);
  return update;
}
