import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { RecorderdError } from "../../../../src/model/errors.ts";
import { readSecrets } from "../../../../src/recorder/config/secrets.ts";
import { TargetConfig } from "../../../../src/recorder/subsystems/notify/config.ts";
import { openTargets } from "../../../../src/recorder/subsystems/notify/registry.ts";
import type { Notification } from "../../../../src/recorder/subsystems/notify/target.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { broker, mailReceiver, webReceiver } from "./receivers.ts";

const ACCOUNT = { user: "pvr", password: "corr3ct horse" };
const NEWS: Notification = {
  id: "ended-a",
  kind: "failed",
  at: Date.UTC(2026, 10, 20, 20),
  title: "Not recorded: Été\r\nBcc: all@example.org",
  text: "No tuner.",
  recordingId: "a",
  timerId: "7",
  labels: {
    subject: "recorderd: Not recorded: Été\r\nBcc: all@example.org",
    time: "Today 21:00 (Europe/Berlin)",
    entity: "Neuigkeiten",
  },
};

interface Sending {
  readonly config: object;
  readonly credentials?: { readonly user?: string; readonly password: string };
}

/** @returns why it was not taken */
async function send({ config, credentials }: Sending): Promise<RecorderdError | undefined> {
  const parts = { credentials: () => credentials, version: "1" };
  const [target] = openTargets([TargetConfig.parse({ id: "it", ...config })], parts);
  if (target === undefined) throw new Error("no target");
  await using _closed = target;
  try {
    await target.send(NEWS, new AbortController().signal);
    return undefined;
  } catch (error) {
    if (error instanceof RecorderdError) return error;
    throw error;
  }
}

describe("a webhook", () => {
  it("gets notifications as JSON, with a token or a user", async () => {
    await using web = await webReceiver(() => 204);
    const config = { kind: "webhook", url: `http://127.0.0.1:${web.port}/hook` };
    expect(await send({ config })).toBeUndefined();
    await send({ config, credentials: { password: "tk_1" } });
    await send({ config, credentials: ACCOUNT });
    const { labels: _around, ...fields } = NEWS;
    expect(JSON.parse(web.received[0]?.body ?? "")).toEqual({ ...fields, at: "2026-11-20T20:00:00.000Z" });
    const basic = Buffer.from("pvr:corr3ct horse").toString("base64");
    expect(web.received.map(({ headers }) => headers["authorization"])).toEqual([
      undefined,
      "Bearer tk_1",
      `Basic ${basic}`,
    ]);
  });

  it.each([
    [404, "NOTIFY_REFUSED"],
    [401, "NOTIFY_UNREACHABLE"],
    [429, "NOTIFY_UNREACHABLE"],
    [503, "NOTIFY_UNREACHABLE"],
    [302, "NOTIFY_UNREACHABLE"],
  ])("that answers %i is %s, and its secret stays hidden", async (status, code) => {
    await using web = await webReceiver(() => status);
    const config = { kind: "webhook", url: `http://127.0.0.1:${web.port}/hook` };
    const failure = await send({ config, credentials: { password: "tk_1" } });
    expect(failure).toMatchObject({ code });
    expect(failure?.message).not.toMatch(/tk_1|hook$/);
  });
});

describe("ntfy", () => {
  it("gets notifications in its own format", async () => {
    await using web = await webReceiver(() => 200);
    await send({ config: { kind: "ntfy", url: `http://127.0.0.1:${web.port}`, topic: "pvr" } });
    expect(JSON.parse(web.received[0]?.body ?? "")).toEqual({
      topic: "pvr",
      title: "Not recorded: Été Bcc: all@example.org",
      message: "No tuner.",
      tags: ["failed"],
      priority: 4,
    });
    expect(web.received[0]?.headers["x-message-id"]).toBe("ended-a");
  });
});

describe("e-mail", () => {
  const config = (port: number, to = "you@example.org") => ({
    ...{ kind: "email", host: "127.0.0.1", port, security: "none" },
    ...{ from: "pvr@example.org", to: [to] },
  });

  it("has a unique id, whatever the title contains", async () => {
    await using server = await mailReceiver(ACCOUNT);
    expect(await send({ config: config(server.port), credentials: ACCOUNT })).toBeUndefined();
    const [{ body = "" } = {}] = server.received;
    expect(body).toContain("Message-ID: <ended-a@example.org>");
    expect(body).not.toMatch(/^Bcc:/m);
    expect(body).toContain("No tuner.");
    expect(body).toContain("Today 21:00 (Europe/Berlin)");
    expect(body).not.toContain("T20:00:00");
  });

  it("is retried if user or password are wrong, and dropped if the recipient is unknown", async () => {
    await using server = await mailReceiver(ACCOUNT);
    const wrong = { user: "pvr", password: "wr0ng one" };
    const refused = await send({ config: config(server.port), credentials: wrong });
    expect(refused).toMatchObject({ code: "NOTIFY_UNREACHABLE" });
    expect(refused?.message).toContain("recorderd notify login it USER");
    expect(refused?.message).not.toContain("wr0ng");
    expect(await send({ config: config(server.port, "nobody@example.org") })).toMatchObject({
      code: "NOTIFY_REFUSED",
    });
  });

  it("is not sent if TLS is configured and missing", async () => {
    await using server = await mailReceiver(ACCOUNT);
    const order = { ...config(server.port), security: "starttls" };
    expect(await send({ config: order, credentials: ACCOUNT })).toBeInstanceOf(RecorderdError);
    expect(server.received).toEqual([]);
  });
});

describe("MQTT", () => {
  it("announces its entities to Home Assistant, then publishes", async () => {
    await using server = await broker(ACCOUNT);
    const config = { kind: "mqtt", url: `mqtt://127.0.0.1:${server.port}` };
    expect(await send({ config, credentials: ACCOUNT })).toBeUndefined();
    const [discovery, news] = server.received;
    expect(discovery).toMatchObject({ topic: "homeassistant/event/recorderd_it/news/config", retain: true });
    expect(JSON.parse(discovery?.body ?? "")).toMatchObject({
      name: "Neuigkeiten",
      state_topic: "recorderd/news",
      event_types: expect.arrayContaining(["failed", "test"]),
      unique_id: "recorderd_it_news",
    });
    expect(news).toMatchObject({ topic: "recorderd/news", retain: false });
    expect(JSON.parse(news?.body ?? "")).toMatchObject({ event_type: "failed", id: "ended-a", timerId: "7" });
  });

  it("is retried if the broker rejects the user", async () => {
    await using server = await broker(ACCOUNT);
    const config = { kind: "mqtt", url: `mqtt://127.0.0.1:${server.port}`, discovery: "" };
    const failure = await send({ config, credentials: { user: "pvr", password: "wr0ng" } });
    expect(failure).toMatchObject({ code: "NOTIFY_UNREACHABLE" });
    expect(failure?.message).not.toContain("wr0ng");
    expect(server.received).toEqual([]);
  });
});

describe("an unreachable target", () => {
  it.each([
    { kind: "webhook", url: "http://127.0.0.1:9" },
    { kind: "ntfy", url: "http://127.0.0.1:9", topic: "x" },
    { kind: "email", host: "127.0.0.1", port: 9, from: "a@b.c", to: ["a@b.c"] },
    { kind: "mqtt", url: "mqtt://127.0.0.1:9" },
  ])("is retried: $kind", async (config) => {
    expect(await send({ config })).toMatchObject({ code: "NOTIFY_UNREACHABLE" });
  });
});

describe("recorderd notify", () => {
  let folder = "";
  let config = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-notify-"));
    config = join(folder, "recorderd.yaml");
    await mkdir(join(folder, "data"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function write(...notify: readonly object[]): Promise<void> {
    const nobody = "http://127.0.0.1:9";
    await writeFile(
      config,
      stringify({
        guide: { url: nobody, regionId: 1 },
        recordings: { folder },
        tuners: [{ kind: "mock", id: "sim", broadcaster: nobody }],
        data: { folder: join(folder, "data") },
        notify,
      }),
    );
  }

  it("test reports for each target whether it accepts notifications, and login stores its secrets", async () => {
    await using server = await mailReceiver(ACCOUNT);
    await using web = await webReceiver(() => 200);
    const [from, to] = ["pvr@example.org", ["you@example.org"]];
    await write(
      { kind: "email", id: "mail", host: "127.0.0.1", port: server.port, security: "none", from, to },
      { kind: "webhook", id: "home", url: `http://127.0.0.1:${web.port}` },
      { kind: "webhook", id: "gone", url: "http://127.0.0.1:9" },
    );
    const kept = await commandLine(["notify", "login", "mail", "pvr", "--config", config], {
      stdin: "corr3ct horse\n",
    });
    expect([kept.code, kept.out + kept.err]).toEqual([0, expect.not.stringContaining("corr3ct")]);
    expect((await readSecrets(join(folder, "data")))?.notify).toEqual({ mail: ACCOUNT });
    const { out, code } = await commandLine(["notify", "test", "--config", config]);
    expect(code).toBe(1);
    expect(out.split("\n")).toEqual([
      "mail: taken",
      "home: taken",
      "gone: Target gone: no answer (ECONNREFUSED). [NOTIFY_UNREACHABLE]",
    ]);
    const one = await commandLine(["notify", "test", "home", "--config", config, "--json"]);
    expect([one.code, JSON.parse(one.out)]).toEqual([0, { outcomes: [{ target: "home" }] }]);
  });

  it("names the configured targets for an unknown one", async () => {
    await write({ kind: "webhook", id: "home", url: "http://127.0.0.1:9" });
    const { code, err } = await commandLine(["notify", "test", "other", "--config", config]);
    expect([code, err.includes("home")]).toEqual([64, true]);
    await write();
    expect((await commandLine(["notify", "test", "--config", config])).err).toContain(
      "docs/notifications.md",
    );
  });
});
