import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

  it("works where nobody may change a priority, as under the system call filter of a service", async () => {
    const built = join(import.meta.dirname, "../../../dist/kit/process/thread.js");
    const { end, answers } = await asked(`
      import os from "node:os";
      os.setPriority = () => { throw new Error("uv_os_setpriority returned EPERM"); };
      const { threadQuestion } = await import(${JSON.stringify(pathToFileURL(built).href)});
      const { question, answer } = threadQuestion();
      answer(question.length);`);
    expect({ end, answers }).toEqual({ end: { kind: "done" }, answers: [2] });
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
