import { expect, it } from "vitest";
import { Turns } from "../../../src/kit/time/turns.ts";

it("runs one piece of work at a time, in the order of the calls, also after one that failed", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const work = (name: string) =>
    turns.run(async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === "b") throw new Error(name);
      return name;
    });
  const ends = Promise.allSettled([work("a"), work("b"), work("c")]);
  await turns.ended();
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  expect((await ends).map((end) => (end.status === "fulfilled" ? end.value : end.reason.message))).toEqual([
    "a",
    "b",
    "c",
  ]);
});
