import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
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

/** Lets every client in, and then says nothing more, like a server whose cable was pulled at that moment. */
async function silentServer(): Promise<
  { readonly port: number; readonly clients: () => number } & AsyncDisposable
> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    // AuthenticationOk and ReadyForQuery, as in the protocol of PostgreSQL, version 3.
    socket.once("data", () => socket.write(Buffer.from("520000000800000000" + "5a0000000549", "hex")));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    clients: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

it.skipIf(whyNoPostgres() !== undefined)(
  "a server that falls silent once it has let a client in is left for the next one",
  async () => {
    await using postgres = await Postgres.start();
    await using silent = await silentServer();
    const url = postgres.url(await postgres.createDatabase());
    const address = parseDatabaseAddress(url.replace("@", `@127.0.0.1:${silent.port},`));
    const limits = { ...LIMITS, databaseConnectMs: 4 * SECOND };
    await using cluster = new Cluster(await poolConfigs({ address, limits }), unavailable);
    const client = await cluster.connect();
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    client.release();
  },
);

it.skipIf(whyNoPostgres() !== undefined)(
  "a server that one connection has found silent is the last one that others of the process try",
  async () => {
    await using postgres = await Postgres.start();
    await using silent = await silentServer();
    const url = postgres.url(await postgres.createDatabase());
    const address = parseDatabaseAddress(url.replace("@", `@127.0.0.1:${silent.port},`));
    const limits = { ...LIMITS, databaseConnectMs: SECOND };
    for (let uses = 0; uses < 2; uses += 1) {
      await using cluster = new Cluster(await poolConfigs({ address, limits }), unavailable);
      const clients = await Promise.all([cluster.connect(), cluster.connect()]);
      for (const client of clients) client.release();
    }
    // Those of the first use.
    expect(silent.clients()).toBeLessThan(3);
  },
);
