import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyQuietly } from "../../src/backup/quiet-copy.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-quiet-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const parts = () => ({ clock: systemClock(), signal: new AbortController().signal });

async function write(turn: number, names: readonly string[] = ["a", "b"]): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), `turn ${turn}`);
}

describe("a copy of files while another process writes them", () => {
  /** Which of the looks at the folder comes next; the copy is made between the second and the third of each try. */
  it.each([1, 2, 3])("is consistent even if the files change at listing %i", async (when) => {
    await write(1);
    let looks = 0;
    const files = async () => {
      looks += 1;
      if (looks === when) await write(2);
      return ["a", "b"];
    };
    const to = join(folder, "copy");
    await copyQuietly({ from: folder, to, files, patienceMs: MINUTE }, parts());
    expect(await readFile(join(to, "a"), "utf8")).toBe("turn 2");
    expect(await readFile(join(to, "b"), "utf8")).toBe("turn 2");
  });

  it("contains no file from a failed try", async () => {
    await write(1, ["a", "b"]);
    let looks = 0;
    const files = async () => {
      looks += 1;
      if (looks === 3) await rm(join(folder, "b"));
      return looks < 3 ? ["a", "b"] : ["a"];
    };
    const to = join(folder, "copy");
    expect(await copyQuietly({ from: folder, to, files, patienceMs: MINUTE }, parts())).toEqual(["a"]);
    await expect(readFile(join(to, "b"))).rejects.toThrow("ENOENT");
  });

  it("succeeds even if copying takes longer than any pause: unchanged files are not copied again", async () => {
    await write(1);
    const to = join(folder, "copy");
    let first: bigint | undefined;
    const changedAt = async () => (await stat(join(to, "a"), { bigint: true })).ctimeNs;
    const files = async () => {
      if (first === undefined && existsSync(join(to, "a"))) {
        first = await changedAt();
        await write(2, ["b"]);
      }
      return ["a", "b"];
    };
    // To copy the first of them takes an hour.
    const clock = { ...systemClock(), now: () => (existsSync(join(to, "a")) ? HOUR : 0) };
    await copyQuietly({ from: folder, to, files, patienceMs: MINUTE }, { ...parts(), clock });
    expect([await readFile(join(to, "a"), "utf8"), await readFile(join(to, "b"), "utf8")]).toEqual([
      "turn 1",
      "turn 2",
    ]);
    expect(await changedAt()).toBe(first);
  });

  it("fails if the files are written without a pause", async () => {
    let turn = 0;
    const files = async () => {
      turn += 1;
      await write(turn);
      return ["a", "b"];
    };
    const order = { from: folder, to: join(folder, "copy"), files, patienceMs: 300 };
    await expect(copyQuietly(order, parts())).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
