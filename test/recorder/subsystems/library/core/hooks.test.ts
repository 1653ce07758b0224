import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../../src/kit/log.ts";
import { runBounded } from "../../../../../src/kit/process/bounded-process.ts";
import { systemClock } from "../../../../../src/kit/time/clock.ts";
import { RecorderdError } from "../../../../../src/model/errors.ts";
import type { LibraryDocument } from "../../../../../src/model/library.ts";
import type { Recording } from "../../../../../src/model/recording.ts";
import { SECOND } from "../../../../../src/model/time.ts";
import { emptyLibrary } from "../../../../../src/recorder/subsystems/library/core/document.ts";
import {
  dueHooks,
  type Hook,
  heard,
  hookEnvironment,
} from "../../../../../src/recorder/subsystems/library/core/hooks.ts";
import { LIBRARY_CORE_LIMITS } from "../../../../../src/recorder/subsystems/library/core/limits.ts";
import { createHookLoop } from "../../../../../src/recorder/subsystems/library/hook-loop.ts";
import { shareLibrary } from "../../../../../src/recorder/subsystems/library/shared-library.ts";
import { ended, entry, NOW, recording } from "../entries.ts";

const clock = systemClock();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-hooks-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function planOf(...recordings: readonly Recording[]) {
  return { timers: {}, recordings: Object.fromEntries(recordings.map((each) => [each.id, each])) };
}

/** Points in the order in which hooks run for them. */
function heardOf(one: Recording, library: LibraryDocument = emptyLibrary()): readonly string[] {
  const points: string[] = [];
  let held = library;
  for (;;) {
    const [due] = dueHooks(planOf(one), held, NOW);
    if (due === undefined) return points;
    points.push(due.facts.point);
    held = heard(held, [due.facts]);
  }
}

describe("the input of hooks", () => {
  it("contains each point once, in the order of a recording's life, even after a long delay", () => {
    expect(heardOf(recording("a"))).toEqual(["scheduled"]);
    expect(heardOf(ended("a"))).toEqual(["scheduled", "started", "completed"]);
    expect(heardOf(ended("a", { state: "partial" }))).toEqual(["scheduled", "started", "failed"]);
    expect(heardOf(recording("a", { state: "missed" }))).toEqual(["failed"]);
    expect(heardOf(recording("a", { state: "conflicted" }))).toEqual([]);
  });

  it("contains the end only after the sidecars are written, or cannot be", () => {
    const due = ended("a", { sidecarDue: true });
    const { endedAt = 0 } = due;
    const held = { ...emptyLibrary(), heard: { a: "started" } } as const;
    expect(dueHooks(planOf(due), held, endedAt + SECOND)).toEqual([]);
    expect(dueHooks(planOf(ended("a")), held, endedAt + SECOND)).toHaveLength(1);
    expect(dueHooks(planOf(due), held, endedAt + LIBRARY_CORE_LIMITS.hookSidecarMs)).toHaveLength(1);
  });

  it("contains a deletion once it is done, even of a recording that left the plan", () => {
    const deleted = { at: NOW, actor: "retention", reason: "older than 30 days", done: false } as const;
    const held = (done: boolean): LibraryDocument => ({
      ...emptyLibrary(),
      entries: { a: entry("a", { deleted: { ...deleted, done } }) },
      heard: { a: "completed" },
    });
    expect(dueHooks(planOf(), held(false), NOW)).toEqual([]);
    expect(dueHooks(planOf(), held(true), NOW)[0]?.facts).toMatchObject({
      point: "deleted",
      reason: "older than 30 days",
      file: "/recordings/a.ts",
    });
  });

  it("is in the environment under descriptive names, and nothing else", () => {
    const facts = dueHooks(planOf(ended("a", { name: "x\0y" })), emptyLibrary(), NOW)[0]?.facts;
    if (facts === undefined) throw new Error("it is due");
    const environment = hookEnvironment(facts);
    expect(environment).toMatchObject({
      RECORDERD_POINT: "scheduled",
      RECORDERD_RECORDING_ID: "a",
      RECORDERD_TITLE: "xy",
      RECORDERD_EVENT_START: "2026-11-20T18:00:00.000Z",
      RECORDERD_SERVICE: "1/1/1",
    });
    expect(Object.keys(environment).every((name) => name.startsWith("RECORDERD_"))).toBe(true);
  });
});

describe("the hook loop", () => {
  it("runs a command with the facts in its environment and input, without a shell, and records that afterwards", async () => {
    const out = join(folder, "out");
    const script = join(folder, "hook.mjs");
    await writeFile(
      script,
      `import { appendFileSync, readFileSync } from "node:fs";
       const { point } = JSON.parse(readFileSync(0, "utf8"));
       appendFileSync(${JSON.stringify(out)}, point + " " + process.env.RECORDERD_TITLE + " " + process.argv[2]
         + " " + Object.keys(process.env).length + "\\n");`,
    );
    const hook = { on: ["started", "completed"], command: [process.execPath, script, "$HOME;"] } as const;
    const library = await untilHeard([{ ...hook, shell: false, timeoutMs: 30 * SECOND }]);
    expect(library.heard).toEqual({ a: "completed" });
    const lines = (await readFile(out, "utf8")).trim().split("\n");
    expect(lines.map((line) => line.replace(/ \d+$/, ""))).toEqual([
      "started Show a $HOME;",
      "completed Show a $HOME;",
    ]);
    // PATH, LANG and the facts: nothing of ours is handed on.
    expect(Number(lines[0]?.split(" ").at(-1))).toBeLessThan(16);
  });

  it("uses a shell if configured", async () => {
    const out = join(folder, "out");
    const command = [`printf %s "$RECORDERD_POINT" > ${out}`];
    await untilHeard([{ on: ["completed"], command, shell: true, timeoutMs: 30 * SECOND }]);
    expect(await readFile(out, "utf8")).toBe("completed");
  });

  it("continues after a command that fails, is missing, or hangs", async () => {
    const hook = (command: readonly string[], timeoutMs = 30 * SECOND): Hook => ({
      on: ["completed"],
      command,
      shell: false,
      timeoutMs,
    });
    const hooks = [hook(["false"]), hook(["/nowhere/at-all"]), hook(["sleep", "1000"], 100)];
    expect((await untilHeard(hooks)).heard).toEqual({ a: "completed" });
  });

  it("runs a hook once while the data folder is full, and records that once there is room", async () => {
    const out = join(folder, "out");
    const store = inMemory();
    let isFull = true;
    const full = {
      get current() {
        return store.current;
      },
      commit: async (next: LibraryDocument) => {
        if (isFull) throw new RecorderdError("STORE_WRITE_FAILED", "no room");
        await store.commit(next);
      },
    };
    store.current = { ...store.current, heard: { a: "started" } };
    const command = [`echo again >> ${out}`];
    const told = { on: ["completed"], command, shell: true, timeoutMs: 30 * SECOND } as const;
    // Pauses pass as fast as they can, so that what is run again and again would be.
    const hasty = { ...clock, sleep: (ms: number, end: AbortSignal) => clock.sleep(Math.min(ms, 5), end) };
    const ending = new AbortController();
    const loop = createHookLoop({
      hooks: [told],
      library: shareLibrary(full),
      plan: () => planOf(ended("a")),
      clock: {
        ...hasty,
        sleep: (ms, end) => (ms > 10 * SECOND ? clock.sleep(ms, end) : hasty.sleep(ms, end)),
      },
      log: silentLog,
    });
    const life = loop.run(ending.signal);
    const content = () => readFile(out, "utf8").catch(() => "");
    while ((await content()) === "") await clock.sleep(10, ending.signal);
    for (let look = 0; look < 20; look += 1) {
      loop.wake();
      await clock.sleep(10, ending.signal);
    }
    isFull = false;
    while (store.current.heard["a"] !== "completed") await clock.sleep(10, ending.signal);
    ending.abort();
    await life;
    expect(await content()).toBe("again\n");
  });

  it("runs a hook again if the daemon ended before it finished", async () => {
    const store = inMemory();
    const ending = new AbortController();
    const slow: Hook = {
      on: ["scheduled"],
      command: ["sleep", "1000"],
      shell: false,
      timeoutMs: 100 * SECOND,
    };
    const loop = createHookLoop({
      hooks: [slow],
      library: shareLibrary(store),
      plan: () => planOf(ended("a")),
      clock,
      log: silentLog,
    });
    const life = loop.run(ending.signal);
    ending.abort();
    await life;
    expect(store.current.heard).toEqual({});
  });
});

describe("a bounded process", () => {
  const bounded = (line: string, timeoutMs: number) =>
    runBounded(
      {
        command: "/bin/sh",
        args: ["-c", line],
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs,
        outputBytesMax: 100,
      },
      { clock, signal: new AbortController().signal },
    );

  it("is killed with its child processes at its time limit", async () => {
    const { how, output } = await bounded("sleep 1000 & echo $!; wait", 300);
    expect(how).toBe("timed-out");
    await expect(readFile(`/proc/${output}/cmdline`, "utf8").catch(() => "")).resolves.toBe("");
  });

  it("leaves no child process when it ends by itself", async () => {
    const { how, code, output } = await bounded("sleep 1000 & echo $!; exit 3", 30 * SECOND);
    expect({ how, code }).toEqual({ how: "exited", code: 3 });
    await expect(readFile(`/proc/${output}/cmdline`, "utf8").catch(() => "")).resolves.toBe("");
  });

  it("has limited output, of which the end is kept", async () => {
    const { output } = await bounded("seq 1 100000", 30 * SECOND);
    expect(output.length).toBeLessThanOrEqual(100);
    expect(output.endsWith("100000")).toBe(true);
  });
});

function inMemory(): { current: LibraryDocument; commit(next: LibraryDocument): Promise<void> } {
  return {
    current: emptyLibrary(),
    async commit(next) {
      this.current = next;
    },
  };
}

/** Runs the hooks of a recording that has ended until all of them have run. */
async function untilHeard(hooks: readonly Hook[]): Promise<LibraryDocument> {
  const store = inMemory();
  const ending = new AbortController();
  const plan = () => planOf(ended("a"));
  const loop = createHookLoop({ hooks, library: shareLibrary(store), plan, clock, log: silentLog });
  const life = loop.run(ending.signal);
  for (let tries = 0; dueHooks(plan(), store.current, clock.now()).length > 0; tries += 1) {
    if (tries > 1000) throw new Error("hooks were not heard");
    await clock.sleep(20, ending.signal);
  }
  ending.abort();
  await life;
  return store.current;
}
