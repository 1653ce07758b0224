import { describe, expect, it } from "vitest";
import { askThread, type ThreadEnd } from "../../../src/kit/process/thread.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";

const clock = systemClock();

async function asked(
  script: string,
  { patienceMs = 60_000, signal = new AbortController().signal } = {},
): Promise<{ readonly end: ThreadEnd; readonly answers: readonly unknown[] }> {
  const file = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const answers: unknown[] = [];
  const onAnswer = (answer: unknown) => answers.push(answer);
  const order = { file, question: [1, 2], onAnswer, patienceMs, memoryMiB: 64, clock };
  return { end: await askThread(order, signal), answers };
}

const PORT = `import { parentPort, workerData } from "node:worker_threads";`;

describe("a worker thread", () => {
  it("answers one request at a time, and ends", async () => {
    const { end, answers } = await asked(
      `${PORT} for (const one of workerData) parentPort.postMessage(one * 2);`,
    );
    expect(answers).toEqual([2, 4]);
    expect(end).toEqual({ kind: "done" });
  });

  it("reports its failure, and its earlier answers stay valid", async () => {
    const { end, answers } = await asked(
      `${PORT} parentPort.postMessage(1); setImmediate(() => { throw new Error("broken"); });`,
    );
    expect(end).toEqual({ kind: "failed", text: "Error: broken" });
    expect(answers).toEqual([1]);
  });

  it("ends without its caller if it uses too much memory", async () => {
    const { end } = await asked("const all = []; for (let i = 0; ; i++) all.push({ i, text: String(i) });");
    expect(end).toMatchObject({ kind: "failed", text: expect.stringContaining("memory") });
  });

  it("is terminated if it is silent for too long", async () => {
    const { end } = await asked("for (;;);", { patienceMs: 20 });
    expect(end).toMatchObject({ kind: "failed", text: "did not answer for 20 ms" });
  });

  it("ends with its caller", async () => {
    const controller = new AbortController();
    const end = asked("for (;;);", { signal: controller.signal });
    controller.abort();
    expect((await end).end).toEqual({ kind: "failed", text: "ended on request" });
  });
});
