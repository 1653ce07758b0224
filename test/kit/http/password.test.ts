import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HTTP_LIMITS } from "../../../src/kit/http/limits.ts";
import { hashPassword, isPassword, NO_COST } from "../../../src/kit/http/password.ts";

it("many simultaneous password checks do not delay a file write", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-password-"));
  const done: string[] = [];
  const guesses = Array.from({ length: HTTP_LIMITS.passwordsWaiting }, () =>
    isPassword("wrong", undefined).then(() => done.push("password")),
  );
  for (let file = 0; file < 20; file += 1) await writeFile(join(folder, `${file}`), "packets");
  done.push("files");
  await Promise.all(guesses);
  await rm(folder, { recursive: true });
  // 20 writes, one after the other, beside 20 times 32 MiB of work.
  expect(done.indexOf("files")).toBeLessThan(HTTP_LIMITS.passwordsWaiting / 2);
});

it("a password is right or wrong, or unchecked if too many wait", async () => {
  const hash = await hashPassword("a long password", NO_COST);
  const ends = await Promise.all([
    isPassword("a long password", hash),
    isPassword("another", hash),
    isPassword("a long password", undefined),
    ...Array.from({ length: HTTP_LIMITS.passwordsWaiting }, () => isPassword("x", hash)),
  ]);
  expect(ends.slice(0, 3)).toEqual([true, false, false]);
  expect(ends.filter((end) => end === "busy")).toHaveLength(2);
});
