import { RecorderdError } from "../../model/errors.ts";
import type { Statements } from "./database.ts";

/** The version of the tables. A program of a later version may raise it, and earlier ones then refuse to lead. */
const VERSION = 1;

/** The advisory lock for creating the tables. */
const CREATORS = 26_001;

const TABLES = `
  CREATE TABLE IF NOT EXISTS fleet_leader (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    version int NOT NULL,
    -- Identifies the shared folder of recordings (places.ts).
    mark text NOT NULL DEFAULT gen_random_uuid()::text,
    is_marked boolean NOT NULL DEFAULT false,
    term bigint NOT NULL DEFAULT 0,
    -- The leader; null: nobody leads.
    node text,
    since timestamptz,
    -- Grows with every renewal of the lease.
    renewals bigint NOT NULL DEFAULT 0,
    -- The number of the latest write of this term.
    writes bigint NOT NULL DEFAULT 0,
    -- The leader's latest sign of life, in UTC milliseconds of its own clock.
    alive_at bigint NOT NULL DEFAULT 0
  );
  -- Captures on nodes that do not lead, as the leader knows them: [{node, id}].
  ALTER TABLE fleet_leader ADD COLUMN IF NOT EXISTS captures text NOT NULL DEFAULT '[]';
  CREATE TABLE IF NOT EXISTS fleet_nodes (
    node text PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    started timestamptz NOT NULL,
    seen timestamptz NOT NULL,
    -- Why it cannot lead; empty: it can.
    trouble text NOT NULL
  );
  -- Host and port at which it takes orders, and the certificate there; empty: it takes none.
  ALTER TABLE fleet_nodes ADD COLUMN IF NOT EXISTS address text NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS certificate text NOT NULL DEFAULT '',
    -- The ids of its tuners, as the plan names them: [id].
    ADD COLUMN IF NOT EXISTS tuners text NOT NULL DEFAULT '[]';
  -- Since when it is drained; null: it is not.
  ALTER TABLE fleet_nodes ADD COLUMN IF NOT EXISTS drained timestamptz;
  -- Drained nodes on which nothing runs or begins any more, as the leader knows them: [node].
  ALTER TABLE fleet_leader ADD COLUMN IF NOT EXISTS idle text NOT NULL DEFAULT '[]';
  -- Where other machines reach its dashboard; empty: nowhere.
  ALTER TABLE fleet_nodes ADD COLUMN IF NOT EXISTS web text NOT NULL DEFAULT '';
  -- It has segments that the home of the fleet has not; since when it has led in its place, and may have finished recordings.
  ALTER TABLE fleet_nodes ADD COLUMN IF NOT EXISTS keeps boolean NOT NULL DEFAULT false,
    ADD COLUMN IF NOT EXISTS led timestamptz;
  -- The name of the node that keeps the recordings; empty: the nodes share a folder.
  ALTER TABLE fleet_leader ADD COLUMN IF NOT EXISTS home text NOT NULL DEFAULT '';
  CREATE TABLE IF NOT EXISTS fleet_values (
    document text NOT NULL,
    collection text NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    -- The order in which values were added; a change keeps it.
    place bigserial,
    PRIMARY KEY (document, collection, id)
  );
  CREATE TABLE IF NOT EXISTS fleet_texts (name text PRIMARY KEY, body text NOT NULL);
  CREATE TABLE IF NOT EXISTS fleet_ledger (place bigint PRIMARY KEY, facts text NOT NULL);
  INSERT INTO fleet_leader (version) VALUES (${VERSION}) ON CONFLICT DO NOTHING;`;

/**
 * Creates the tables, once for all nodes.
 *
 * @throws RecorderdError STORE_WRITE_FAILED; STORE_TOO_NEW if a later version has changed them
 */
export async function prepareTables(database: Statements): Promise<void> {
  // Several statements in one text are one transaction.
  if (!(await arePrepared(database)))
    await database.query(`SELECT pg_advisory_xact_lock(${CREATORS}); ${TABLES}`);
  const [leader] = await database.query("SELECT version FROM fleet_leader");
  const version = Number(leader?.["version"]);
  if (version <= VERSION) return;
  const text = `${database.place} is used by a later version of recorderd: install that version on this node, too.`;
  throw new RecorderdError("STORE_TOO_NEW", text, { found: version, known: VERSION });
}

/** Whether the tables have all that this version uses. @throws RecorderdError STORE_WRITE_FAILED */
export async function arePrepared(database: Statements): Promise<boolean> {
  const [found] = await database.query(
    `SELECT to_regclass('fleet_ledger') IS NOT NULL AND EXISTS (SELECT FROM pg_attribute
       WHERE attrelid = to_regclass('fleet_leader') AND attname = 'home') AS done`,
  );
  return found?.["done"] === true;
}
