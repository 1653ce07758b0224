import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { judge } from "./judge.ts";
import { TARGETS } from "./targets.ts";

/** Inputs that once broke a law or a budget. */
const CORPUS = "test/fuzz/corpus";

describe.each(TARGETS)("the target $name", (target) => {
  it("reads its seeds within its laws and budgets", async () => {
    expect(target.seeds().length).toBeGreaterThan(0);
    for (const seed of target.seeds()) expect(await judge(target, seed)).toBeUndefined();
  });

  const folder = `${CORPUS}/${target.name}`;
  const found = existsSync(folder) ? readdirSync(folder) : [];
  it.runIf(found.length > 0)("reads earlier findings within its laws and budgets", async () => {
    for (const name of found) {
      const input = readFileSync(`${folder}/${name}`);
      expect(await judge(target, input), `${folder}/${name}`).toBeUndefined();
    }
  });
});

it("every finding belongs to a target", () => {
  const names = TARGETS.map(({ name }) => name);
  expect(readdirSync(CORPUS).filter((name) => !names.includes(name))).toEqual([]);
});
