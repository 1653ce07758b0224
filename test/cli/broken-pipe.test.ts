import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
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
