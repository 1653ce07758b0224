import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const LOG = pathToFileURL(join(import.meta.dirname, "../../dist/kit/log.js"));
const SCRIPT = `
  const { createLog } = await import(${JSON.stringify(LOG.href)});
  const log = createLog("debug");
  for (const level of ["debug", "info", "warn", "error"]) log[level]("said", { level });
`;

/** What a process logs whose error output is a file, and whose journal is said to be there. */
async function logged(journal: (dev: number, ino: number) => string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-log-"));
  const file = join(folder, "stderr");
  const fd = openSync(file, "w");
  const { dev, ino } = fstatSync(fd);
  spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    stdio: ["ignore", "ignore", fd],
    env: { JOURNAL_STREAM: journal(dev, ino) },
  });
  closeSync(fd);
  const text = await readFile(file, "utf8");
  await rm(folder, { recursive: true });
  return text.trim().split("\n");
}

it("lines have their priority where they go to the journal", async () => {
  const lines = await logged((dev, ino) => `${dev}:${ino}`);
  expect(lines.map((line) => line.slice(0, 4))).toEqual(["<7>{", "<6>{", "<4>{", "<3>{"]);
});

it("lines are JSON and nothing else where the journal is somewhere else", async () => {
  const lines = await logged((dev, ino) => `${dev}:${ino + 1}`);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "debug", msg: "said" },
    { level: "info" },
    { level: "warn" },
    { level: "error" },
  ]);
});
