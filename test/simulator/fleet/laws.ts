import type { Clock } from "../../../src/kit/time/clock.ts";
import type { LedgerFact } from "../../../src/model/ledger.ts";
import { type DurationMs, SECOND } from "../../../src/model/time.ts";
import type { LeaderRow } from "../../../src/simulator/fleet/leader-row.ts";
import type { NodeProcess } from "../../../src/simulator/fleet/node-process.ts";
import type {
  DatabaseWatch,
  SimulatedDatabase,
  Way,
} from "../../../src/simulator/fleet/simulated-database.ts";

/** The state that the simulated leaders write. */
export interface State {
  /** Grows with each change. */
  readonly number: number;
  readonly slots: Readonly<Record<string, number>>;
}

/** A node as the laws see it. */
export interface Seen {
  readonly name: string;
  readonly process: NodeProcess;
  readonly way: Way;
  /** It believes that it leads. */
  readonly leads: boolean;
}

/** The lease, less what a short outage hides from those who wait (`lookGapMs`). */
const LEASE_AT_LEAST_MS = 2.5 * SECOND;
/** Another node leads, and a leader of an earlier term knows of its end: the time of a lost try is in it. */
const CHANGE_MS = 12 * SECOND;

/** The laws of the lead in a fleet, and the first one that broke. */
export class Laws implements DatabaseWatch {
  violation: string | undefined;
  readonly #time: Clock;
  readonly #seen: () => readonly Seen[];
  readonly #database: () => SimulatedDatabase;
  readonly #terms = new Map<number, NodeProcess>();
  readonly #tried = new Set<string>();
  readonly #told: number[] = [];
  readonly #soundMs = new Map<NodeProcess, DurationMs>();
  #leader: NodeProcess | undefined;
  /** How long the database has been up since the latest renewal. */
  #sinceRenewalMs: DurationMs = 0;
  #tickedMs: DurationMs = 0;
  #stored = 0;
  #acknowledged = 0;
  /** How long a sound leader has been drained while a sound node could take over. */
  #unwantedMs: DurationMs = 0;

  constructor(
    time: Clock,
    parts: { readonly seen: () => readonly Seen[]; readonly database: () => SimulatedDatabase },
  ) {
    this.#time = time;
    this.#seen = parts.seen;
    this.#database = parts.database;
  }

  get terms(): number {
    return this.#terms.size;
  }

  get stored(): number {
    return this.#stored;
  }

  broken(law: string): void {
    this.violation ??= `${law} (after ${this.#time.monotonicMs() / SECOND} s)`;
  }

  taking(row: Readonly<LeaderRow>, by: NodeProcess): void {
    this.#count();
    const name = this.#seen().find(({ process }) => process === by)?.name;
    if (row.node !== null && row.node !== name && this.#sinceRenewalMs < LEASE_AT_LEAST_MS)
      this.broken(`a lease was taken ${this.#sinceRenewalMs} ms after its renewal`);
  }

  taken({ term }: Readonly<LeaderRow>, by: NodeProcess): void {
    if (this.#terms.has(term)) this.broken(`term ${term} began twice`);
    this.#terms.set(term, by);
    this.#leader = by;
    this.renewed();
  }

  renewed(): void {
    this.#count();
    this.#sinceRenewalMs = 0;
  }

  written(by: NodeProcess): void {
    if (by !== this.#leader) this.broken("a write of an earlier term changed the state");
    const state = stateText(this.#database());
    const { number } = JSON.parse(state) as State;
    if (number < this.#stored) this.broken(`a late try put state ${number} over ${this.#stored}`);
    if (number > 0 && !this.#tried.has(state)) this.broken(`nobody wrote the state ${state}`);
    this.#stored = number;
  }

  tries(state: State): void {
    this.#tried.add(textOf(state));
  }

  acknowledged({ number }: State): void {
    if (this.#stored < number) this.broken(`state ${number} was acknowledged, and is not stored`);
    this.#acknowledged = Math.max(this.#acknowledged, number);
  }

  opened({ number }: State): void {
    if (number < this.#acknowledged)
      this.broken(`a leader began with state ${number}, after ${this.#acknowledged} was acknowledged`);
  }

  told(facts: readonly number[]): void {
    this.#told.push(...facts);
  }

  /** Adds the time since the last call, in which the database was as it is now. */
  #count(): void {
    const now = this.#time.monotonicMs();
    if (!this.#database().isDown) this.#sinceRenewalMs += now - this.#tickedMs;
    this.#tickedMs = now;
  }

  /** Called before each change of the database's own state. */
  databaseChanges(): void {
    this.#count();
  }

  /** Called each second. */
  look(): void {
    const { isDown } = this.#database();
    const seen = this.#seen();
    for (const { process, way } of seen) {
      const isSound = process.runs && way === "open" && !isDown;
      this.#soundMs.set(process, isSound ? (this.#soundMs.get(process) ?? 0) + SECOND : 0);
    }
    const isSound = (process: NodeProcess) => (this.#soundMs.get(process) ?? 0) > CHANGE_MS;
    this.#count();
    if (this.#sinceRenewalMs > CHANGE_MS && seen.some(({ process }) => isSound(process)))
      this.broken("nobody has taken a lease that has run out");
    if (seen.some(({ process, leads }) => leads && process !== this.#leader && isSound(process)))
      this.broken("a leader of an earlier term still believes that it leads");
    const { drained } = this.#database();
    const sound = seen.filter(({ process }) => isSound(process));
    const isUnwanted =
      sound.some(({ name, process }) => process === this.#leader && drained.has(name)) &&
      sound.some(({ name }) => !drained.has(name));
    this.#unwantedMs = isUnwanted ? this.#unwantedMs + SECOND : 0;
    if (this.#unwantedMs > CHANGE_MS) this.broken("a drained node leads, and another one could");
  }

  /** Called when all has been well for long. */
  final(): void {
    const leading = this.#seen().filter(({ leads }) => leads);
    if (leading.length !== 1) this.broken(`${leading.length} nodes lead in the end`);
    const facts = factsOf(this.#database());
    const sorted = facts.toSorted((a, b) => a - b);
    if (facts.join() !== sorted.join()) this.broken("the ledger is not in order");
    if (new Set(facts).size !== facts.length) this.broken("the ledger has a fact twice");
    const stored = new Set(facts);
    const lost = this.#told.filter((fact) => !stored.has(fact));
    if (lost.length > 0) this.broken(`the ledger has lost ${lost.join(", ")}`);
  }
}

/** Equal for equal states. */
function textOf({ number, slots }: State): string {
  const sorted = Object.entries(slots).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ number, slots: Object.fromEntries(sorted) });
}

/** The state as its rows give it. */
function stateText({ values }: SimulatedDatabase): string {
  const slots: Record<string, number> = {};
  let number = 0;
  for (const { key, body } of values.values()) {
    const [, collection, id] = key;
    if (collection === "now:slots") slots[id] = Number(body);
    else if (id === "number") number = Number(body);
  }
  return textOf({ number, slots });
}

/** The ledger's facts, oldest first. */
function factsOf({ ledger }: SimulatedDatabase): readonly number[] {
  const batches = [...ledger].toSorted(([a], [b]) => a - b);
  return batches.flatMap(([, facts]) => (JSON.parse(facts) as LedgerFact[]).map(({ fact }) => Number(fact)));
}
