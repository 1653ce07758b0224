import assert from "node:assert/strict";
import { RecorderdError } from "../../model/errors.ts";
import type { DocumentStore } from "../store/document-store.ts";
import type { DocumentFormat } from "../store/state-store.ts";
import { changeOf, joined, type Parts, type PartsChange, partsOf, withDoubt } from "./parts.ts";
import type { Change, Reign } from "./reign.ts";

/** The collection that holds the version of a document's format. */
const FORMAT = "format";
const VERSION = "version";

interface SharedDocumentParts<T> {
  readonly reign: Reign;
  readonly name: string;
  readonly format: DocumentFormat<T>;
  /** Reads the document of this node from before it was in a fleet; called if the fleet has none. */
  readonly earlier: () => Promise<T | undefined>;
}

/**
 * A document in the database of a fleet, value by value: a commit writes those that have changed, in one statement.
 *
 * @throws RecorderdError STORE_WRITE_FAILED, STORE_LOCKED, STORE_DAMAGED or STORE_TOO_NEW
 */
export async function openSharedDocument<T extends object>({
  reign,
  name,
  format,
  earlier,
}: SharedDocumentParts<T>): Promise<DocumentStore<T>> {
  const { schemaVersion, split, empty } = format;
  const partsIn = (document: T): Parts => {
    const { now, past } = split?.(document) ?? { now: document, past: {} };
    return new Map([...partsOf(now as object, past), [FORMAT, versionPart(schemaVersion)]]);
  };
  let stored = await load(reign, name);
  const isNew = stored.size === 0;
  let current = isNew ? empty() : documentOf(stored, { reign, name, format });
  /** A change of which it is unknown whether it was written. */
  let doubt: PartsChange | undefined;
  let open = true;
  let latest: Promise<unknown> = Promise.resolve();

  function commit(next: T): Promise<void> {
    assert(open, "a store that is closed takes nothing more");
    const done = write(next);
    latest = done.catch(() => {});
    return done;
  }

  async function write(next: T): Promise<void> {
    await reign.write(() => {
      if (doubt !== undefined) stored = withDoubt(stored, doubt);
      const after = partsIn(next);
      doubt = changeOf(stored, after);
      return {
        ...changeOfRows(name, doubt),
        written: () => {
          stored = after;
          doubt = undefined;
          current = next;
        },
      };
    });
  }

  const brought = isNew ? await earlier() : undefined;
  // Also an empty one: no later leader brings its own.
  if (isNew) await commit(brought ?? current);
  return {
    get current() {
      return current;
    },
    openedFrom: isNew && brought === undefined ? "nothing" : "current",
    commit,
    [Symbol.asyncDispose]: async () => {
      open = false;
      await latest;
    },
  };
}

/** Cached for each version: an unchanged part is the same object. */
const VERSIONS = new Map<number, ReadonlyMap<string, unknown>>();

function versionPart(version: number): ReadonlyMap<string, unknown> {
  const part = VERSIONS.get(version) ?? new Map([[VERSION, version]]);
  VERSIONS.set(version, part);
  return part;
}

async function load({ database }: Reign, name: string): Promise<Parts> {
  const rows = await database.query(
    "SELECT collection, id, body FROM fleet_values WHERE document = $1 ORDER BY place",
    [name],
  );
  const parts = new Map<string, Map<string, unknown>>();
  for (const { collection, id, body } of rows) {
    const values = parts.get(String(collection)) ?? new Map();
    values.set(String(id), JSON.parse(String(body)));
    parts.set(String(collection), values);
  }
  return parts;
}

function documentOf<T>(
  stored: Parts,
  { reign, name, format }: Pick<SharedDocumentParts<T>, "reign" | "name" | "format">,
): T {
  const version = Number(stored.get(FORMAT)?.get(VERSION));
  const { place } = reign.database;
  if (version > format.schemaVersion) {
    const text = `A later version of recorderd has written ${name} in ${place}: install that version on this node, too.`;
    throw new RecorderdError("STORE_TOO_NEW", text, { found: version, known: format.schemaVersion });
  }
  try {
    const { now, past } = joined(stored);
    return format.parse(now, past, version);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `${name} in ${place} is damaged (${why}): restore a backup of the database.`;
    throw new RecorderdError("STORE_DAMAGED", text, { document: name }, { cause: error });
  }
}

function changeOfRows(name: string, { put, gone }: PartsChange): Change {
  return {
    values: [
      name,
      gone.map(([collection]) => collection),
      gone.map(([, id]) => id),
      put.map(([collection]) => collection),
      put.map(([, id]) => id),
      put.map(([, , value]) => JSON.stringify(value)),
    ],
    parts: [
      `gone AS (
        DELETE FROM fleet_values AS v USING fence, unnest($2::text[], $3::text[]) AS k (collection, id)
        WHERE v.document = $1 AND v.collection = k.collection AND v.id = k.id)`,
      `put AS (
        INSERT INTO fleet_values (document, collection, id, body)
        SELECT $1, k.collection, k.id, k.body
        FROM fence, unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY AS k (collection, id, body, number)
        ORDER BY k.number
        ON CONFLICT (document, collection, id) DO UPDATE SET body = excluded.body)`,
    ],
  };
}
