import { ChildProcess } from "node:child_process";
import { afterEach, expect, it, vi } from "vitest";
import { outputOfChild } from "../../../src/kit/process/child.ts";

afterEach(() => vi.restoreAllMocks());

it("a program that is missing gets no signal when it is called off at once: the signal would end our process group", async () => {
  // Nothing is let through: without the protection, this run would end here.
  const kill = vi.spyOn(ChildProcess.prototype, "kill").mockReturnValue(false);
  const calledOff = new AbortController();
  const output = outputOfChild("no-such-program", [], { signal: calledOff.signal });
  // Before Node.js has reported the failure.
  queueMicrotask(() => calledOff.abort(new Error("called off")));
  const error = await output.catch((reason: unknown) => reason);
  expect(kill).not.toHaveBeenCalled();
  expect(error).toMatchObject({ message: "called off" });
});

it("a program that runs is ended when it is called off, and the reason is thrown", async () => {
  const calledOff = new AbortController();
  const output = outputOfChild("sleep", ["1000"], { signal: calledOff.signal });
  setTimeout(() => calledOff.abort(new Error("called off")), 20);
  await expect(output).rejects.toThrow("called off");
  await expect(outputOfChild("sleep", ["0"], { signal: calledOff.signal })).rejects.toThrow("called off");
});
