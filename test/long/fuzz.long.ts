import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TARGETS } from "../fuzz/targets.ts";

it.each(TARGETS)("a minute of new inputs breaks no law and no budget of $name", async ({ name }) => {
  const run = promisify(execFile)(process.execPath, ["scripts/fuzz.mjs", name, "--seconds", "60"]);
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error);
  expect(stdout).toContain(`${name}: `);
  expect(stdout).not.toContain("FOUND");
});
