import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesOf, IS_LONG } from "../../lane.ts";
import { bundledInto } from "../bundled.ts";

let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-watch-"));
  program = await bundledInto(folder, "test/kit/watched-loop.ts");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  /** The lines of the note; empty if there is none. */
  readonly note: readonly string[];
}

async function lived(business: string): Promise<End> {
  const noteFile = join(folder, business);
  const child = spawn(process.execPath, [program, noteFile, business], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code, signal], out, err] = await Promise.all([
    once(child, "exit"),
    text(child.stdout),
    text(child.stderr),
  ]);
  const note = (await readFile(noteFile, "utf8").catch(() => "")).split("\n").slice(0, -1);
  return { code, signal, out, err, note };
}

/** Each takes a core for itself until the watch ends it. */
const STARVING = [
  ["microtasks", "hook microtasks"],
  ["expression", "hook expression"],
  ["unnamed", ""],
] as const;

describe("a watched loop", () => {
  it.concurrent.each(STARVING.slice(0, casesOf({ sample: 1, all: STARVING.length })))(
    "is killed without a core dump if it blocks, and the work begun since is named: %s",
    async (business, work) => {
      const { code, signal, err, note } = await lived(business);
      expect([code, signal]).toEqual([null, "SIGALRM"]);
      expect(note).toEqual([expect.stringMatching(/^\d{10}$/), work]);
      expect(err.startsWith("<3>{")).toBe(true);
      expect(JSON.parse(err.slice(3))).toMatchObject({ level: 50, work, time: Number(note[0]) * 1000 });
    },
  );

  it.runIf(IS_LONG).concurrent("is not killed while it runs, however much it computes", async () => {
    expect(await lived("busy")).toEqual({ code: 0, signal: null, out: "", err: "", note: [] });
  });

  it.concurrent("is not killed while the system delays it", async () => {
    expect(await lived("blocked")).toEqual({ code: 0, signal: null, out: "", err: "", note: [] });
  });

  it.concurrent("ends while its watcher starts", async () => {
    expect(await lived("brief")).toEqual({ code: 0, signal: null, out: "over\n", err: "", note: [] });
  });

  it.concurrent("reports the loss of its watcher, and continues", async () => {
    const { code, out } = await lived("alone");
    expect([code, out]).toEqual([0, "the watcher of the event loop is not running; retrying\n"]);
  });
});
