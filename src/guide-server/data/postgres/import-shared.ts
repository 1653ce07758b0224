import type { DatabaseAddress } from "../../../kit/postgres/address.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { RecordsImport, type TableRecord } from "../import-records.ts";
import type { ShowsRow } from "../shows-rows.ts";
import { openCluster } from "./guarded.ts";
import { openPostgresRecords } from "./postgres-records.ts";
import { writeShows } from "./shared-shows.ts";

/** Fills a database that has no data of a guide server yet. */
export interface SharedImport extends AsyncDisposable {
  addRecords(records: readonly TableRecord[]): Promise<void>;
  addShows(rows: readonly ShowsRow[]): Promise<void>;
}

/** @throws RecorderdError FILE_NOT_OURS if the database has data, GUIDE_UNAVAILABLE, STORE_TOO_NEW, FILE_UNREADABLE */
export async function openSharedImport(
  address: DatabaseAddress,
  password: string | undefined,
): Promise<SharedImport> {
  const cluster = await openCluster({ address, password });
  try {
    const { db, records } = await openPostgresRecords(cluster, address.text);
    const known = [await records.first("accounts"), await records.first("regions")];
    if (known.some((record) => record !== undefined)) {
      const text = `${address.text} already has data of a guide server: use an empty database. Nothing was changed.`;
      throw new RecorderdError("FILE_NOT_OURS", text);
    }
    const imported = new RecordsImport(records);
    return {
      addRecords: (some) => imported.add(some),
      addShows: (rows) => writeShows(db, rows),
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}
