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
  const text = process.argv[1];
  if (text !== undefined) log.info(text, { text, [text]: { text: [text] } });
`;
/** Characters that would begin another log line, with a priority and message of its own, or another field. */
const FORGED =
  '\n<0>forged\r\n{"level":"error","msg":"forged"}\u2028<0>\u0085\v\f\x1b[2K\x1b]0;x\x07","msg":"forged';

/** The log lines of a process whose error output is a file, while its environment names a journal. */
async function logged(
  journal: (dev: number, ino: number) => string,
  ...texts: readonly string[]
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-log-"));
  const file = join(folder, "stderr");
  const fd = openSync(file, "w");
  const { dev, ino } = fstatSync(fd);
  spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT, ...texts], {
    stdio: ["ignore", "ignore", fd],
    env: { JOURNAL_STREAM: journal(dev, ino) },
  });
  closeSync(fd);
  const text = await readFile(file, "utf8");
  await rm(folder, { recursive: true });
  return text.trim().split("\n");
}

it("a full disk at the error output ends no process", () => {
  const full = openSync("/dev/full", "w");
  const script = `${SCRIPT}; console.log("went on")`;
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script, "text"], {
    stdio: ["ignore", "pipe", full],
    encoding: "utf8",
  });
  closeSync(full);
  expect({ stdout, status }).toEqual({ stdout: "went on\n", status: 0 });
});

it("lines have their priority if they go to the journal", async () => {
  const lines = await logged((dev, ino) => `${dev}:${ino}`);
  expect(lines.map((line) => line.slice(0, 4))).toEqual(["<7>{", "<6>{", "<4>{", "<3>{"]);
});

it("lines are plain JSON if they go elsewhere", async () => {
  const lines = await logged((dev, ino) => `${dev}:${ino + 1}`);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "debug", msg: "said" },
    { level: "info" },
    { level: "warn" },
    { level: "error" },
  ]);
});

it.each([0, 1])("a text cannot forge a line, a priority or a field (inode %i)", async (off) => {
  const lines = await logged((dev, ino) => `${dev}:${ino + off}`, FORGED);
  expect(lines).toHaveLength(5);
  const last = lines.at(-1) ?? "";
  expect(last.startsWith(off === 0 ? "<6>{" : "{")).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  expect(last).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/);
  expect(JSON.parse(last.replace(/^<6>/, ""))).toMatchObject({ msg: FORGED, text: FORGED });
});
