import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { hashPassword, tokenHash } from "../../src/kit/http/password.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { readSecrets, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_REGION, simTriplet } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { broker, mailReceiver, webReceiver } from "../recorder/subsystems/notify/receivers.ts";
import { between, HABIT_NAMES, plant, portOf, Seeker } from "./planted.ts";
import { pause, Recorder, soon, temporaryFolder, testWorld } from "./recorder.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");

const PLANTED = {
  apiKey: plant("api+key"),
  wrongPassword: plant("wrong/pass word"),
  addressPassword: plant("address-password"),
  addressPath: plant("address-path"),
  addressQuery: plant("address-query"),
  laterQuery: plant("later-query"),
  tunerPassword: plant("tuner:password"),
  hookPath: plant("hook-path"),
  hookToken: plant("hook-token"),
  topic: plant("topic"),
  laterTopic: plant("later-topic"),
  mailPassword: plant("mail-password"),
  brokerPassword: plant("broker-password"),
  webPassword: plant("web-password"),
  webToken: plant("web-token"),
};
const EMAIL = "viewer@sim.example";

/** A command's output when people run it; its input is not part of it. */
async function command(args: readonly string[], input = ""): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args]);
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return out + err;
}

it("the search finds secrets in texts, in names and contents of files, and in arguments and environments of processes", async () => {
  await using folder = await temporaryFolder();
  const secret = plant("a/b c");
  const seeker = new Seeker({ it: secret });
  const inAddress = new URLSearchParams({ token: secret }).toString();
  const basic = Buffer.from(`me:${secret}`).toString("base64");
  for (const text of [secret, encodeURI(secret), inAddress, basic, "harmless"]) seeker.look(text, text);
  await writeFile(join(folder.path, "a.txt"), Buffer.concat([Buffer.from([0xff, 0]), Buffer.from(secret)]));
  await writeFile(join(folder.path, encodeURIComponent(secret)), "");
  await seeker.lookInFolder(folder.path, () => false);
  const child = spawn("sh", ["-c", "echo here; read end"], { argv0: secret, env: { SECRET: secret } });
  // Its arguments and environment may be missing for a moment after "spawn".
  await once(child.stdout, "data");
  seeker.lookAtProcesses();
  child.kill();
  const places = [secret, encodeURI(secret), inAddress, basic, "a.txt", "name of a file"];
  const processes = ["cmdline of a process", "environ of a process"];
  expect(seeker.found).toEqual([...places, ...processes].map((place) => `${place}: it`).sort());
});

it("R-39 no output, file, answer, process or backup of the daemon contains a secret, in any situation", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  const { world, deviceId } = home;
  const { password } = world.account;
  await using guide = await between(world.guideUrl, { apiKey: encodeURIComponent(PLANTED.apiKey) });
  await using streams = await between(world.broadcaster.baseUrl, { below: `/${PLANTED.addressPath}` });
  await using server = await between(world.guideUrl, {});
  server.behave("refuses who asks");
  let hookStatus = 200;
  await using hook = await webReceiver(() => hookStatus);
  await using mail = await mailReceiver({ user: "me", password: "another" });
  await using mqtt = await broker({ user: "me", password: PLANTED.brokerPassword });

  const addressOf = (channel: number, query: string) => {
    const address = new URL(
      `/${PLANTED.addressPath}/service/${tripletKey(simTriplet(channel))}`,
      streams.url,
    );
    address.username = "me";
    address.password = PLANTED.addressPassword;
    address.searchParams.set("token", query);
    return address.href;
  };
  const settings = (query: string, topic: string, engine: string) => ({
    guide: { url: guide.url, regionId: SIM_REGION, deviceId, sync: "* * * * * *" },
    tuners: [
      {
        kind: "url",
        id: "iptv",
        services: [1, 2].map((channel) => ({
          service: tripletKey(simTriplet(channel)),
          url: addressOf(channel, query),
        })),
      },
      { kind: "tvheadend", id: "tvh", address: server.url },
    ],
    notify: [
      { kind: "webhook", id: "hook", url: `http://127.0.0.1:${hook.port}/${PLANTED.hookPath}` },
      { kind: "ntfy", id: "ntfy", url: `http://127.0.0.1:${hook.port}`, topic },
      { kind: "mqtt", id: "mqtt", url: `mqtt://127.0.0.1:${mqtt.port}` },
      {
        kind: "email",
        id: "mail",
        host: "127.0.0.1",
        port: mail.port,
        security: "none",
        from: "a@b.c",
        to: ["a@b.c"],
      },
    ].map((target) => ({ ...target, on: ["completed", "damaged", "failed", "sync"] })),
    web: { port: 0, signIn: "always" },
    capture: { engine },
    log: { level: "debug" },
  });
  await using recorder = await Recorder.install({
    folder: folder.path,
    home: { world: { guideUrl: guide.url }, token: home.token, deviceId },
    tuners: [],
    more: settings(PLANTED.addressQuery, PLANTED.topic, "ffmpeg"),
  });
  const { config, data } = recorder;
  const passwordHash = await hashPassword(PLANTED.webPassword);
  await writeSecrets(data, {
    apiKey: "none",
    tuners: { tvh: { user: "me", password: PLANTED.tunerPassword } },
    notify: {
      hook: { password: PLANTED.hookToken },
      ntfy: { user: "me", password: PLANTED.hookToken },
      mail: { user: "me", password: PLANTED.mailPassword },
      mqtt: { user: "me", password: PLANTED.brokerPassword },
    },
    web: {
      users: [{ name: "anna", passwordHash }],
      tokens: [{ name: "scan", sha256: tokenHash(PLANTED.webToken) }],
    },
  });

  const signIn = (as: string) => command(["login", EMAIL, "--config", config], `${as}\n${PLANTED.apiKey}\n`);
  const early = await signIn(PLANTED.wrongPassword);
  expect(await signIn(password)).toContain("signed in");
  const token = (await readSecrets(data))?.account?.token ?? "";
  const seeker = new Seeker({
    ...PLANTED,
    password,
    token,
    passwordHash,
    webTokenHash: tokenHash(PLANTED.webToken),
  });
  seeker.look("recorderd login", early);

  // Processes come and go: they are looked at all the time.
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      seeker.lookAtProcesses();
      // Captures live for seconds, and most commands for longer than this.
      await pause(100);
    }
  })();
  const lookAtFiles = () =>
    seeker.lookInFolder(folder.path, (path) => /^guide\/|(secrets|recorderd|torn|wrong)\.yaml$/.test(path));

  await recorder.start();
  const port = await portOf(recorder.pid);
  const base = `http://127.0.0.1:${port}`;
  const authorization = `Bearer ${PLANTED.webToken}`;
  const events = fetch(`${base}/v1/events`, { headers: { authorization } }).then(async ({ body }) => {
    // The daemon is killed while it reports.
    const decoder = new TextDecoder();
    try {
      for await (const part of body ?? []) seeker.look("events", decoder.decode(part));
    } catch {}
  });

  // A stream that is refused at first, is cut once, and goes on while the daemon is killed.
  streams.behave("forbids it");
  const start = soon();
  const first = await world.book({ channel: 1, title: "First", start, durationMs: 10 * MINUTE }, deviceId);
  await expect.poll(() => streams.asked.length).toBeGreaterThan(0);
  streams.behave("well");
  const { attempts } = await recorder.until(first, ({ state }) => state === "recording");
  streams.cut();
  const misbehave = async () => {
    for (const habit of HABIT_NAMES.filter((name) => name !== "refuses who asks")) {
      guide.behave(habit);
      const before = guide.asked.length;
      await expect.poll(() => guide.asked.length).toBeGreaterThan(before);
      await fetch(`${base}/v1/sync`, { method: "POST", headers: { authorization } });
    }
    guide.behave("well");
  };
  const flowsAgain = (now: Recording) => now.state === "recording" && now.attempts.length > attempts.length;
  await Promise.all([recorder.until(first, flowsAgain), misbehave()]);
  await lookAtFiles();
  await recorder.kill();
  await events;

  // A second life: signals make it log everything, then less again, and go on with another configuration.
  await recorder.start();
  for (const said of [/detailed logging is on/, /detailed logging is off/]) {
    recorder.signal("SIGUSR2");
    await expect.poll(() => recorder.said).toMatch(said);
  }
  const others = settings(PLANTED.laterQuery, PLANTED.laterTopic, "host");
  await writeFile(config, stringify({ ...parse(await readFile(config, "utf8")), ...others }));
  const saidBefore = recorder.said.length;
  recorder.signal("SIGHUP");
  // The reload opens a web port with another number.
  await expect
    .poll(() => recorder.said.slice(saidBefore))
    .toMatch(/notify\[1\]\.topic.*recorderd is running/s);
  hookStatus = 401;
  const newBase = `http://127.0.0.1:${await portOf(recorder.pid)}`;
  const withdrawal = await fetch(`${newBase}/v1/timers/${first}`, {
    method: "DELETE",
    headers: { authorization },
  });
  expect(withdrawal.ok).toBe(true);
  await recorder.until(first, ({ state }) => isTerminal(state));
  const second = await world.book(
    {
      channel: 2,
      title: "Second",
      start: Math.ceil(Date.now() / SECOND + 3) * SECOND,
      durationMs: 3 * SECOND,
    },
    deviceId,
  );
  const { id } = await recorder.until(second, ({ state }) => isTerminal(state));

  // A wrong and a right password, then every GET request that docs/openapi.json lists.
  const ask = async (path: string, headers: Record<string, string>, init: RequestInit = {}) => {
    const ending = new AbortController();
    const answer = await fetch(`${newBase}${path}`, { ...init, headers, signal: ending.signal });
    seeker.look(`${path}, headers`, JSON.stringify([...answer.headers]));
    // Streams and events have no end.
    const isEndless = /live\/|events/.test(path);
    const part = isEndless ? (await answer.body?.getReader().read())?.value : await answer.arrayBuffer();
    seeker.look(path, Buffer.from(new Uint8Array(part ?? 0)));
    ending.abort();
    return answer.status;
  };
  const json = { "content-type": "application/json" };
  for (const word of [PLANTED.wrongPassword, PLANTED.webPassword]) {
    const body = JSON.stringify({ user: "anna", password: word });
    expect(await ask("/v1/session", json, { method: "POST", body })).toBe(
      word === PLANTED.webPassword ? 200 : 401,
    );
  }
  expect(await ask(`/v1/logs?token=${PLANTED.webToken}`, {})).toBe(401);
  const { paths } = JSON.parse(await readFile("docs/openapi.json", "utf8")) as {
    paths: Record<string, object>;
  };
  const gets = Object.entries(paths).flatMap(([path, methods]) => ("get" in methods ? [path] : []));
  const open = gets.map((path) =>
    path
      .replace("timers/{id}", `timers/${second}`)
      .replace("{id}", id)
      .replace("{service}", tripletKey(simTriplet(1)).replaceAll("/", "-")),
  );
  for (const path of open)
    expect([path, await ask(path, { authorization })]).toEqual([path, expect.any(Number)]);
  expect(open.length).toBeGreaterThan(20);

  // The commands, a daemon that is not let in, files that are torn.
  guide.behave("refuses who asks");
  const torn = join(folder.path, "torn.yaml");
  await writeFile(
    torn,
    (await readFile(config, "utf8")).replaceAll("http://me", "htp://me").concat("\nno: [yaml"),
  );
  const wrong = join(folder.path, "wrong.yaml");
  await writeFile(wrong, (await readFile(config, "utf8")).replaceAll("http://me", "htp://me"));
  const backup = join(folder.path, "backup.tar.gz");
  const none = ["--guide-data", join(folder.path, "none")];
  const commands = [
    ["status", "--json"],
    ["tuners", "--json"],
    ["plan", "--json"],
    ["why", first],
    ["notify", "test"],
    ["doctor", "--json"],
    ["guide", "timers", "list"],
  ].map((args) => [...args, "--config", config]);
  for (const file of [torn, wrong]) commands.push(["check", "--config", file]);
  for (const args of commands) {
    const { out, err } = await commandLine(args);
    seeker.look(`recorderd ${args[0]}`, out + err);
  }
  for (const args of [["backup", backup, ...none], ["run"]])
    seeker.look(`recorderd ${args[0]}`, await command([...args, "--config", config]));
  await expect.poll(async () => (await recorder.snapshot())?.guide.signInNeeded).toBe(true);
  seeker.look("recorderd login", await signIn(PLANTED.wrongPassword));
  const whole = await readFile(join(data, "secrets.yaml"), "utf8");
  await writeFile(join(data, "secrets.yaml"), `${whole}\n  torn: [`);
  await expect.poll(() => recorder.said).toMatch(/the secrets cannot be read/);
  seeker.look("recorderd run", await command(["run", "--config", config]));
  const unpacked = spawnSync("tar", ["-xzOf", backup], { maxBuffer: 64 * 1024 * 1024 }).stdout;
  expect(unpacked.includes("Second")).toBe(true);
  seeker.look("backup", unpacked);
  await recorder.stop();
  await lookAtFiles();
  over.abort();
  await watching;
  seeker.look("log", recorder.said);

  // The secrets were in use: an unused secret could not leak.
  const usedAt = (between: readonly string[], secret: string) =>
    between.some((asked) => asked.includes(secret));
  const encoded = new URLSearchParams([["", PLANTED.apiKey]]).toString().slice(1);
  expect(usedAt(guide.asked, encoded) && usedAt(guide.asked, token)).toBe(true);
  expect(usedAt(streams.asked, PLANTED.addressQuery) && usedAt(streams.asked, PLANTED.laterQuery)).toBe(true);
  expect(server.asked.some((asked) => /Basic/.test(asked))).toBe(true);
  expect(hook.received.length).toBeGreaterThan(0);
  expect(mqtt.received.length).toBeGreaterThan(0);
  expect(recorder.said).toMatch(/"target":"mail"|mail server/);
  expect(seeker.bytes).toBeGreaterThan(1_000_000);
  expect(seeker.found).toEqual([]);
});
