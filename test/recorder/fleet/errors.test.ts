import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { selfSigned } from "../../../src/kit/net/self-signed.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Config } from "../../../src/recorder/config/schema.ts";
import { writeSecrets } from "../../../src/recorder/config/secrets.ts";
import type { CheckContext } from "../../../src/recorder/doctor/check.ts";
import { lookAtFleet } from "../../../src/recorder/doctor/fleet.ts";
import { Fleet } from "../../../src/recorder/fleet/fleet.ts";
import { look } from "../../../src/recorder/fleet/lease.ts";
import { freePort } from "../../free-port.ts";
import { outOfPatience } from "../../patience.ts";
import { Postgres, SECURED } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { fleetDatabase } from "./fleet-database.ts";

const why = whyNoPostgres();
const clock = systemClock();

const openPorts = () => Promise.reject(new Error("this fleet has no secret"));

let postgres: Postgres;
let folder: string;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start({ withTls: true });
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-fleet-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function configOf(database: string, password: string = SECURED.password): Promise<Config> {
  await writeSecrets(folder, { apiKey: "k", fleet: { password } });
  return Config.parse({
    guide: { url: "http://127.0.0.1:1/", regionId: 1 },
    recordings: { folder: join(folder, "recordings") },
    tuners: [{ kind: "mock", id: "a", broadcaster: "http://127.0.0.1:1/" }],
    data: { folder },
    fleet: { database, node: "here" },
  });
}

/** The words of the doctor, and of a daemon that starts. */
async function complaints(config: Config) {
  const [finding] = await lookAtFleet({ config, clock } as CheckContext);
  const parts = { clock, log: silentLog, onPulse: () => {}, onStandBy: async () => {}, openPorts };
  await using fleet = await Fleet.open(config, parts);
  const refused = await fleet.lead(outOfPatience()).catch((error: unknown) => error);
  return { found: finding?.found ?? "", refused };
}

describe.skipIf(why !== undefined)(`a node of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("does not start with a wrong password, and says how to store the right one", async () => {
    const name = await postgres.createDatabase();
    const { found, refused } = await complaints(await configOf(postgres.url(name, SECURED.user), "wrong"));
    expect(found).toContain("recorderd fleet password");
    expect(found).not.toContain("wrong");
    expect(refused).toMatchObject({ code: "CONFIG_INVALID", message: found });
  });

  it("does not start without its database, or with a certificate that nobody has signed", async () => {
    const missing = await complaints(await configOf(postgres.url("missing", SECURED.user)));
    expect(missing.found).toContain("createdb --owner=secured missing");
    expect(missing.refused).toMatchObject({ code: "CONFIG_INVALID" });
    const url = `${postgres.url(await postgres.createDatabase(), SECURED.user)}?sslmode=verify-full`;
    const untrusted = await complaints(await configOf(url));
    expect(untrusted.found).toContain("sslrootcert=FILE");
    expect(untrusted.refused).toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("hears from the doctor which other node does not answer, and what to do", async () => {
    const url = postgres.url(await postgres.createDatabase());
    const config = await configOf(url);
    await writeSecrets(folder, { apiKey: "k", fleet: { secret: "s".repeat(24) } });
    await using database = await fleetDatabase(url);
    const address = `127.0.0.1:${await freePort()}`;
    const { certificate } = selfSigned("recorderd");
    const about = {
      node: "n",
      name: "attic",
      version: "1",
      trouble: "",
      tuners: [],
      web: "",
      keeps: false,
      home: "",
    };
    await look(database, { ...about, address, certificate });
    const findings = await lookAtFleet({ config, clock } as CheckContext);
    const found = findings.find((each) => each.found.includes("attic"));
    expect(found?.found).toContain(`attic does not answer at ${address} (ECONNREFUSED)`);
    expect(JSON.stringify(findings)).not.toContain("sss");
  });

  it("waits for a database that is away, and leads when it is there", async () => {
    const config = await configOf(`postgres://guide@127.0.0.1:${await freePort()}/guide`);
    expect((await lookAtFleet({ config, clock } as CheckContext))[0]?.found).toContain("ECONNREFUSED");
    const log = { ...silentLog, error: (text: string) => void said.push(text) };
    const said: string[] = [];
    const ending = new AbortController();
    const parts = {
      clock,
      log,
      onPulse: () => said.length > 0 && ending.abort(),
      onStandBy: async () => {},
      openPorts,
    };
    await using fleet = await Fleet.open(config, parts);
    expect(await fleet.lead(ending.signal)).toBeUndefined();
    expect(said).toEqual(["the database of the fleet is not available; retrying"]);
  });

  it("is refused an address that is none, or that has a password", () => {
    const parsed = (database: string) => Config.shape.fleet.safeParse({ database }).error?.issues[0]?.message;
    expect(parsed("mysql://here/x")).toContain("postgres://USER@HOST:PORT/NAME");
    expect(parsed("postgres://me:secret@here/x")).toContain("use recorderd fleet password or PGPASSFILE");
  });
});
