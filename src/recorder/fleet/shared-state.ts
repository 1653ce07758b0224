import { RecorderdError } from "../../model/errors.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { EpochMs } from "../../model/time.ts";
import { type StateStore, type StoredText, stateInFolder } from "../store/state-store.ts";
import type { Reign } from "./reign.ts";
import { openSharedDocument } from "./shared-document.ts";
import { openSharedLedger, readSharedLedger } from "./shared-ledger.ts";

/** The leader's sign of life, stored with its lease. */
export interface SharedSign {
  /** That of the earlier leader. */
  readonly before: EpochMs | undefined;
  at: EpochMs;
}

/**
 * The state of a fleet, in its database. If the database has no such state yet, the state in this node's data folder is copied
 * first.
 *
 * @param folder the data folder of this node
 */
export function sharedState(reign: Reign, sign: SharedSign, folder: string): StateStore {
  const { database } = reign;
  const own = stateInFolder(folder);
  return {
    place: database.place,
    openDocument: (name, format) => {
      const earlier = async () => {
        await using store = await own.openDocument(name, format);
        return store.openedFrom === "nothing" ? undefined : store.current;
      };
      return openSharedDocument({ reign, name, format, earlier });
    },
    text: (name, options) => sharedText(reign, name, own.text(name, options)),
    openLedger: () => openSharedLedger(reign, () => earlierFacts(own)),
    readLedger: (about) => readSharedLedger(database, about),
    openSignOfLife: async (clock) => ({
      before: sign.before,
      renew: async () => {
        sign.at = clock.now();
      },
    }),
  };
}

async function* earlierFacts(own: StateStore): AsyncGenerator<LedgerFact> {
  // The folder need not be there.
  const ledger = await own.openLedger();
  await ledger[Symbol.asyncDispose]();
  yield* own.readLedger();
}

/** The body of a text that was never written. */
const NOTHING = "";

function sharedText(reign: Reign, name: string, earlier: StoredText): StoredText {
  const replace = (text: string | Iterable<string>) =>
    reign.write(() => ({
      values: [name, typeof text === "string" ? text : [...text].join("")],
      parts: [
        `put AS (
          INSERT INTO fleet_texts (name, body) SELECT $1::text, $2::text FROM fence
          ON CONFLICT (name) DO UPDATE SET body = excluded.body)`,
      ],
    }));

  /** Copies the earlier text. An empty one is stored, too, so that no later leader copies its own. */
  async function brought<T>(parse: (text: string) => T): ReturnType<typeof earlier.read<T>> {
    let whole: string = NOTHING;
    const found = await earlier.read((text) => {
      const value = parse(text);
      whole = text;
      return value;
    });
    await replace(whole);
    return found;
  }

  return {
    read: async (parse) => {
      const [row] = await reign.database.query("SELECT body FROM fleet_texts WHERE name = $1", [name]);
      if (row === undefined) return await brought(parse);
      if (row["body"] === NOTHING) return undefined;
      try {
        return { value: parse(String(row["body"])), version: "current" };
      } catch (error) {
        if (error instanceof RecorderdError) throw error;
        const why = error instanceof Error ? error.message : String(error);
        const text = `${name} in ${reign.database.place} is damaged (${why}): restore a backup of the database.`;
        throw new RecorderdError("STORE_DAMAGED", text, { document: name }, { cause: error });
      }
    },
    replace,
  };
}
