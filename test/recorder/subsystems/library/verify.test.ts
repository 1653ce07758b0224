import { createHash } from "node:crypto";
import { mkdtemp, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { parseSchedule } from "../../../../src/kit/time/cron.ts";
import type { LedgerFact } from "../../../../src/model/ledger.ts";
import { fileTrouble, type LibraryDocument, type LibraryEntry } from "../../../../src/model/library.ts";
import { DAY, HOUR } from "../../../../src/model/time.ts";
import { emptyLibrary } from "../../../../src/recorder/subsystems/library/core/document.ts";
import {
  jobBegan,
  jobForgotten,
  recoveredJobs,
} from "../../../../src/recorder/subsystems/library/core/jobs.ts";
import {
  changeFacts,
  withDueVerification,
  withVerdict,
} from "../../../../src/recorder/subsystems/library/core/verifying.ts";
import { createFileWatch } from "../../../../src/recorder/subsystems/library/file-watch.ts";
import { shareLibrary } from "../../../../src/recorder/subsystems/library/shared-library.ts";
import { verifyFile } from "../../../../src/recorder/subsystems/library/verify.ts";
import { entry, NOW } from "./entries.ts";

const clock = systemClock();
const { signal } = new AbortController();
const CONTENT = Buffer.alloc(100_000, "recorded");
const sha256 = createHash("sha256").update(CONTENT).digest("hex");

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-verify-"));
  file = join(folder, "Show.ts");
  await writeFile(file, CONTENT);
  await utimes(file, 1_000_000, 1_000_000);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function written(more: Partial<LibraryEntry> = {}): LibraryEntry {
  return entry("a", { file, bytes: CONTENT.length, sha256, modifiedAt: 1_000_000_000, ...more });
}

/** Changes one byte; nothing else shows the change. */
async function rot(): Promise<void> {
  const { atime, mtime } = await stat(file);
  const bytes = Buffer.from(CONTENT);
  bytes[54_321] = 0;
  await writeFile(file, bytes, { flag: "r+" });
  await utimes(file, atime, mtime);
}

async function putAnother(content: Buffer): Promise<void> {
  await writeFile(`${file}.theirs`, content);
  await rename(`${file}.theirs`, file);
}

/** The library with one recording, and those that look after its file. */
function house(held: LibraryEntry) {
  const facts: LedgerFact[] = [];
  const store = {
    current: { ...emptyLibrary(), entries: { a: held } } as LibraryDocument,
    async commit(next: LibraryDocument) {
      store.current = next;
    },
  };
  const library = shareLibrary(store);
  let isThere = true;
  const watch = createFileWatch({
    library,
    look: async () => (isThere ? { freeBytes: 1e9, totalBytes: 2e9 } : undefined),
    isFinishedThere: async () => isThere,
    ledger: { append: async (more) => void facts.push(...more) },
    clock,
    log: silentLog,
  });
  const now = () => store.current.entries["a"] ?? held;
  return {
    facts,
    entry: now,
    unmount: () => {
      isThere = false;
    },
    async look() {
      await watch.look(signal);
      return fileTrouble(now(), (bytes) => `${bytes} B`);
    },
    /** Verifies the files as the job does. */
    async verify() {
      const found = await verifyFile(now(), { clock }, signal);
      const before = now();
      store.current = withVerdict(store.current, before, { found, now: NOW });
      facts.push(...changeFacts(before, now(), NOW));
      return found.verdict;
    },
  };
}

const TOUCHED = { look: "changed", verdict: "intact", facts: ["file-damaged", "file-sound"] };

describe("a finished file", () => {
  it.each([
    {
      what: "cut",
      deed: () => truncate(file, 40_000),
      look: "truncated: 40000 B of 100000 B",
      verdict: "truncated",
      facts: ["file-damaged"],
    },
    {
      what: "replaced by a longer one",
      deed: () => putAnother(Buffer.alloc(100_001)),
      look: "changed",
      verdict: "changed",
      facts: ["file-damaged"],
    },
    {
      what: "replaced by one of the same length",
      deed: () => putAnother(Buffer.alloc(100_000)),
      look: "changed",
      verdict: "changed",
      facts: ["file-damaged"],
    },
    { what: "removed", deed: () => rm(file), look: "missing", verdict: "missing", facts: ["file-gone"] },
    {
      what: "renamed",
      deed: () => rename(file, `${file}.mine`),
      look: "missing",
      verdict: "missing",
      facts: ["file-gone"],
    },
    { what: "rotten", deed: rot, look: undefined, verdict: "changed", facts: ["file-damaged"] },
    { what: "touched", deed: () => utimes(file, 2_000_000, 2_000_000), ...TOUCHED },
    { what: "copied back", deed: () => putAnother(CONTENT), ...TOUCHED },
    { what: "unchanged", deed: async () => {}, look: undefined, verdict: "intact", facts: [] },
  ])(
    "$what: a check gives $look, a reading $verdict, the ledger one entry; nothing is repaired",
    async ({ deed, look, verdict, facts }) => {
      const home = house(written());
      await deed();
      const left = await readFile(file).catch(() => undefined);
      expect(await home.look()).toBe(look);
      expect(await home.verify()).toBe(verdict);
      await home.look();
      expect(await home.verify()).toBe(verdict);
      expect(home.facts.map(({ fact }) => fact)).toEqual(facts);
      expect(home.entry().checked).toEqual({ at: NOW, verdict });
      expect(await readFile(file).catch(() => undefined)).toEqual(left);
    },
  );

  it("stays damaged for every check after a reading found damage, until a reading finds it intact", async () => {
    const home = house(written());
    await rot();
    await home.verify();
    expect(await home.look()).toBe("changed");
    await writeFile(file, CONTENT, { flag: "r+" });
    await utimes(file, 1_000_000, 1_000_000);
    expect(await home.look()).toBe("changed");
    expect(await home.verify()).toBe("intact");
    expect(await home.look()).toBeUndefined();
    expect(home.facts.map(({ fact }) => fact)).toEqual(["file-damaged", "file-sound"]);
  });

  it("R-32 is neither gone nor damaged while its disk is missing", async () => {
    const home = house(written());
    await truncate(file, 5);
    home.unmount();
    expect(await home.look()).toBeUndefined();
    expect(home.facts).toEqual([]);
  });

  it("may have another time by its file system, because FAT counts two seconds", async () => {
    const home = house(written({ modifiedAt: 1_000_001_900 }));
    expect(await home.look()).toBeUndefined();
  });

  it("of an earlier recorder is compared with its sidecar, or its SHA-256 is stored for the next time", async () => {
    const { sha256: _sha, modifiedAt: _at, ...early } = written();
    const home = house(early);
    const sidecar = join(folder, "Show.json");
    await writeFile(sidecar, JSON.stringify({ file: { bytes: CONTENT.length, sha256: "0".repeat(64) } }));
    expect(await home.verify()).toBe("changed");
    await writeFile(sidecar, JSON.stringify({ file: { bytes: CONTENT.length, sha256 } }));
    expect(await home.verify()).toBe("intact");

    const alone = house(early);
    await writeFile(sidecar, "somebody else's");
    expect(await alone.verify()).toBe("unproven");
    expect(alone.entry().sha256).toBe(sha256);
    await rot();
    expect(await alone.verify()).toBe("changed");
  });

  it("can be interrupted in the middle", async () => {
    const asked = new AbortController();
    const reading = verifyFile(written(), { clock }, asked.signal);
    asked.abort(new Error("asked"));
    await expect(reading).rejects.toThrow("asked");
  });
});

describe("a round of verification", () => {
  // NOW is a Friday.
  const { next } = parseSchedule("30 2 * * 1");
  const monday = next(NOW);
  const ids = ["a", "b", "c"];
  const start: LibraryDocument = {
    ...emptyLibrary(),
    entries: Object.fromEntries(ids.map((id) => [id, entry(id)])),
  };
  const at = (library: LibraryDocument, now: number) => withDueVerification(library, { next, now });
  const waiting = ({ jobs }: LibraryDocument) => jobs.map(({ recordingId }) => recordingId);

  /** The job that waits is done. */
  function done(library: LibraryDocument, now: number): LibraryDocument {
    const [job] = library.jobs;
    const held = library.entries[job?.recordingId ?? ""];
    if (job === undefined || held === undefined) throw new Error("nothing waits");
    const found = { verdict: "intact", bytes: 1000 } as const;
    return withVerdict(jobForgotten(library, job.id), held, { found, now });
  }

  it("begins at its time, reads each file once, one after the other, and ends", () => {
    let library = at(start, NOW);
    expect(library).toMatchObject({ jobs: [], verifying: { nextAt: monday } });
    expect(at(library, monday - 1)).toBe(library);
    const read: string[] = [];
    for (let now = monday; read.length < 10; now += HOUR) {
      library = at(library, now);
      if (library.jobs.length === 0) break;
      expect(library.jobs).toHaveLength(1);
      expect(at(library, now)).toBe(library);
      read.push(...waiting(library));
      library = done(library, now + 1);
    }
    expect(read).toEqual(ids);
    expect(library.verifying).toEqual({ nextAt: next(monday) });
  });

  it("continues after a restart", () => {
    const before = at(done(at(at(start, NOW), monday), monday + 1), monday + 2);
    expect(waiting(before)).toEqual(["b"]);
    const after = recoveredJobs(jobBegan(before, before.jobs[0]?.id ?? 0));
    expect(at(after, monday + DAY)).toBe(after);
    expect(waiting(after)).toEqual(["b"]);
  });

  it("happens once for all rounds missed while the recorder was off", () => {
    const late = monday + 30 * DAY;
    const library = at(at(start, NOW), late);
    expect(library).toMatchObject({ verifying: { since: late, nextAt: next(late) } });
    expect(waiting(library)).toEqual(["a"]);
  });

  it("does not wait for a time computed by a clock that was ahead", () => {
    const ahead = at(start, NOW + 400 * DAY);
    expect(at(ahead, NOW).verifying).toEqual({ nextAt: monday });
  });

  it("skips deleted and missing files", () => {
    const deleted = { at: NOW, actor: "person", reason: "asked", done: true } as const;
    const entries = {
      ...start.entries,
      a: entry("a", { deleted }),
      b: entry("b", { goneSince: NOW }),
    };
    expect(waiting(at(at({ ...start, entries }, NOW), monday))).toEqual(["c"]);
  });
});
