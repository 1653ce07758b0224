import { expect, it } from "vitest";
import { folderOf, ruleName } from "../../src/migration/names.ts";
import { folderProblem } from "../../src/rules/folder.ts";
import { readRuleOrder } from "../../src/rules/read-order.ts";
import { anyText, fc } from "../properties.ts";

const unit = fc.oneof(
  fc.constantFrom(
    ".",
    " ",
    "/",
    ":",
    "\u2028",
    "\u00a0",
    "\ud83d",
    "\u200b",
    "\n",
    "日",
    "😀",
    "aux",
    "con",
    "nul",
  ),
  anyText({ maxLength: 3 }),
);
const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));

it("folders and names of rules can be kept, whatever the other recorder has", () => {
  let folders = 0;
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), text, (levels, name) => {
      const folder = folderOf(levels);
      if (folder !== undefined) folders += 1;
      const order = {
        name: ruleName(name) ?? "None",
        words: "a",
        ...(folder === undefined ? {} : { folder }),
      };
      expect(readRuleOrder(order)).not.toHaveProperty("mistakes");
      expect(folder === undefined ? undefined : folderProblem(folder)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
  expect(folders).toBeGreaterThan(100);
});
