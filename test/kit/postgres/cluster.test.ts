import { expect, it } from "vitest";
import { parseDatabaseAddress, poolConfigs } from "../../../src/kit/postgres/address.ts";
import { Cluster } from "../../../src/kit/postgres/cluster.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import { SECOND } from "../../../src/model/time.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";

const LIMITS = {
  databaseConnections: 2,
  databaseConnectMs: 5 * SECOND,
  databaseStatementMs: 10 * SECOND,
  databaseLockMs: 5 * SECOND,
};
const unavailable = (why: string) => new RecorderdError("STORE_WRITE_FAILED", why);

it.skipIf(whyNoPostgres() !== undefined)(
  "a connection that ends between two statements fails the next one, and nothing else",
  async () => {
    await using postgres = await Postgres.start();
    const address = parseDatabaseAddress(postgres.url(await postgres.createDatabase()));
    await using cluster = new Cluster(await poolConfigs({ address, limits: LIMITS }), unavailable);
    const client = await cluster.connect();
    await client.query("BEGIN");
    // Without listening for errors: the cluster does.
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
    await postgres.restart("immediate");
    await ended;
    await expect(client.query("COMMIT")).rejects.toThrow();
    client.release(true);
    const again = await cluster.connect();
    expect((await again.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    again.release();
  },
);
