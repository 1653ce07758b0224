import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";

it("the documentation lists every request with its statuses and their conditions", async () => {
  const lines = GUIDE_ROUTES.flatMap(({ method, path, summary, success, statuses }) => [
    `| ${method} \`${path.slice(1)}\` | ${success} | ${summary} |`,
    ...Object.entries(statuses).map(([status, condition]) => `| | ${status} | ${condition} |`),
  ]);
  const wanted = ["| request | status | when |", "| --- | --- | --- |", ...lines].join("\n");
  const text = await readFile(new URL("../../docs/dev/guide-server-api.md", import.meta.url), "utf8");
  expect(text).toContain(wanted);
});
