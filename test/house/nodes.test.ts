import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("npm run test:nodes names folders and files with tests", () => {
  const listed = execFileSync(process.execPath, ["scripts/test-nodes.mjs", "--list"], { encoding: "utf8" });
  expect(listed).toContain("test/kit/\n");
});
