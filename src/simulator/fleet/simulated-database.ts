import assert from "node:assert/strict";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs } from "../../model/time.ts";
import type { Row, Statements, Value } from "../../recorder/fleet/database.ts";
import {
  FLEET_LIMITS,
  LEASE_CONNECTION_LIMITS,
  STATE_CONNECTION_LIMITS,
} from "../../recorder/fleet/limits.ts";
import type { Chance } from "../weeks/chance.ts";
import { type LeaderRow, updateLeader } from "./leader-row.ts";
import type { NodeProcess } from "./node-process.ts";

const LIMITS = { lease: LEASE_CONNECTION_LIMITS, state: STATE_CONNECTION_LIMITS } as const;
/** The same as that of `database.ts`. */
const SILENCE_MS = 1000;

/** The way of a node to the database. */
export type Way = "open" | "slow" | "cut" | "loses answers";

/** The end of a connection at a node. */
export interface Client {
  readonly process: NodeProcess;
  readonly chance: Chance;
  readonly way: () => Way;
}

/** Told of what the database has done; `by` is the process whose statement it was. */
export interface DatabaseWatch {
  /** Before the row changes. */
  taking(row: Readonly<LeaderRow>, by: NodeProcess): void;
  taken(row: Readonly<LeaderRow>, by: NodeProcess): void;
  renewed(): void;
  written(by: NodeProcess): void;
}

/** The database of a fleet: the statements of `lease.ts`, `reign.ts` and those of the state, each at one instant. */
export class SimulatedDatabase {
  readonly leader: LeaderRow = {
    ...{ term: 0, node: null, renewals: 0, writes: 0, alive_at: 0 },
    ...{ mark: "mark", is_marked: false, since: null, captures: "[]", idle: "[]", home: "" },
  };
  /** Bodies by document, collection and id, in the order in which they were added. */
  readonly values = new Map<
    string,
    { readonly key: readonly [string, string, string]; readonly body: string }
  >();
  readonly ledger = new Map<number, string>();
  /** Nodes that are drained. */
  readonly drained = new Set<string>();
  /** Called with the values of each statement that writes in a term. */
  onWrite: (values: readonly Value[]) => void = () => {};
  readonly #nodes = new Map<string, { readonly card: Row; readonly seenMs: number }>();
  readonly #time: Clock;
  readonly #watch: DatabaseWatch;
  #isDown = false;

  constructor(time: Clock, watch: DatabaseWatch) {
    this.#time = time;
    this.#watch = watch;
  }

  /** The state and the ledger of a fleet that has led before. */
  fill(top: Readonly<Record<string, string>>, version = 1): void {
    const rows = Object.entries(top).map(([id, body]) => ["", id, body] as const);
    for (const [collection, id, body] of [...rows, ["format", "version", String(version)] as const]) {
      const key = ["document", collection, id] as const;
      this.values.set(JSON.stringify(key), { key, body });
    }
    this.ledger.set(1, "[]");
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  goDown(): void {
    this.#isDown = true;
  }

  comeBack(): void {
    this.#isDown = false;
  }

  connect(client: Client, use: keyof typeof LIMITS): Statements & AsyncDisposable {
    return {
      place: "a simulated database",
      query: (text, values = []) => this.#query(client, LIMITS[use].databaseStatementMs, { text, values }),
      async [Symbol.asyncDispose]() {},
    };
  }

  #query(
    { process: by, chance, way }: Client,
    statementMs: DurationMs,
    { text, values }: { readonly text: string; readonly values: readonly Value[] },
  ): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      const fail = () => {
        const said = "The database of the fleet cannot be used now.";
        reject(new RecorderdError("STORE_WRITE_FAILED", said, { isFinal: false }));
      };
      if (this.#isDown && way() !== "cut") return void by.after(chance.int(1, 20), fail);
      const callOff = by.after(statementMs + SILENCE_MS, fail);
      if (way() === "cut") return;
      const there = way() === "slow" && chance.percent(40) ? lateness(chance) : chance.int(1, 20);
      this.#time.after(there, () => {
        if (this.#isDown) return void by.after(chance.int(1, 20), fail);
        const rows = this.#carryOut(text, { values, by });
        if (way() === "cut" || way() === "loses answers") return;
        by.after(chance.int(1, 20), () => {
          callOff();
          resolve(rows);
        });
      });
    });
  }

  #carryOut(
    text: string,
    { values, by }: { readonly values: readonly Value[]; readonly by: NodeProcess },
  ): readonly Row[] {
    const { leader } = this;
    const { kind, shows, renews } = statementOf(text);
    if (shows) this.#show(values);
    const update = () => updateLeader(leader, text, { values, now: this.#time.now() });
    const self = String(values[0]);
    switch (kind) {
      case "schema":
        return [{ done: true }];
      case "version":
        return [{ version: 1 }];
      case "write":
        return this.#write(text, { values, by, holds: update() });
      case "look":
        return [{ ...leader, name: leader.node, drained: this.drained.has(self) }];
      case "take": {
        const before = { ...leader };
        if (!update()) return [];
        this.#watch.taking(before, by);
        this.#watch.taken(leader, by);
        return [{ ...leader }];
      }
      case "update": {
        const isChanged = update();
        if (isChanged && renews) this.#watch.renewed();
        return isChanged ? [{ unwanted: this.drained.has(self) && this.#canReplace(self) }] : [];
      }
      case "nodes":
        return this.#nodeRows(values);
      case "values":
        return this.#load(values);
      case "place":
        return [{ place: Math.max(0, ...this.ledger.keys()) }];
      case "facts": {
        const latest = [...this.ledger].toSorted(([a], [b]) => b - a).slice(0, Number(values[0]));
        return latest.map(([place, facts]) => ({ place, facts }));
      }
    }
  }

  /** Whether another node, which is not drained, could take the lead. */
  #canReplace(self: string): boolean {
    const since = this.#time.monotonicMs() - FLEET_LIMITS.ableMs;
    return [...this.#nodes].some(
      ([node, { seenMs }]) => node !== self && !this.drained.has(node) && seenMs > since,
    );
  }

  #show([node, name, version, trouble, address, certificate]: readonly Value[]): void {
    const card = { node, name, version, trouble, address, certificate };
    this.#nodes.set(String(node), { card, seenMs: this.#time.monotonicMs() });
  }

  #nodeRows([silentMs]: readonly Value[]): readonly Row[] {
    const since = this.#time.monotonicMs() - Number(silentMs);
    return [...this.#nodes].map(([node, { card, seenMs }]) => ({
      ...card,
      drained: this.drained.has(node),
      lives: seenMs > since,
    }));
  }

  #load([document]: readonly Value[]): readonly Row[] {
    const found = [...this.values.values()].filter(({ key }) => key[0] === document);
    return found.map(({ key: [, collection, id], body }) => ({ collection, id, body }));
  }

  #write(
    text: string,
    {
      values,
      by,
      holds,
    }: { readonly values: readonly Value[]; readonly by: NodeProcess; readonly holds: boolean },
  ): readonly Row[] {
    if (!holds) return [{ held: 0 }];
    if (text.includes("fleet_ledger")) this.#append(values);
    else this.#put(values);
    this.#watch.written(by);
    this.onWrite(values);
    return [{ held: 1 }];
  }

  #append([place, facts]: readonly Value[]): void {
    this.ledger.set(Number(place), String(facts));
  }

  #put([document, goneIn, gone, putIn, put, bodies]: readonly Value[]): void {
    const texts = (value: Value | undefined) => value as readonly string[];
    const name = String(document);
    const keyOf = (collection: string | undefined, id: string) => [name, collection ?? "", id] as const;
    for (const [at, id] of texts(gone).entries()) {
      this.values.delete(JSON.stringify(keyOf(texts(goneIn)[at], id)));
    }
    for (const [at, id] of texts(put).entries()) {
      const key = keyOf(texts(putIn)[at], id);
      this.values.set(JSON.stringify(key), { key, body: texts(bodies)[at] ?? "" });
    }
  }
}

/** The kind of a statement is that of the first text here that is in it. */
const MARKS = [
  ["to_regclass", "schema"],
  ["SELECT version", "version"],
  ["fence AS", "write"],
  ["FROM fleet_leader AS l", "look"],
  ["SET term = term + 1", "take"],
  ["UPDATE fleet_leader", "update"],
  ["FROM fleet_nodes", "nodes"],
  ["FROM fleet_values", "values"],
  ["max(place)", "place"],
  ["FROM fleet_ledger ORDER BY place DESC", "facts"],
] as const;

interface Statement {
  readonly kind: (typeof MARKS)[number][1];
  /** Writes the row of its node first. */
  readonly shows: boolean;
  readonly renews: boolean;
}

/** By the text of the statement: each is carried out thousands of times. */
const STATEMENTS = new Map<string, Statement>();

function statementOf(text: string): Statement {
  const known = STATEMENTS.get(text);
  if (known !== undefined) return known;
  const [, kind] = MARKS.find(([mark]) => text.includes(mark)) ?? [];
  assert(kind !== undefined, `unknown statement: ${text}`);
  const shows = text.includes("INSERT INTO fleet_nodes");
  const statement: Statement = { kind, shows, renews: text.includes("renewals + 1") };
  // A write has its number in its text.
  if (kind !== "write") STATEMENTS.set(text, statement);
  return statement;
}

/** A statement may arrive when its node has given up long ago. */
function lateness(chance: Chance): DurationMs {
  return chance.percent(60) ? chance.int(20, 2500) : chance.int(2500, 30_000);
}
