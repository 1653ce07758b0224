import { expect, it } from "vitest";
import { compareRemedies } from "../recorder/plan/tried-out.ts";

it("the remedies of 2,000 problems are the smallest sufficient ones, by exhaustive search", () => {
  const seen = compareRemedies(2000);
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  expect(seen.none).toBeGreaterThan(20);
});
