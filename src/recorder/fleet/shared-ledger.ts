import type { LedgerFact } from "../../model/ledger.ts";
import type { TimerId } from "../../model/timer.ts";
import type { Ledger } from "../store/ledger.ts";
import type { Statements } from "./database.ts";
import { FLEET_LIMITS } from "./limits.ts";
import type { Reign } from "./reign.ts";

/** Batches that are read or copied at once. */
const BATCHES_AT_ONCE = 500;

/**
 * The ledger in the database of a fleet: a row for each batch of facts.
 *
 * @param earlier the facts of this node from before it was in a fleet; asked when the fleet has none
 * @throws RecorderdError STORE_WRITE_FAILED or STORE_LOCKED
 */
export async function openSharedLedger(
  reign: Reign,
  earlier: () => AsyncIterable<LedgerFact>,
): Promise<Ledger> {
  const [row] = await reign.database.query("SELECT coalesce(max(place), 0)::int AS place FROM fleet_ledger");
  let place = Number(row?.["place"]);

  /** A try whose outcome is unknown is repeated in the same place. */
  async function append(facts: readonly LedgerFact[]): Promise<void> {
    if (facts.length === 0) return;
    await reign.write(() => {
      const own = place + 1;
      return {
        values: [own, JSON.stringify(facts), own - FLEET_LIMITS.ledgerBatches],
        parts: [
          `put AS (
            INSERT INTO fleet_ledger (place, facts) SELECT $1::bigint, $2::text FROM fence
            ON CONFLICT (place) DO UPDATE SET facts = excluded.facts)`,
          "gone AS (DELETE FROM fleet_ledger AS l USING fence WHERE l.place < $3::bigint)",
        ],
        written: () => {
          place = own;
        },
      };
    });
  }

  async function catchUp(latest: readonly LedgerFact[]): Promise<void> {
    const texts = latest.map((fact) => JSON.stringify(fact));
    const end = (await lastFacts(reign.database, latest.length)).map((fact) => JSON.stringify(fact));
    let there = Math.min(texts.length, end.length);
    while (there > 0 && texts.slice(0, there).join("\n") !== end.slice(-there).join("\n")) there -= 1;
    await append(latest.slice(there));
  }

  if (place === 0) {
    for await (const facts of batchesOf(earlier(), BATCHES_AT_ONCE)) await append(facts);
  }
  return { append, catchUp, [Symbol.asyncDispose]: async () => {} };
}

async function lastFacts(database: Statements, count: number): Promise<readonly LedgerFact[]> {
  if (count === 0) return [];
  const rows = await database.query("SELECT facts FROM fleet_ledger ORDER BY place DESC LIMIT $1", [count]);
  return rows.toReversed().flatMap(factsIn).slice(-count);
}

/** All facts of the fleet, oldest first, or those of one timer. @throws RecorderdError STORE_WRITE_FAILED */
export async function* readSharedLedger(
  database: Statements,
  { timerId }: { readonly timerId?: TimerId } = {},
): AsyncGenerator<LedgerFact, void, undefined> {
  for (let place = 0; ; ) {
    const rows = await database.query(
      "SELECT place::int AS place, facts FROM fleet_ledger WHERE place > $1 ORDER BY place LIMIT $2",
      [place, BATCHES_AT_ONCE],
    );
    for (const row of rows) {
      place = Number(row["place"]);
      yield* factsIn(row).filter((fact) => timerId === undefined || fact.timerId === timerId);
    }
    if (rows.length < BATCHES_AT_ONCE) return;
  }
}

/** Not validated: this program wrote them. */
function factsIn({ facts }: Readonly<Record<string, unknown>>): readonly LedgerFact[] {
  return JSON.parse(String(facts)) as readonly LedgerFact[];
}

async function* batchesOf<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
