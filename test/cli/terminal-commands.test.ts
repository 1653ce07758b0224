import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { withoutCommands } from "../../src/cli/plain-text.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const folder = mkdtempSync(join(tmpdir(), "recorderd-terminal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("whatever a command prints, its last step takes away what commands a terminal", () => {
  expect(withoutCommands("a\x1b[31mb\u009b2Jc\x07\x7f\r\0d\te\nf ü 日本 ‏")).toBe(
    "a [31mb 2Jc    d\te\nf ü 日本 ‏",
  );
});

it.each(["\x1b]0;title\x07", "\u009b31m", "\r"])(
  "a file's name with %j does not reach the terminal",
  (name) => {
    const file = join(folder, `guide${name}.yaml`);
    writeFileSync(
      file,
      [
        "guide: { url: http://127.0.0.1:9, regionId: 1 }",
        "recordings: { folder: /srv/recordings }",
        "tuners: [{ kind: hdhomerun, id: t, address: http://127.0.0.1:9 }]",
      ].join("\n"),
    );
    const { stdout, stderr, status } = spawnSync(process.execPath, [MAIN, "check", "--config", file], {
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(`${stdout}${stderr}`.replaceAll("\n", "")).toMatch(/^[^\p{Cc}]+has no mistakes$/u);
  },
);
