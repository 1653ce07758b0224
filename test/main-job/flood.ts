import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { hashPassword, tokenHash } from "../../src/kit/http/password.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { readSecrets, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { portOf } from "./planted.ts";
import { onSimulator, pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

const TUNERS = 8;
const TOKEN = "given-away-before";
const USER = "anna";

/** A stranger on the network: a process of its own that guesses passwords at a rate, and sends megabytes of XML to each route that is open. */
const STRANGER = `
  // It has a machine of its own elsewhere.
  require("node:os").setPriority(19);
  const { Agent, request } = require("node:http");
  const [port, perSecond, user] = process.argv.slice(1);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const answers = {};
  let sent = 0, waiting = 0;
  const note = (status) => { answers[status] = (answers[status] ?? 0) + 1; };
  function send(path, type, body) {
    sent += 1;
    waiting += 1;
    const headers = { "content-type": type, "content-length": body.length };
    const asked = request({ port, host: "127.0.0.1", path, method: "POST", headers, agent }, (answer) => {
      waiting -= 1;
      note(answer.statusCode);
      answer.resume();
    });
    asked.on("error", (error) => { waiting -= 1; note(error.code); });
    asked.end(body);
  }
  const xml = Buffer.from("<a>" + "<b/>".repeat(262_144) + "</a>");
  let count = 0;
  setInterval(() => {
    for (let each = 0; each < perSecond / 50 && waiting < 1000; each += 1) {
      count += 1;
      send("/v1/session", "application/json", Buffer.from(JSON.stringify({ user, password: "wrong " + count })));
    }
  }, 20);
  setInterval(() => { for (const path of ["/v1/session", "/v1/setup"]) send(path, "application/xml", xml); }, 100);
  process.on("message", () => process.send({ sent, answers }));
`;

interface Told {
  readonly sent: number;
  /** How often each status or error was the answer. */
  readonly answers: Readonly<Record<string, number>>;
}

async function startStranger(port: number): Promise<AsyncDisposable & { told(): Promise<Told> }> {
  const child = spawn(process.execPath, ["-e", STRANGER, String(port), "1000", USER], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  return {
    told: async () => {
      const message = once(child, "message");
      child.send("what was it");
      return (await message)[0] as Told;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Recordings begin later than ordered on a machine that does much else. */
const PADDING_SECONDS = 8;

export interface Flooded extends Told {
  /** The answers to a monitor at `/readyz` meanwhile: how often each status. */
  readonly ready: Readonly<Record<number, number>>;
  /** The answers to a user with a token meanwhile. */
  readonly known: Readonly<Record<number, number>>;
  readonly ms: number;
}

/**
 * Eight recordings begin and end within this time, each at an instant of its own, while a stranger floods the daemon.
 *
 * @returns what everybody was answered; each recording is whole
 */
export async function recordThroughFlood(floodMs: number): Promise<Flooded> {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, TUNERS);
  const web = { port: 0, signIn: "always" };
  await using recorder = await onSimulator(folder.path, home, {
    tuners: TUNERS,
    paddingSeconds: PADDING_SECONDS,
    more: { web },
  });
  const secrets = await readSecrets(recorder.data);
  await writeSecrets(recorder.data, {
    apiKey: "none",
    ...secrets,
    web: {
      users: [{ name: USER, passwordHash: await hashPassword("not to be guessed") }],
      tokens: [{ name: "known", sha256: tokenHash(TOKEN) }],
    },
  });
  await recorder.start();
  const port = await portOf(recorder.pid);
  if (port === undefined) throw new Error("the dashboard is not served");
  const begun = Date.now();
  await using stranger = await startStranger(port);
  const first = soon() + (PADDING_SECONDS + 3) * SECOND;
  const timers = await Promise.all(
    Array.from({ length: TUNERS }, (_, index) =>
      home.world.book(
        {
          channel: index + 1,
          title: `Show ${index}`,
          start: first + index * 250,
          durationMs: floodMs - 2 * SECOND - (TUNERS - index) * 500,
        },
        home.deviceId,
      ),
    ),
  );
  const ready: Record<number, number> = {};
  const known: Record<number, number> = {};
  const ask = async (into: Record<number, number>, path: string, headers: Record<string, string>) => {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    into[status] = (into[status] ?? 0) + 1;
  };
  while (Date.now() < first + floodMs) {
    await ask(ready, "/readyz", {});
    await ask(known, "/v1/snapshot", { authorization: `Bearer ${TOKEN}` });
    await pause(100);
  }
  const told = await stranger.told();
  const ms = Date.now() - begun;
  for (const timer of timers) {
    const { state, attempts, evidence } = await recorder.until(timer, (one) => isTerminal(one.state));
    expect({ state, attempts: attempts.length, ...evidence }).toMatchObject({
      state: "completed",
      attempts: 1,
      segments: 1,
      continuityErrors: 0,
      gaps: [],
    });
  }
  return { ...told, ready, known, ms };
}
