import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { onSimulator, pause, soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";

const TITLE = "A title that is never read to its end";

/** Before all else in the daemon: reading a list of timers with that title never ends, on the main thread. */
const SLOW = `
  const { isMainThread } = require("node:worker_threads");
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const isList = typeof text === "string" && /^\\s*\\{\\s*"timers"/.test(text);
    if (isMainThread && isList && text.includes(${JSON.stringify(TITLE)})) for (;;);
    return parse(text, ...more);
  };
`;

it("a document that starves the loop is named and set aside at the next start, and due recordings begin", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path);
  await using recorder = await onSimulator(folder.path, home, { tuners: 2 });
  const preload = join(folder.path, "slow.cjs");
  await writeFile(preload, SLOW);
  const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
  const { world, deviceId } = home;
  await recorder.start(env);

  // It runs before, during and after the starvation.
  const start = soon();
  const running = await world.book(
    { channel: 1, title: "Running", start, durationMs: 60 * SECOND },
    deviceId,
  );
  await recorder.until(running, ({ state }) => state === "recording");
  const due = await world.book(
    { channel: 2, title: TITLE, start: start + 75 * SECOND, durationMs: 5 * SECOND },
    deviceId,
  );
  while (recorder.endedBy === null) await pause(100);
  expect(recorder.endedBy).toBe("SIGALRM");
  const line = recorder.said.split("\n").find((each) => each.includes("the event loop is blocked"));
  expect(JSON.parse(line ?? "")).toMatchObject({ level: 50, work: "guide-document timers" });
  expect(await readFile(join(recorder.data, "starved"), "utf8")).toMatch(/^\d+\nguide-document timers\n$/);

  // The person who looks after the recorder starts it again.
  await recorder.start(env);
  const { setAside = [] } = (await recorder.snapshot()) ?? {};
  expect(setAside).toMatchObject([{ kind: "guide-document", subject: "timers", times: 1 }]);
  expect(recorder.said).toContain("work blocked the event loop in the previous run of the daemon");
  for (const id of [running, due]) {
    const { state } = await recorder.until(id, (recording) => isTerminal(recording.state), 180_000);
    expect([id, state]).toEqual([id, "completed"]);
  }
  expect(recorder.endedBy).toBeNull();
});
