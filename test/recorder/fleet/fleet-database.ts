import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { parseDatabaseAddress } from "../../../src/kit/postgres/address.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { FleetDatabase } from "../../../src/recorder/fleet/database.ts";
import { STATE_CONNECTION_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { prepareTables } from "../../../src/recorder/fleet/schema.ts";

/** A node's connection to the database of a fleet, with its tables. */
export async function fleetDatabase(url: string): Promise<FleetDatabase> {
  const access = { address: parseDatabaseAddress(url), limits: STATE_CONNECTION_LIMITS };
  const database = await FleetDatabase.open({ access, clock: systemClock() });
  await prepareTables(database);
  return database;
}

/** A way to a database whose answers can get lost. */
export interface LossyWay extends AsyncDisposable {
  readonly port: number;
  /** The server still does what it is asked; its next answer ends all connections instead. */
  loseNextAnswer(): void;
}

export async function lossyWay(port: number): Promise<LossyWay> {
  let isLosing = false;
  const ends = new Set<Socket>();
  const server = createServer((client) => {
    const real = connect(port, "127.0.0.1");
    for (const end of [client, real]) {
      ends.add(end);
      end.on("error", () => {}).on("close", () => ends.delete(end));
    }
    client.pipe(real);
    real.on("data", (bytes) => {
      if (!isLosing) return void client.write(bytes);
      isLosing = false;
      for (const end of ends) end.destroy();
    });
    real.on("end", () => client.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    loseNextAnswer: () => {
      isLosing = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const end of ends) end.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
