import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyQuietly } from "../../src/backup/quiet-copy.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { MINUTE } from "../../src/model/time.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-quiet-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const parts = () => ({ clock: systemClock(), signal: new AbortController().signal });

async function write(turn: number, names: readonly string[] = ["a", "b"]): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), `turn ${turn}`);
}

describe("a copy of files that another process writes", () => {
  /** Which of the looks at the folder comes next; the copy is made between the third and the fourth of each try. */
  it.each([1, 2, 3, 4])("is of one instant, whatever is written at look %i", async (when) => {
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

  it("has no file that was there in a try that failed only", async () => {
    await write(1, ["a", "b"]);
    let looks = 0;
    const files = async () => {
      looks += 1;
      if (looks === 4) await rm(join(folder, "b"));
      return looks < 4 ? ["a", "b"] : ["a"];
    };
    const to = join(folder, "copy");
    expect(await copyQuietly({ from: folder, to, files, patienceMs: MINUTE }, parts())).toEqual(["a"]);
    await expect(readFile(join(to, "b"))).rejects.toThrow("ENOENT");
  });

  it("is not made of files that are written without a pause", async () => {
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
