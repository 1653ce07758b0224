import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { IS_LONG } from "../lane.ts";
import { Postgres, SECURED } from "./postgres.ts";
import { commandOf, whyNoPostgres } from "./programs.ts";

const why = whyNoPostgres();
if (why !== undefined) process.stderr.write(`skipped: ${why}\n`);

describe.skipIf(why !== undefined)("a PostgreSQL of the tests", () => {
  it("has a database for each who asks, and copies of one that is filled", async () => {
    await using server = await Postgres.start();
    const first = await server.createDatabase();
    await server.sql("CREATE TABLE t (n int); INSERT INTO t VALUES (1), (2)", first);
    const copy = await server.createDatabase(first);
    await server.sql("DELETE FROM t WHERE n = 1", copy);
    expect(await server.sql("SELECT n, n * 2 FROM t ORDER BY n", first)).toEqual(["1\t2", "2\t4"]);
    expect(await server.sql("SELECT n FROM t", copy)).toEqual(["2"]);
    await expect(server.sql("SELECT m FROM t", copy)).rejects.toThrow(/column "m" does not exist/);
  });

  it.each(["fast", "immediate", "killed"] as const)(
    "has what was committed after an end that is %s, on the same port",
    async (how) => {
      await using server = await Postgres.start();
      const { port, pid } = server;
      await server.sql("CREATE TABLE t (n int); INSERT INTO t VALUES (1)");
      await server.end(how);
      await expect(server.sql("SELECT 1")).rejects.toThrow(/Connection refused/);
      await server.start();
      expect(server.pid).not.toBe(pid);
      expect(server.port).toBe(port);
      expect(await server.sql("SELECT n FROM t")).toEqual(["1"]);
    },
  );

  // The storm of the long lane needs it.
  it.runIf(IS_LONG)("fails over to its replica without losing a commit", async () => {
    await using primary = await Postgres.start();
    const replica = await primary.replica();
    await primary.sql("CREATE TABLE t (n int)");
    for (let n = 0; n < 20; n += 1) await primary.sql(`INSERT INTO t VALUES (${n})`);
    await expect(replica.sql("INSERT INTO t VALUES (20)")).rejects.toThrow(/read-only transaction/);
    await primary.end("killed");
    await replica.promote();
    expect(await replica.sql("SELECT count(*) FROM t")).toEqual(["20"]);
    await replica.sql("INSERT INTO t VALUES (20)");
  });

  it("has a user with a password, and TLS on demand", async () => {
    await using server = await Postgres.start({ withTls: true });
    const name = await server.createDatabase();
    const asked = async (password: string) => {
      // Without a home, where a certificate of the client would be looked for.
      const env = { ...process.env, HOME: "/nonexistent", PGPASSWORD: password, PGSSLMODE: "require" };
      const url = server.url(name, SECURED.user);
      const query = "CREATE TABLE t (n int); SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      const [command, args] = commandOf("psql", ["-X", "-q", "-A", "-t", "-c", query, url]);
      const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
      const [[out]] = await Promise.all([
        once(child.stdout.setEncoding("utf8"), "data"),
        once(child, "close"),
      ]);
      return out;
    };
    expect(await asked(SECURED.password)).toBe("t\n");
  });

  it("has programs that end with the process that started them, also if that is killed", async () => {
    await using server = await Postgres.start();
    const args = ["-d", server.url("postgres", "postgres"), "-c", "SELECT pg_sleep(600)"];
    const words = JSON.stringify(commandOf("psql", args));
    const code = `const child = require("node:child_process").spawn(...${words}, { stdio: "ignore" });
      child.once("spawn", () => process.stdout.write(String(child.pid)));`;
    const parent = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    const [pid] = await once(parent.stdout.setEncoding("utf8"), "data");
    const sleeps =
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)' AND state = 'active'";
    await expect.poll(() => server.sql(sleeps)).toEqual(["1"]);
    parent.kill("SIGKILL");
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});
