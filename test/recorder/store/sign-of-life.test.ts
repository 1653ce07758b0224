import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { openSignOfLife } from "../../../src/recorder/store/sign-of-life.ts";

const NOW = Date.UTC(2026, 10, 20, 20);
const clock = { ...systemClock(), now: () => NOW };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-alive-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("R-01 a sign of life survives a restart, and opening the store writes none", async () => {
  const file = join(folder, "alive");
  const first = await openSignOfLife(file, clock);
  expect(first.before).toBeUndefined();
  await first.renew();
  expect((await openSignOfLife(file, clock)).before).toBe(NOW);
  expect((await openSignOfLife(file, clock)).before).toBe(NOW);
});

it("a failed sign of life causes no other failure", async () => {
  const sign = await openSignOfLife(join(folder, "missing", "alive"), clock);
  await sign.renew();
  expect(sign.before).toBeUndefined();
});
