import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../../../src/guide-server/demo/seed-demo.ts";
import { openGuideServer } from "../../../src/guide-server/server.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { commandLine } from "../command-line.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-guide-server-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("recorderd guide-server", () => {
  it("runs until a signal, and prints the address given for clients", async () => {
    const ending = new AbortController();
    const args = [
      "guide-server",
      "--data",
      join(folder, "data"),
      "--port",
      "0",
      "--public-url",
      "https://guide.example/tv/",
    ];
    let document: unknown;
    const asked: unknown[] = [];
    const ask = async (port: string) => {
      const other = ["guide-server", "--data", join(folder, "data"), "--port", port, "--ask"];
      asked.push(await commandLine(other));
    };
    const onPrint = async (baseUrl: string) => {
      await ask(new URL(baseUrl).port);
      document = await fetch(`${baseUrl}/openapi.json`).then((answer) => answer.json());
      ending.abort();
    };
    const outcome = await commandLine(args, { signal: ending.signal, onPrint });
    expect(outcome).toMatchObject({ code: 0, out: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(document).toMatchObject({ servers: [{ url: "https://guide.example/tv" }] });
    expect(asked).toEqual([{ code: 0, out: "", err: "" }]);
  });

  it.each([
    ["a file as its folder", ["--data", import.meta.filename], 74, "(EEXIST): a file has its name"],
    [
      "a folder below a file",
      ["--data", join(import.meta.filename, "x")],
      74,
      "(ENOTDIR): a file has its name",
    ],
    ["a name that is too long", ["--data", `/tmp/${"x".repeat(300)}`], 74, "(ENAMETOOLONG)"],
    ["an unknown host", ["--host", "not a host"], 75, "Cannot listen on not a host port 0 (E"],
  ])("calls %s no bug of its own", async (_, args, exit, says) => {
    const data = ["--data", join(folder, "host")];
    const { code, err } = await commandLine(["guide-server", "--port", "0", ...data, ...args]);
    expect({ code, err }).toEqual({ code: exit, err: expect.stringContaining(says) });
  });

  it("with --ask, says that no server answers", async () => {
    const args = ["guide-server", "--data", join(folder, "none"), "--port", "9", "--ask"];
    const { code, err } = await commandLine(args);
    expect({ code, err }).toEqual({
      code: 69,
      err: expect.stringContaining("No guide server answers on 127.0.0.1:9 (ECONNREFUSED)"),
    });
  });

  it.each([
    ["--public-url", "ftp://guide.example"],
    ["--public-url", "https://guide.example/?a=1"],
    ["--trusted-proxy", "proxy.example"],
    ["--trusted-proxy", "0.0.0.0/0"],
    ["--port", "65536"],
    ["--channels", "0"],
  ])("refuses %s %s before any other work", async (...option) => {
    const args = ["guide-server", "--data", join(folder, "none"), ...option];
    expect(await commandLine(args)).toMatchObject({ code: 64, out: "" });
    expect(await readdir(folder)).not.toContain("none");
  });
});

describe("recorderd guide-server add-account", () => {
  const data = () => join(folder, "new");
  const add = (...more: readonly string[]) =>
    commandLine(["guide-server", "--data", data(), "add-account", ...more], { stdin: "correct horse\n" });

  it("says what to do, which is the whole advice, until the server has a region", async () => {
    const { err, code } = await add("me@example.org");
    expect({ err, code }).toEqual({
      code: 65,
      err: expect.stringMatching(/^recorderd: There is no region yet.*--xmltv.*\[GUIDE_NOT_ACCEPTABLE\]$/),
    });
    {
      await using server = await openGuideServer({
        dataFolder: data(),
        clock: systemClock(),
        log: silentLog,
      });
      await server.seed(seedDemo({ seed: 1, now: systemClock().now(), channels: 1 }));
    }
    expect((await add("me@example.org", "--region", "99")).err).toEqual(
      expect.stringMatching(/^recorderd: There is no region 99: choose [\d, ]+\. \[GUIDE_NOT_ACCEPTABLE\]$/),
    );
    expect(await add("me@example.org")).toMatchObject({ code: 0, err: "" });
  });
});

describe("recorderd guide-server users", () => {
  const EMAIL = "home@example.org";
  const run = (words: readonly string[], terminal: Parameters<typeof commandLine>[1] = {}) =>
    commandLine(["guide-server", "users", ...words, "--data", join(folder, "house")], terminal);
  const listed = async () => JSON.parse((await run(["list", "--json"])).out).households;

  const seeded = async (dataFolder: string) => {
    await using server = await openGuideServer({ dataFolder, clock: systemClock(), log: silentLog });
    await server.seed(seedDemo({ seed: 1, now: systemClock().now(), channels: 1 }));
    await server.addAccount({ email: EMAIL, password: "correct horse" });
  };
  beforeAll(() => seeded(join(folder, "house")));

  it("add, change, list and remove users; the password comes from a prompt, a pipe or a file", async () => {
    expect((await run(["add", "Anna", "member"], { typed: ["long enough"] })).out).toContain("as member");
    const ben = await run(["add", "ben", "viewer", "--json"], { stdin: "long enough\n" });
    expect(JSON.parse(ben.out)).toEqual({ name: "ben", rights: "viewer" });
    const file = join(folder, "password");
    await writeFile(file, "another one\n");
    expect((await run(["password", "ben", "--password-file", file])).code).toBe(0);
    expect((await run(["rights", "anna", "owner"])).out).toBe("anna is now owner, and must sign in again.");
    expect(await listed()).toMatchObject([
      {
        email: EMAIL,
        users: [
          { name: "anna", rights: "owner", sessions: 0 },
          { name: "ben", rights: "viewer" },
          { name: EMAIL, rights: "owner" },
        ],
      },
    ]);
    expect((await run(["list"])).out).toMatch(/^USER +RIGHTS +SESSIONS +HOUSEHOLD\nanna +owner +0 +home@/);
    for (const name of ["anna", "ben"]) expect((await run(["remove", name])).code).toBe(0);
    expect((await listed())[0].users).toHaveLength(1);
  });

  it("explain each mistake and change nothing", async () => {
    const before = await listed();
    expect(await run(["remove", EMAIL])).toMatchObject({ code: 65, err: expect.stringContaining("owner") });
    expect(await run(["rights", "nobody", "member"])).toMatchObject({ code: 1 });
    expect(await run(["add", "carl", "king"], { stdin: "long enough" })).toMatchObject({ code: 64 });
    expect(await run(["add", "carl", "member"], { stdin: "" })).toMatchObject({ code: 64 });
    expect(await run(["add", "carl", "member"], { stdin: "short" })).toMatchObject({ code: 65 });
    expect(await listed()).toEqual(before);
  });

  it("explain how to create a region if an account has none", async () => {
    const adding = ["guide-server", "add-account", "new@example.org", "--data", join(folder, "empty")];
    const { code, err } = await commandLine(adding, { stdin: "correct horse" });
    expect(code).toBe(65);
    expect(err).toContain("There is no region yet");
    for (const command of ["guide-server --data FOLDER --xmltv FILE", "guide-server import FILE"]) {
      expect(err).toContain(`recorderd ${command}`);
    }
  });

  it("explain what to do while the server runs", async () => {
    const log = silentLog;
    await using _server = await openGuideServer({
      dataFolder: join(folder, "house"),
      clock: systemClock(),
      log,
    });
    const running = expect.stringContaining("systemctl stop recorderd-guide");
    expect(await run(["list"])).toMatchObject({ code: 75, err: running });
    const adding = ["guide-server", "add-account", "new@example.org", "--data", join(folder, "house")];
    expect(await commandLine(adding, { stdin: "correct horse" })).toMatchObject({ code: 75, err: running });
  });

  it("ask for the household if there are several", async () => {
    {
      await using server = await openGuideServer({
        dataFolder: join(folder, "house"),
        clock: systemClock(),
        log: silentLog,
      });
      await server.addAccount({ email: "second@example.org", password: "correct horse" });
    }
    const stdin = "long enough";
    expect(await run(["add", "dora", "member"], { stdin })).toMatchObject({
      code: 65,
      err: expect.stringContaining("--household"),
    });
    expect((await run(["add", "dora", "member", "--household", "second@example.org"], { stdin })).code).toBe(
      0,
    );
    expect((await listed())[1].users).toHaveLength(2);
  });
});

describe("recorderd guide-server export and import", () => {
  it("move a household to another folder, and name any obstacle there", async () => {
    {
      await using server = await openGuideServer({
        dataFolder: join(folder, "from"),
        clock: systemClock(),
        log: silentLog,
      });
      await server.seed(seedDemo({ seed: 1, now: systemClock().now(), channels: 1 }));
      await server.addAccount({ email: "home@example.org", password: "correct horse" });
    }
    const file = join(folder, "whole.gz");
    const run = (...words: readonly string[]) => commandLine(["guide-server", ...words]);
    const taken = await run("export", file, "--data", join(folder, "from"), "--json");
    expect(JSON.parse(taken.out)).toMatchObject({ file, counts: { accounts: 1, users: 1 } });
    const brought = await run("import", file, "--data", join(folder, "to"));
    expect(brought).toMatchObject({
      code: 0,
      out: expect.stringContaining("accounts 1, users 1, devices 0"),
    });
    const again = await run("import", file, "--data", join(folder, "to"), "--json");
    expect(again).toMatchObject({ code: 1, out: "", err: expect.stringContaining("already exists") });
  });
});
