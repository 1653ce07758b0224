import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../free-port.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { commandLine } from "../command-line.ts";

const why = whyNoPostgres();
const PREFIX = "recorderd-guide-";

let postgres: Postgres;
let url: string;
beforeAll(async () => {
  if (why !== undefined) return;
  postgres = await Postgres.start();
  url = postgres.url(await postgres.createDatabase());
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const place = process.env["TMPDIR"];
let temporary = "";
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "recorderd-cli-database-"));
  process.env["TMPDIR"] = temporary;
});
afterAll(async () => {
  if (place === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = place;
  await rm(temporary, { recursive: true, force: true });
});

async function foldersLeft(): Promise<readonly string[]> {
  return (await readdir(temporary)).filter((name) => name.startsWith(PREFIX));
}

describe.skipIf(why !== undefined)(
  `recorderd guide-server with a database${why === undefined ? "" : ` (${why})`}`,
  () => {
    it("leaves no temporary folder behind if the system chose its port", async () => {
      const ending = new AbortController();
      const args = ["guide-server", "--database", url, "--port", "0"];
      const { code } = await commandLine(args, {
        signal: ending.signal,
        onPrint: async () => ending.abort(),
      });
      expect([code, await foldersLeft()]).toEqual([0, []]);
    });

    it("leaves none behind after a command that fails", async () => {
      const away = `postgres://guide@127.0.0.1:${await freePort()}/guide`;
      const { code } = await commandLine(["guide-server", "users", "list", "--database", away]);
      expect([code, await foldersLeft()]).toEqual([69, []]);
    });

    it("does not use a temporary folder that others can open", async () => {
      const port = await freePort();
      const name = `${PREFIX}${userInfo().uid}-${port}`;
      await mkdir(join(temporary, name));
      await chmod(join(temporary, name), 0o777);
      const { code, err } = await commandLine(["guide-server", "--database", url, "--port", String(port)]);
      expect(code).not.toBe(0);
      expect(err).toContain(`${name} must be a folder that only its user can open`);
    });
  },
);
