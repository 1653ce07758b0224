import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { runBounded } from "../../../../src/kit/process/bounded-process.ts";
import { startProblem } from "../../../../src/kit/process/startable.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { LibraryDocument } from "../../../../src/model/library.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { emptyLibrary } from "../../../../src/recorder/subsystems/library/core/document.ts";
import { dueHooks, hookEnvironment } from "../../../../src/recorder/subsystems/library/core/hooks.ts";
import { createHookLoop } from "../../../../src/recorder/subsystems/library/hook-loop.ts";
import { shareLibrary } from "../../../../src/recorder/subsystems/library/shared-library.ts";
import { ended, NOW } from "./entries.ts";

const clock = systemClock();
const MEBI = 2 ** 20;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-unstartable-"));
  await writeFile(join(folder, "plain"), "no program");
  await mkdir(join(folder, "folder"));
  await symlink(join(folder, "circle"), join(folder, "circle"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Commands that the system refuses to start, by its reason. */
const UNSTARTABLE: readonly (readonly [string, (folder: string) => readonly string[], string])[] = [
  ["ENOENT", (at) => [join(at, "nowhere")], "there is no such program"],
  ["ENOENT, by its name alone", () => ["no-such-program-anywhere"], "there is no such program"],
  ["ENOTDIR", (at) => [join(at, "plain", "x")], "a part of its path is a file"],
  ["EACCES of a file", (at) => [join(at, "plain")], "it may not be run"],
  ["EACCES of a folder", (at) => [join(at, "folder")], "it is not a file"],
  ["ELOOP", (at) => [join(at, "circle")], "its links form a loop"],
  ["ENAMETOOLONG", (at) => [join(at, "x".repeat(300))], "its name is too long"],
  ["E2BIG", () => ["echo", "x".repeat(MEBI)], "one of its arguments is longer than 131071 bytes"],
  ["a NUL", () => ["echo", "a\0b"], "it contains a NUL"],
];

describe("a command that cannot be started", () => {
  it.each(UNSTARTABLE)("has its own result, and is no failure of the daemon: %s", async (_, commandIn) => {
    const [command = "", ...args] = commandIn(folder);
    const env = { PATH: "/usr/bin:/bin" };
    const end = await runBounded(
      { command, args, env, timeoutMs: 30 * SECOND, outputBytesMax: 100 },
      { clock, signal: new AbortController().signal },
    );
    expect(end.how).toBe("not-started");
    expect(end.reason).toMatch(/spawn|string without null bytes/);
  });

  it.each(UNSTARTABLE)("is reported in advance: %s", async (_, commandIn, why) => {
    expect(await startProblem(commandIn(folder), "/usr/bin:/bin")).toContain(why);
  });

  it("is distinguished from one that can start", async () => {
    expect(await startProblem(["echo", "x".repeat(100_000)], "/nowhere:/bin")).toBeUndefined();
    expect(await startProblem([process.execPath], "")).toBeUndefined();
  });

  it.each(UNSTARTABLE)("is called once for each point, and delays no other: %s", async (_, commandIn) => {
    const warnings: string[] = [];
    const command = commandIn(folder);
    const library = await heardWith(command, ended("a"), {
      ...silentLog,
      warn: (text) => warnings.push(text),
    });
    expect(library.heard).toEqual({ a: "completed" });
    expect(warnings).toEqual(Array(3).fill("a hook failed; it is not run again"));
  });
});

describe("a title that does not fit an environment", () => {
  it.each([
    ["1 MB", "x".repeat(MEBI)],
    ["16 MB", "ä".repeat(8 * MEBI)],
    ["NULs", "a\0".repeat(1000)],
    ["halves of pairs", "\ud800".repeat(200_000)],
  ])("is cut for hooks, which still run for its recording: %s", async (_, name) => {
    const warnings: string[] = [];
    const library = await heardWith(["true"], ended("a", { name }), {
      ...silentLog,
      warn: (text) => warnings.push(text),
    });
    expect(library.heard).toEqual({ a: "completed" });
    expect(warnings).toEqual([]);
    const [due] = dueHooks(planOf(ended("a", { name })), emptyLibrary(), NOW);
    if (due === undefined) throw new Error("it is due");
    const values = Object.values(hookEnvironment(due.facts));
    expect(
      values.every((value) => value.length <= 8192 && value.isWellFormed() && !value.includes("\0")),
    ).toBe(true);
  });
});

function planOf(one: Recording) {
  return { timers: {}, recordings: { [one.id]: one } };
}

/** Runs a hook of all points until it has heard all of a recording. */
async function heardWith(
  command: readonly string[],
  one: Recording,
  log: typeof silentLog,
): Promise<LibraryDocument> {
  const store = {
    current: emptyLibrary(),
    async commit(next: LibraryDocument) {
      this.current = next;
    },
  };
  const ending = new AbortController();
  const hook = {
    on: ["scheduled", "started", "completed"],
    command,
    shell: false,
    timeoutMs: 30 * SECOND,
  } as const;
  const heard = new Promise<void>((resolve) => {
    const commit = store.commit.bind(store);
    store.commit = async (next) => {
      await commit(next);
      if (next.heard[one.id] === "completed") resolve();
    };
  });
  const loop = createHookLoop({
    hooks: [hook],
    library: shareLibrary(store),
    plan: () => planOf(one),
    clock,
    log,
  });
  const life = loop.run(ending.signal);
  await heard;
  ending.abort();
  await life;
  return store.current;
}
