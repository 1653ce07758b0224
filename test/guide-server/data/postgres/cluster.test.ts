import { expect, it } from "vitest";
import { parseDatabaseAddress, poolConfigs } from "../../../../src/guide-server/data/postgres/address.ts";
import { Cluster } from "../../../../src/guide-server/data/postgres/cluster.ts";
import { Postgres } from "../../../postgres/postgres.ts";
import { whyNoPostgres } from "../../../postgres/programs.ts";

it.skipIf(whyNoPostgres() !== undefined)(
  "a connection that ends between two statements fails the next one, and nothing else",
  async () => {
    await using postgres = await Postgres.start();
    const address = parseDatabaseAddress(postgres.url(await postgres.createDatabase()));
    await using cluster = new Cluster(await poolConfigs(address, undefined));
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
