import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { liveSecrets } from "../../../src/recorder/config/live-secrets.ts";
import { readSecretsFile, secretsFile, writeSecretsFile } from "../../../src/recorder/config/secrets.ts";
import { type Hosted, hosted, PASSWORD, SHOW_ID } from "../../guide-server/hosted.ts";
import { type Answering, loopback } from "../../guide-wire/loopback.ts";
import { commandLine, type Outcome } from "../command-line.ts";

const API_KEY = "k3y/+ of the application";
const EMAIL = "viewer+tv@example.org";

let service: Hosted;
beforeAll(async () => {
  service = await hosted({ apiKey: API_KEY });
});
afterAll(() => service[Symbol.asyncDispose]());

let folder = "";
let secrets = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-login-"));
  secrets = join(folder, "new", "secrets.yaml");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const access = () => ["--url", service.baseUrl, "--secrets", secrets];
const stdin = `${PASSWORD}\n${API_KEY}\n`;

/** No output may hold the password, the API key or the token that is stored now. */
async function saysNoSecret({ out, err }: Outcome, file = secrets): Promise<void> {
  const token = (await readSecretsFile(file))?.account?.token ?? PASSWORD;
  for (const secret of [PASSWORD, API_KEY, token]) expect(out + err).not.toContain(secret);
}

describe.each(["json", "xml"])("recorderd login with --wire %s", (wire) => {
  it("stores the token, but not the password, in a new private file", async () => {
    const outcome = await commandLine(["login", EMAIL, ...access(), "--wire", wire], { stdin });
    expect(outcome.code).toBe(0);
    expect(outcome.out).toMatch(/^signed in as viewer\+tv@example\.org until 20\d\d-/);
    await saysNoSecret(outcome);
    expect(await readSecretsFile(secrets)).toMatchObject({ apiKey: API_KEY, account: { email: EMAIL } });
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    expect(await readFile(secrets, "utf8")).not.toContain(PASSWORD);
    expect(await readdir(join(folder, "new"))).toEqual(["secrets.yaml"]);
    const listed = await commandLine(["guide", "timers", "list", ...access(), "--wire", wire]);
    expect(listed).toEqual({ out: "nothing", err: "", code: 0 });
  });

  it("R-39 prints the answer as JSON without the token", async () => {
    const device = ["--label", "Lounge", "--type", "1", "--uid", "AA:BB"];
    const args = ["guide", "login", EMAIL, ...access(), ...device, "--json", "--wire", wire];
    const outcome = await commandLine(args, { stdin });
    expect(JSON.parse(outcome.out)).toMatchObject({
      member: { email_address: EMAIL, region_id: 1 },
      device: { id: service.deviceId, uid: "AA:BB", label: "Lounge", type_id: 1 },
    });
    expect(outcome.out).not.toContain('"token"');
    await saysNoSecret(outcome);
  });

  it("R-39 hides secrets when the service refuses, and changes nothing", async () => {
    await commandLine(["login", EMAIL, ...access()], { stdin });
    const before = await readFile(secrets, "utf8");
    const outcome = await commandLine(["login", EMAIL, ...access(), "--wire", wire], {
      stdin: "wrong horse\n",
    });
    expect(outcome.code).toBe(77);
    expect(outcome.err).not.toContain("wrong horse");
    await saysNoSecret(outcome);
    expect(await readFile(secrets, "utf8")).toBe(before);
  });

  it("is undone by logout, which keeps the API key; account data then needs a sign-in", async () => {
    await commandLine(["login", EMAIL, ...access()], { stdin });
    const stored = await readSecretsFile(secrets);
    const outcome = await commandLine(["guide", "logout", ...access(), "--wire", wire]);
    expect(outcome).toEqual({ out: "signed out", err: "", code: 0 });
    expect(await readSecretsFile(secrets)).toEqual({ apiKey: API_KEY });
    const refused = await service.ask({
      method: "GET",
      path: "/devices",
      token: stored?.account?.token ?? "",
    });
    expect(refused.status).toBe(401);
    expect(await commandLine(["guide", "devices", "list", ...access()])).toMatchObject({ code: 77, out: "" });
    expect(await commandLine(["guide", "logout", ...access()])).toMatchObject({ code: 77, out: "" });
  });
});

describe("the password and the API key", () => {
  it("are asked for at a terminal, the API key only once", async () => {
    const first = await commandLine(["login", EMAIL, ...access()], { typed: [PASSWORD, API_KEY] });
    expect(first.code).toBe(0);
    expect(first.err).toMatch(/^Password of viewer\+tv@example\.org: \nAPI key of the service/);
    const second = await commandLine(["login", EMAIL, ...access()], { typed: [PASSWORD] });
    expect(second.code).toBe(0);
    expect(second.err).not.toContain("API key");
    expect((await readSecretsFile(secrets))?.apiKey).toBe(API_KEY);
  });

  it("may omit the API key: the previous one is sent, or none", async () => {
    const none = await commandLine(["login", EMAIL, ...access()], { stdin: PASSWORD });
    expect(none.code).toBe(77);
    expect(none.err).toContain("takes another API key as the second line");
    await commandLine(["login", EMAIL, ...access()], { stdin });
    expect(await commandLine(["login", EMAIL, ...access()], { stdin: `${PASSWORD}\r\n` })).toMatchObject({
      code: 0,
    });
  });

  it.each([
    ["no line", {}],
    ["an empty line", { stdin: "\nkey\n" }],
    ["nothing typed", { typed: [""] }],
  ])("are required: %s gives 64 without a prompt", async (_, terminal) => {
    const outcome = await commandLine(["login", EMAIL, ...access()], terminal);
    expect(outcome).toMatchObject({ code: 64, out: "" });
    expect(outcome.err).toContain("no password was given");
  });

  it("are never accepted as arguments", async () => {
    expect(await commandLine(["login", EMAIL, PASSWORD, ...access()], { stdin })).toMatchObject({ code: 64 });
    expect(await commandLine(["login", EMAIL, "--password", "x", ...access()])).toMatchObject({ code: 64 });
    expect(await commandLine(["login", EMAIL, "--token", "x", ...access()])).toMatchObject({ code: 64 });
  });
});

describe("a login", () => {
  it("requires a file for the token, and label and type for a device", async () => {
    const url = ["--url", service.baseUrl];
    expect((await commandLine(["login", EMAIL, ...url], { stdin })).err).toContain("--secrets FILE");
    const half = await commandLine(["login", EMAIL, ...access(), "--uid", "x"], { stdin });
    expect([half.code, half.err]).toEqual([64, expect.stringContaining("both --label and --type")]);
  });

  it("sends no request if the token could not be stored", async () => {
    // Nobody can make a folder there, not even root.
    const nowhere = "/proc/recorderd/secrets.yaml";
    await using server = await loopback((_, response) => response.end());
    const args = ["login", EMAIL, "--url", server.origin, "--secrets", nowhere];
    const { code, err } = await commandLine(args, { stdin });
    expect([code, server.seen.length]).toEqual([74, 0]);
    expect(err).toContain("the token cannot be stored");
  });

  it("does not overwrite secrets that others can read, because they contain tuner passwords", async () => {
    await mkdir(join(folder, "new"));
    const text = "apiKey: k\ntuners:\n  box:\n    user: u\n    password: p\n";
    await writeFile(secrets, text, { mode: 0o644 });
    const { code, err } = await commandLine(["login", EMAIL, ...access()], { stdin });
    expect([code, err]).toEqual([78, expect.stringContaining("chmod 600")]);
    expect(await readFile(secrets, "utf8")).toBe(text);
  });

  it("rewrites a damaged file", async () => {
    await mkdir(join(folder, "new"));
    await writeFile(secrets, "nonsense: true\n", { mode: 0o600 });
    const { code, err } = await commandLine(["login", EMAIL, ...access()], { stdin });
    expect(code).toBe(0);
    expect(err).toContain("is written again");
    expect(await readSecretsFile(secrets)).toMatchObject({ apiKey: API_KEY });
  });

  it.each(["", "x".repeat(10_001)])("refuses an invalid token", async (token) => {
    const body = JSON.stringify({ member: { id: 1, email_address: EMAIL, token } });
    await using server = await loopback((_, response) => response.writeHead(201).end(body));
    const args = ["login", EMAIL, "--url", server.origin, "--secrets", secrets];
    expect(await commandLine(args, { stdin })).toMatchObject({ code: 76, out: "" });
    expect(await readSecretsFile(secrets)).toBeUndefined();
  });

  it("creates an account in a region if the service allows sign-ups", async () => {
    await using open = await hosted({ allowSignUp: true });
    const args = [
      "login",
      "new@example.org",
      "--url",
      open.baseUrl,
      "--secrets",
      secrets,
      "--region",
      "2",
      "--json",
    ];
    const { out } = await commandLine(args, { stdin: "a new password\n" });
    expect(JSON.parse(out).member).toMatchObject({ email_address: "new@example.org", region_id: 2 });
  });
});

describe("a logout with an expired token", () => {
  it.each([401, 404])("also removes the stored token: %d", async (status) => {
    const { code, err } = await logoutAgainst((_, response) => response.writeHead(status).end());
    expect([code, err]).toEqual([0, "The token had already expired or been revoked."]);
    expect(await readSecretsFile(secrets)).toEqual({ apiKey: "k" });
  });

  it.each([
    ["the service is not available", 69, 503, ""],
    ["a web page answers", 1, 404, "<html>"],
    ["a web page answers with success", 76, 200, "<html>"],
  ])("keeps the stored token if %s", async (_, exit, status, body) => {
    const { code } = await logoutAgainst((__, response) => response.writeHead(status).end(body));
    expect(code).toBe(exit);
    expect(await readSecretsFile(secrets)).toMatchObject({ account: { token: "t" } });
  });

  async function logoutAgainst(answering: Answering): Promise<Outcome> {
    await mkdir(join(folder, "new"));
    await writeSecretsFile(secrets, { apiKey: "k", account: { email: EMAIL, token: "t" } });
    await using server = await loopback(answering);
    return await commandLine(["guide", "logout", "--url", server.origin, "--secrets", secrets]);
  }
});

describe("--config", () => {
  const data = () => join(folder, "data");

  async function configured(url: string, more = ""): Promise<readonly string[]> {
    const file = join(folder, "recorderd.yaml");
    await writeFile(
      file,
      `guide: {url: "${url}", regionId: 1${more}}
recordings: {folder: ${folder}}
data: {folder: ${data()}}
timeZone: Pacific/Kiritimati
tuners: [{kind: mock, id: a, broadcaster: "http://127.0.0.1:9"}]
`,
    );
    return ["--config", file];
  }

  it("provides address, key, credentials, region and recorder", async () => {
    const config = await configured(service.baseUrl, `, deviceId: ${service.deviceId}`);
    expect(await commandLine(["login", EMAIL, ...config], { stdin })).toMatchObject({ code: 0 });
    const channels = await commandLine(["guide", "channels", ...config, "--json"]);
    expect(JSON.parse(channels.out).regions).toMatchObject([{ id: 1 }]);
    const all = await commandLine(["guide", "channels", "all", ...config, "--json"]);
    expect(JSON.parse(all.out).regions).toHaveLength(2);
    const added = await commandLine([
      "guide",
      "timers",
      "add",
      "--show",
      String(SHOW_ID),
      ...config,
      "--json",
    ]);
    expect(JSON.parse(added.out).timers).toMatchObject([{ device_id: service.deviceId }]);
    const listed = await commandLine(["guide", "timers", "list", ...config]);
    expect(listed.out).toContain("start (Pacific/Kiritimati)");
    // 10:00 UTC, fourteen hours on.
    expect(listed.out).toContain("2026-11-21 00:00");
  });

  it("provides the wire format, which --wire overrides", async () => {
    await using server = await loopback((_, response) => response.end('{"regions":[]}'));
    const config = await configured(server.origin, ", format: xml");
    await commandLine(["guide", "regions", ...config]);
    await commandLine(["guide", "regions", ...config, "--wire", "json"]);
    expect(server.seen.map(({ headers }) => headers.accept)).toEqual(["application/xml", "application/json"]);
  });

  it("R-43 stores the token where a running daemon finds it", async () => {
    const config = await configured(service.baseUrl);
    await mkdir(data());
    const daemon = await liveSecrets(secretsFile(data()), { clock: systemClock(), log: silentLog });
    expect(daemon.current.account).toBeUndefined();
    const device = ["--label", "Lounge", "--type", "1", "--uid", "AA:BB"];
    const outcome = await commandLine(["login", EMAIL, ...config, ...device], { stdin });
    await saysNoSecret(outcome, secretsFile(data()));
    expect(outcome.err).toContain(`set guide.deviceId to ${service.deviceId} in`);
    await daemon.refresh();
    expect(daemon.current).toMatchObject({ apiKey: API_KEY, account: { email: EMAIL } });
  });

  it("exits with 66 if the file is missing, with 78 if it is invalid or others can read its secrets", async () => {
    const absent = ["guide", "regions", "--config", join(folder, "absent.yaml")];
    expect(await commandLine(absent)).toMatchObject({ code: 66 });
    const wrong = await commandLine(["guide", "regions", ...(await configured("ftp://x"))]);
    expect([wrong.code, wrong.err]).toEqual([78, expect.stringContaining("guide.url")]);
    const config = await configured(service.baseUrl);
    await commandLine(["login", EMAIL, ...config], { stdin });
    await chmod(secretsFile(data()), 0o640);
    const open = await commandLine(["guide", "devices", "list", ...config]);
    expect([open.code, open.err]).toEqual([78, expect.stringContaining("chmod 600")]);
    expect(open.err).not.toContain(API_KEY);
  });
});
