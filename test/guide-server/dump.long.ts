import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { freePort } from "../free-port.ts";
import { Postgres } from "../postgres/postgres.ts";
import { commandOf, whyNoPostgres } from "../postgres/programs.ts";
import { PASSWORD } from "./hosted.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { signedIn } from "./writers.ts";

const VIEWER = { email: "viewer@example.org", password: PASSWORD };
const BYTES_MAX = 2 ** 28;

/** Runs a program of PostgreSQL. @returns its output */
function run(program: "pg_dump" | "pg_restore", args: readonly string[], input?: Buffer): Buffer {
  const [command, words] = commandOf(program, args);
  const env = { ...process.env, HOME: "/nonexistent" };
  const { status, stdout, stderr } = spawnSync(command, words, { env, input, maxBuffer: BYTES_MAX });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

async function started(database: string): Promise<ServerProcess> {
  const options = ["--demo", "--channels", "2", "--allow-sign-up"];
  return serverProcess(["--database", database, "--port", String(await freePort()), ...options]);
}

it.skipIf(whyNoPostgres() !== undefined)(
  "a guide server on a restored dump has the accounts and timers of the moment of the dump",
  async () => {
    await using postgres = await Postgres.start();
    const database = postgres.url(await postgres.createDatabase());
    await using server = await started(database);
    const { ask } = await signedIn(server.baseUrl, VIEWER);
    const { devices } = JSON.parse(await ask("POST", "/devices", { label: "Lounge", type_id: 1 }));
    const { shows } = JSON.parse(await ask("GET", "/shows"));
    const book = (show: { readonly id: number }) =>
      ask("POST", "/shows/timers", { show_id: show.id, device_id: devices[0].id });
    await book(shows.at(-1));
    const { timers } = JSON.parse(await ask("GET", "/shows/timers"));
    const dump = run("pg_dump", ["--format=custom", `--dbname=${database}`]);
    // The server runs on.
    await book(shows.at(-2));

    const other = postgres.url(await postgres.createDatabase());
    run("pg_restore", ["--no-owner", "--exit-on-error", `--dbname=${other}`], dump);
    await using restored = await started(other);
    const session = await signedIn(restored.baseUrl, VIEWER);
    const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);
    expect(ids(JSON.parse(await session.ask("GET", "/shows/timers")).timers)).toEqual(ids(timers));
    expect(ids(timers)).toHaveLength(1);
  },
);
