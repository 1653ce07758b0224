import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const MAIN = join(import.meta.dirname, "../../dist/main.js");

it.each([
  ["a long help text", ["guide-server", "--help"]],
  ["many lines", ["simulate", "--days", "1"]],
])("recorderd exits quietly if its reader closes the pipe, as with `| head`: %s", async (_what, args) => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  // Closed before the program writes: the first write fails.
  child.stdout.destroy();
  const [complaint, [code, signal]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ complaint, code, signal }).toEqual({ complaint: "", code: 0, signal: null });
});

/** A recorderd whose output goes to a full disk. */
function withFullOutput(...args: readonly string[]) {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  return { child, errors: child.stderr as Readable };
}

it("recorderd says that its output cannot be written, as on a full disk, and fails", async () => {
  const { child, errors } = withFullOutput("guide-server", "--help");
  const [complaint, [code]] = await Promise.all([text(errors), once(child, "exit")]);
  expect({ complaint, code }).toEqual({
    complaint: "recorderd: the output cannot be written (ENOSPC).\n",
    code: 74,
  });
});

it("a server goes on without its output", async () => {
  const data = await mkdtemp(join(tmpdir(), "recorderd-full-output-"));
  const { child, errors } = withFullOutput("guide-server", "--data", data, "--port", "0");
  let complained = false;
  for await (const line of createInterface(errors)) {
    complained ||= line.includes("the output cannot be written");
    const { baseUrl } = line.startsWith("{") ? (JSON.parse(line) as { baseUrl?: string }) : {};
    if (baseUrl === undefined) continue;
    expect((await fetch(`${baseUrl}/openapi.json`)).status).toBe(200);
    child.kill();
  }
  await rm(data, { recursive: true });
  expect(complained).toBe(true);
});
