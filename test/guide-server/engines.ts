import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseOptions } from "../../src/guide-server/server.ts";
import { parseDatabaseAddress } from "../../src/kit/postgres/address.ts";
import { Postgres } from "../postgres/postgres.ts";

/** Set by the lane that runs the guide server's tests on PostgreSQL. */
const ON_POSTGRES = process.env["RECORDERD_TEST_ENGINE"] === "postgres";

let server: Promise<Postgres> | undefined;
/** The names of databases by data folder: a server that starts again on a folder has the same data. */
const databases = new Map<string, Promise<string>>();

/** The options of a guide server with this data folder: on PostgreSQL it has a database, too. */
export async function engineOf(folder: string): Promise<{ readonly database?: DatabaseOptions }> {
  if (!ON_POSTGRES) return {};
  server ??= Postgres.start();
  const postgres = await server;
  const name = databases.get(folder) ?? postgres.createDatabase();
  databases.set(folder, name);
  return { database: { address: parseDatabaseAddress(postgres.url(await name)) } };
}

/** All that the guide server with this folder has stored, as one text. */
export async function storedText(folder: string): Promise<string> {
  const name = await databases.get(folder);
  if (name !== undefined) return await dumped(name);
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(folder, entry.name));
  return (await Promise.all(files.sort().map((file) => readFile(file, "latin1")))).join("");
}

async function dumped(name: string): Promise<string> {
  const tables = ["records", "owners", "counters", "facts", "shows", "jobs"];
  const queries = tables.map((table) => `SELECT t::text FROM ${table} AS t ORDER BY 1;`);
  return ((await (await server)?.sql(queries.join(" "), name)) ?? []).join("\n");
}
