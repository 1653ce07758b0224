import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock, yieldToLoop } from "../../src/kit/time/clock.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { type Daemon, openDaemon } from "../../src/recorder/daemon.ts";
import { temporaryFolder } from "./recorder.ts";

const SERVICE = { onid: 1, tsid: 1, sid: 1 };

/** Each kind of request, and what a recorder without timers and channels answers while it runs. */
const REQUESTS: Readonly<
  Record<string, { readonly ask: (daemon: Daemon) => Promise<unknown>; readonly answer: unknown }>
> = {
  "timer override": {
    ask: (daemon) => daemon.setTimerOverride("1", { priority: 80 }),
    answer: "RECORDING_UNKNOWN",
  },
  repeat: { ask: (daemon) => daemon.repeat("1"), answer: "RECORDING_UNKNOWN" },
  replan: { ask: (daemon) => daemon.replan(), answer: undefined },
  lease: { ask: (daemon) => daemon.playing.live(SERVICE), answer: "TUNER_NONE_CAPABLE" },
  probe: { ask: (daemon) => daemon.probe({ service: SERVICE }), answer: "TUNER_NONE_CAPABLE" },
  deletion: { ask: (daemon) => daemon.library.remove("r000001"), answer: "RECORDING_UNKNOWN" },
  assignment: { ask: (daemon) => daemon.assign("1", SERVICE), answer: "GUIDE_NOT_FOUND" },
};
const KINDS = Object.keys(REQUESTS);

async function opened(folder: string): Promise<Daemon> {
  const data = join(folder, "data");
  await mkdir(data);
  await writeSecrets(data, { apiKey: "key", account: { email: "viewer@sim.example", token: "token" } });
  const config = Config.parse({
    guide: { url: "http://127.0.0.1:9", regionId: 1 },
    recordings: { folder },
    tuners: [{ kind: "url", id: "roof", services: [{ service: "9/9/9", url: "http://127.0.0.1:9/" }] }],
    data: { folder: data },
    control: { socket: join(folder, "control.sock") },
  });
  return openDaemon(config, { clock: systemClock(), log: silentLog });
}

/** Asks for everything at once. */
function askAll(daemon: Daemon, onAnswer: () => void): Promise<readonly unknown[]> {
  return Promise.all(
    Object.values(REQUESTS).map(({ ask }) =>
      ask(daemon)
        .catch((error: unknown) => {
          if (error instanceof RecorderdError) return error;
          throw error;
        })
        .finally(onAnswer),
    ),
  );
}

function codeOf(answer: unknown): unknown {
  return answer instanceof RecorderdError ? answer.code : answer;
}

it("the daemon answers requests received during its start once it runs, with current data", async () => {
  await using folder = await temporaryFolder();
  await using daemon = await opened(folder.path);
  let answered = 0;
  const answers = askAll(daemon, () => {
    answered += 1;
  });
  for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
  expect(answered).toBe(0);
  const ended = new AbortController();
  const running = daemon.run(ended.signal);
  expect((await answers).map(codeOf)).toEqual(Object.values(REQUESTS).map(({ answer }) => answer));
  ended.abort();
  await running;
});

const STOPPED = { code: "DAEMON_NOT_READY", message: "The recorder is stopping. Try again when it runs." };

it("the daemon refuses requests after its end, and says that it is stopping", async () => {
  await using folder = await temporaryFolder();
  await using daemon = await opened(folder.path);
  const ended = new AbortController();
  const running = daemon.run(ended.signal);
  ended.abort();
  await running;
  expect(await askAll(daemon, () => {})).toMatchObject(KINDS.map(() => STOPPED));
});

it("the daemon refuses requests that wait for its start if it ends first, with the same message", async () => {
  await using folder = await temporaryFolder();
  const daemon = await opened(folder.path);
  const answers = askAll(daemon, () => {});
  await daemon[Symbol.asyncDispose]();
  expect(await answers).toMatchObject(KINDS.map(() => STOPPED));
});

it("the daemon refuses every request while it stops, with the same message", async () => {
  await using folder = await temporaryFolder();
  await using daemon = await opened(folder.path);
  const ended = new AbortController();
  let isRunning = true;
  const running = daemon.run(ended.signal).finally(() => {
    isRunning = false;
  });
  // It runs.
  await daemon.replan();
  ended.abort();
  expect(daemon.unready()).toBe("The recorder is stopping.");
  const asked: Promise<readonly unknown[]>[] = [];
  for (; isRunning; await yieldToLoop()) asked.push(askAll(daemon, () => {}));
  await running;
  expect(asked.length).toBeGreaterThan(1);
  for (const answers of await Promise.all(asked)) expect(answers).toMatchObject(KINDS.map(() => STOPPED));
});
