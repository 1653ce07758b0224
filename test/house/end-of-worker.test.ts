import { expect, it } from "vitest";
import environment, { endWithWorker } from "../end-of-worker.ts";

it("what the files of a worker share has ended when the worker ends", async () => {
  const steps: string[] = [];
  const before = globalThis.endsOfWorker;
  globalThis.endsOfWorker = undefined;
  try {
    endWithWorker(async () => {
      await new Promise(setImmediate);
      steps.push("ended");
    });
    await environment.setup().teardown();
    steps.push("worker ends");
  } finally {
    globalThis.endsOfWorker = before;
  }
  expect(steps).toEqual(["ended", "worker ends"]);
});
