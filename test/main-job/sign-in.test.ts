import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { SECOND } from "../../src/model/time.ts";
import { liveSecrets } from "../../src/recorder/config/live-secrets.ts";
import { loadConfig } from "../../src/recorder/config/load.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { readSecrets, secretsFile, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { openDaemon } from "../../src/recorder/daemon.ts";
import { createSignIn } from "../../src/recorder/subsystems/booking/sign-in.ts";
import type { VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { commandLine } from "../cli/command-line.ts";
import { hosted, PASSWORD } from "../guide-server/hosted.ts";
import { temporaryFolder } from "./recorder.ts";

const real = systemClock();

/** Lets virtual time pass second by second, with room for real requests in between; those of the last one may take what they need. */
async function pass(
  clock: VirtualClock,
  seconds: number,
  until?: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let second = 0; second < seconds && (await until?.()) !== true; second += 1) {
    await clock.advance(SECOND);
    await real.sleep(10, new AbortController().signal);
  }
  if (until !== undefined) await expect.poll(until).toBe(true);
}

it("R-43 a recorder with an expired token says so, keeps its plan, and continues right after recorderd login", async () => {
  await using folder = await temporaryFolder();
  await using guide = await hosted();
  const { clock, email, token, deviceId } = guide;
  const data = join(folder.path, "data");
  await mkdir(data);
  await writeSecrets(data, { apiKey: "any", account: { email, token } });
  const file = join(folder.path, "recorderd.yaml");
  await writeFile(
    file,
    stringify({
      guide: { url: guide.baseUrl, regionId: 1, deviceId, sync: "*/1 * * * *" },
      recordings: { folder: folder.path },
      tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
      data: { folder: data },
      control: { socket: join(folder.path, "control.sock") },
    }),
  );
  await using daemon = await openDaemon(await loadConfig(file), { clock, log: silentLog });
  const told = new AbortController();
  const running = daemon.run(told.signal);
  const planned = () => daemon.snapshot().recordings.map(({ timerId }) => timerId);
  const toldOf = async (id: string) => (await guide.server.timerReports(id)).map(({ state }) => state);

  const first = await guide.book();
  await pass(clock, 120, async () => (await toldOf(first)).length > 0);
  await guide.ask({ method: "DELETE", path: "/logout" });
  const second = await guide.book();
  await pass(clock, 200, () => daemon.snapshot().guide.signInNeeded);
  expect(daemon.snapshot().guide.signInNeeded).toBe(true);
  expect(planned()).toEqual([first]);

  // Some failures later there is a long wait until the next try.
  await pass(clock, 90);
  expect(planned()).toEqual([first]);
  const login = await commandLine(["login", email, "--config", file], { stdin: `${PASSWORD}\n` });
  expect(login.code).toBe(0);
  await pass(clock, 6, async () => (await toldOf(second)).length > 0);
  expect(daemon.snapshot().guide.signInNeeded).toBe(false);
  expect(await toldOf(second)).toEqual(["waiting"]);
  told.abort();
  await running;
});

it("R-39 R-43 the API signs in a recorder with an expired token, keeps its other secrets and shows none", async () => {
  await using folder = await temporaryFolder();
  await using guide = await hosted();
  const { clock, email, token, deviceId } = guide;
  const data = join(folder.path, "data");
  await mkdir(data);
  const tuners = { attic: { user: "viewer", password: "of the attic" } };
  await writeSecrets(data, { apiKey: "any", account: { email, token }, tuners });
  await guide.ask({ method: "DELETE", path: "/logout" });
  const config = Config.parse({
    guide: { url: guide.baseUrl, regionId: 1, deviceId, sync: "*/1 * * * *" },
    recordings: { folder: folder.path },
    tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
    data: { folder: data },
    control: { socket: join(folder.path, "control.sock") },
    web: { port: 0, signIn: "where-needed" },
  });
  const lines: string[] = [];
  const note = (message: string, facts?: object) =>
    void lines.push(`${message} ${JSON.stringify(facts ?? {})}`);
  const log = { debug: note, info: note, warn: note, error: note };
  await using daemon = await openDaemon(config, { clock, log });
  const told = new AbortController();
  const running = daemon.run(told.signal);
  await pass(clock, 60, () => daemon.snapshot().guide.signInNeeded);

  const answers: string[] = [];
  const signIn = async (password: string) => {
    const answer = await fetch(`http://127.0.0.1:${daemon.webPort}/v1/guide/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    const text = await answer.text();
    answers.push(text);
    return { status: answer.status, ...JSON.parse(text) };
  };
  expect(await signIn("wrong horse")).toMatchObject({
    status: 409,
    code: "GUIDE_SIGN_IN_NEEDED",
    message: expect.stringContaining("the e-mail address or the password is wrong"),
  });
  expect((await readSecrets(data))?.account?.token).toBe(token);
  expect(daemon.snapshot().guide.signInNeeded).toBe(true);

  expect(await signIn(PASSWORD)).toMatchObject({ status: 200, until: expect.any(Number) });
  const kept = await readSecrets(data);
  expect(kept).toEqual({ apiKey: "any", account: { email, token: expect.any(String) }, tuners });
  expect(kept?.account?.token).not.toBe(token);
  expect((await stat(secretsFile(data))).mode & 0o777).toBe(0o600);
  await pass(clock, 6, () => !daemon.snapshot().guide.signInNeeded);
  expect(daemon.snapshot().guide.signInNeeded).toBe(false);

  const said = [...lines, ...answers, JSON.stringify(daemon.snapshot())].join("\n");
  expect(said).toContain("signed in to the guide service");
  for (const secret of ["wrong horse", PASSWORD, token, kept?.account?.token ?? "", email]) {
    expect(said).not.toContain(secret);
  }
  told.abort();
  await running;
});

it.each([
  // Nobody can make a folder there, not even root.
  { file: "/proc/recorderd/secrets.yaml", handedOver: undefined, says: "the token cannot be stored" },
  { file: "/run/credential.yaml", handedOver: "/run/credential.yaml", says: "hands over" },
])(
  "a sign-in sends no request to the guide service if the token could not be stored: $says",
  async ({ file, handedOver, says }) => {
    const login = async () => expect.fail("the service was asked");
    const signIn = createSignIn({
      client: { login },
      file,
      handedOver,
      secrets: await liveSecrets(file, { clock: real, log: silentLog }),
      takeOver: async () => {},
      log: silentLog,
      signal: new AbortController().signal,
    });
    await expect(signIn({ email: "me@example.org", password: "x" })).rejects.toMatchObject({
      code: "WRITE_FAILED",
      message: expect.stringContaining(says),
    });
  },
);
