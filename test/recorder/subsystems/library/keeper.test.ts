import { mkdir, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { LedgerFact } from "../../../../src/model/ledger.ts";
import type { LibraryDocument, LibraryEntry } from "../../../../src/model/library.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { emptyLibrary } from "../../../../src/recorder/subsystems/library/core/document.ts";
import type { RetentionPolicy } from "../../../../src/recorder/subsystems/library/core/retention.ts";
import type { DiskRoom } from "../../../../src/recorder/subsystems/library/disk.ts";
import { createFileWatch } from "../../../../src/recorder/subsystems/library/file-watch.ts";
import { indexPlaces } from "../../../../src/recorder/subsystems/library/index-place.ts";
import { createKeeper, type Keeper } from "../../../../src/recorder/subsystems/library/keeper.ts";
import { shareLibrary } from "../../../../src/recorder/subsystems/library/shared-library.ts";
import { ended, entry } from "./entries.ts";

const clock = systemClock();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-keeper-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An entry with its file on the disk. */
async function held(id: string, options: Partial<LibraryEntry> & { daysAgo?: number } = {}) {
  const file = options.file ?? join(folder, `${id}.ts`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, Buffer.alloc(1000, id));
  return entry(id, { endedAt: clock.now(), file, ...options });
}

async function files(): Promise<readonly string[]> {
  return (await readdir(folder, { recursive: true })).sort();
}

interface House {
  readonly keeper: Keeper;
  readonly store: { current: LibraryDocument; commit(next: LibraryDocument): Promise<void> };
  readonly facts: LedgerFact[];
  room: DiskRoom | undefined;
  isFinishedThere: boolean;
  mayBeElsewhere: boolean;
  isPlayed: boolean;
  isClockTrusted: boolean;
  isReadOnly: boolean;
  restarts: number;
  /** Lets it look until that holds, and end. */
  until(holds: (library: LibraryDocument) => boolean): Promise<void>;
}

function house(
  entries: readonly LibraryEntry[],
  retention: RetentionPolicy = {},
  recordings: Record<string, Recording> = {},
): House {
  const store = {
    current: {
      ...emptyLibrary(),
      entries: Object.fromEntries(entries.map((each) => [each.recordingId, each])),
      knownFolders: [folder],
    } as LibraryDocument,
    async commit(next: LibraryDocument) {
      store.current = next;
    },
  };
  const facts: LedgerFact[] = [];
  const library = shareLibrary(store);
  const isFinishedThere = async () => all.isFinishedThere;
  const ledger = { append: async (more: readonly LedgerFact[]) => void facts.push(...more) };
  const look = async () => all.room;
  const keeper = createKeeper({
    library,
    plan: () => ({ timers: {}, recordings }),
    folder,
    finishedFolder: folder,
    isFinishedThere,
    mayBeElsewhere: () => all.mayBeElsewhere,
    knownAs: (place) => place,
    look,
    files: createFileWatch({ library, look, isFinishedThere, ledger, clock, log: silentLog }),
    settleIn: async (place) => {
      if (all.isReadOnly) throw new RecorderdError("WRITE_FAILED", "It is read-only.");
      await mkdir(join(place, ".recorderd"), { recursive: true });
    },
    indexOf: indexPlaces(join(folder, "data")),
    marks: { lowBytes: 100, stopBytes: 10 },
    retention,
    jobs: [],
    ledger,
    isPlayed: () => all.isPlayed,
    isClockTrusted: () => all.isClockTrusted,
    onNews: () => {},
    clock,
    log: silentLog,
  });
  const all: House = {
    keeper,
    store,
    facts,
    room: { freeBytes: 1e6, totalBytes: 2e6 },
    isFinishedThere: true,
    mayBeElsewhere: false,
    isPlayed: false,
    isClockTrusted: true,
    isReadOnly: false,
    restarts: 0,
    until: async (holds) => {
      const ending = new AbortController();
      const life = keeper.run(ending.signal, async () => {
        all.restarts += 1;
      });
      const deadline = clock.now() + 30 * SECOND;
      while (!holds(store.current)) {
        if (clock.now() > deadline) throw new Error(JSON.stringify(store.current));
        await clock.sleep(10, ending.signal);
      }
      ending.abort();
      await life;
    },
  };
  return all;
}

const isGone = (id: string) => (library: LibraryDocument) => library.entries[id]?.deleted?.done === true;

describe("the keeper", () => {
  it("R-29 removes recordings by retention with their sidecars, and the ledger has file, reason and actor", async () => {
    const old = await held("old", { file: join(folder, "News", "old.ts"), endedAt: 0 });
    for (const name of ["old.nfo", "old.json", "old.jpg", "old.index"]) {
      await writeFile(join(folder, "News", name), "x");
    }
    await held("new");
    const { until, facts } = house([old, await held("new")], { days: 30 });
    await until(isGone("old"));
    expect(await files()).toEqual(["new.ts"]);
    expect(facts).toMatchObject([
      {
        fact: "deleted",
        recordingId: "old",
        facts: { file: old.file, actor: "retention", reason: "older than 30 days", bytes: 1000 },
      },
    ]);
  });

  it("R-29 leaves a file alone that is not the recorded one", async () => {
    const other = await held("other", { endedAt: 0 });
    await truncate(other.file, 5);
    const { until, facts, keeper } = house([other, await held("old", { endedAt: 0 })], { days: 30 });
    await until(isGone("old"));
    expect((await stat(other.file)).size).toBe(5);
    expect(facts.map(({ fact, recordingId }) => [fact, recordingId])).toEqual([
      ["file-damaged", "other"],
      ["deleted", "old"],
    ]);
    await expect(keeper.remove("other")).rejects.toMatchObject({ code: "FILE_NOT_OURS" });
  });

  it("R-29 never removes the file of another recorder, and takes its entry out when a person asks", async () => {
    const imported = { from: "tvheadend", id: "1" } as const;
    const theirs = await held("theirs", { endedAt: 0, watched: true, imported });
    for (const name of ["theirs.nfo", "theirs.json", "theirs.index"])
      await writeFile(join(folder, name), "x");
    const index = indexPlaces(join(folder, "data"))(theirs);
    await mkdir(dirname(index), { recursive: true });
    await writeFile(index, "of ours");
    const old = await held("old", { endedAt: 0 });
    const { until, keeper, store, facts } = house([theirs, old], {
      days: 30,
      watchedDays: 1,
      freeBytes: 1e9,
    });
    await until(isGone("old"));
    expect(store.current.entries.theirs).toEqual(theirs);
    await keeper.mark("theirs", { protected: true });
    await expect(keeper.remove("theirs")).rejects.toMatchObject({ code: "RECORDING_PROTECTED" });
    await keeper.mark("theirs", { protected: false });
    await keeper.remove("theirs");
    expect(store.current.entries.theirs).toBeUndefined();
    expect(await files()).toEqual(
      ["data", "data/indexes", "theirs.index", "theirs.json", "theirs.nfo", "theirs.ts"].sort(),
    );
    expect(facts.map(({ recordingId }) => recordingId)).toEqual(["old"]);
  });

  it("R-36 removes nothing for its age by an untrusted clock, but continues otherwise", async () => {
    const series = { series: "7", endedAt: 0 };
    const old = await held("old", { endedAt: 0 });
    const first = await held("first", { ...series, event: { start: 0, stop: 1 } });
    const second = await held("second", { ...series, event: { start: 1, stop: 2 } });
    const home = house([old, first, second], { days: 30, keepPerSeries: 1 });
    home.isClockTrusted = false;
    await home.until(isGone("first"));
    expect(await files()).toEqual(["old.ts", "second.ts"]);
  });

  it("keeps checking while its folder is read-only, and writes its mark there later", async () => {
    const home = house([]);
    home.store.current = { ...home.store.current, knownFolders: [] };
    home.isReadOnly = true;
    await home.until(() => home.keeper.space() !== undefined);
    home.isReadOnly = false;
    await home.until(({ knownFolders }) => knownFolders.includes(folder));
    expect(await files()).toEqual([".recorderd"]);
  });

  it("R-29 completes only ordered removals after a crash", async () => {
    const deleted = { at: 0, actor: "person", reason: "requested by a person", done: false } as const;
    const { until } = house([await held("a", { deleted }), await held("b")]);
    await until(isGone("a"));
    expect(await files()).toEqual(["b.ts"]);
  });

  it("R-29 leaves a file alone that replaced another after its removal was ordered", async () => {
    const deleted = { at: 0, actor: "person", reason: "requested by a person", done: false } as const;
    const replaced = await held("a", { deleted });
    await writeFile(replaced.file, "of somebody else");
    await writeFile(join(folder, "a.nfo"), "too");
    const { until, facts } = house([replaced]);
    await until(isGone("a"));
    expect(await files()).toEqual(["a.nfo", "a.ts"]);
    expect(facts.map(({ fact }) => fact)).toEqual(["file-gone"]);
  });

  it.each(["nobody", "constructor", "__proto__"])("ignores a recording %s", async (id) => {
    const { keeper, store } = house([await held("a")]);
    await expect(keeper.mark(id, { protected: true })).rejects.toMatchObject({ code: "RECORDING_UNKNOWN" });
    await expect(keeper.remove(id)).rejects.toMatchObject({ code: "RECORDING_UNKNOWN" });
    expect(Object.keys(store.current.entries)).toEqual(["a"]);
  });

  it("deletes at a person's request, but never protected recordings", async () => {
    const { until, keeper, store } = house([await held("a"), await held("b")]);
    await until(() => keeper.space() !== undefined);
    await keeper.mark("b", { protected: true });
    await expect(keeper.remove("b")).rejects.toMatchObject({ code: "RECORDING_PROTECTED" });
    await expect(keeper.remove("c")).rejects.toMatchObject({ code: "RECORDING_UNKNOWN" });
    await keeper.remove("a");
    await until(isGone("a"));
    expect(await files()).toEqual(["b.ts"]);
    expect(store.current.entries["b"]?.protected).toBe(true);
  });

  it("R-32 neither forgets nor removes anything while the disk is missing, and continues once it is back", async () => {
    const old = await held("old", { endedAt: 0 });
    const one = house([old], { days: 30, freeBytes: 1e9 });
    one.room = undefined;
    await one.until(() => one.keeper.space()?.kind === "offline");
    expect(one.keeper.facts()?.level).toBe("offline");
    expect(one.store.current.entries["old"]).toEqual(old);
    await expect(one.keeper.remove("old")).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    one.room = { freeBytes: 1e10, totalBytes: 1e10 };
    await one.until(isGone("old"));
  });

  it("R-32 does not count a file as gone while the library's own disk is missing", async () => {
    const deleted = { at: 0, actor: "person", reason: "requested by a person", done: false } as const;
    const one = house([await held("a"), await held("b", { deleted }), await held("c", { deleted })]);
    for (const id of ["a", "b"]) await rm(join(folder, `${id}.ts`));
    one.isFinishedThere = false;
    await one.until(isGone("c"));
    expect(one.store.current.entries["b"]?.deleted?.done).toBe(false);
    await expect(one.keeper.remove("a")).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
    one.isFinishedThere = true;
    await one.keeper.remove("a");
    await one.until((library) => isGone("a")(library) && isGone("b")(library));
  });

  it("takes a deletion of a recording on another node, and carries it out when that is here", async () => {
    const one = house([await held("a")]);
    const file = join(folder, "a.ts");
    await rename(file, `${file}.away`);
    one.isFinishedThere = false;
    one.mayBeElsewhere = true;
    await one.until(() => one.keeper.space()?.kind === "online");
    await one.keeper.remove("a");
    await one.until(({ entries }) => entries["a"]?.deleted !== undefined);
    expect(one.store.current.entries["a"]?.deleted?.done).toBe(false);
    await rename(`${file}.away`, file);
    await one.until(isGone("a"));
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("R-29 R-32 marks a file removed by a person, keeps it in the list, and recognises it when it returns", async () => {
    const one = house([await held("a"), await held("b")]);
    const aside = join(folder, "..", `${basename(folder)}-aside.ts`);
    await rename(join(folder, "a.ts"), aside);
    await one.until(({ entries }) => entries["a"]?.goneSince !== undefined);
    expect(one.store.current.entries["b"]?.goneSince).toBeUndefined();
    expect(one.facts).toMatchObject([{ fact: "file-gone", recordingId: "a", timerId: "ta" }]);
    const again = house(Object.values(one.store.current.entries));
    await rename(aside, join(folder, "a.ts"));
    await again.until(({ entries }) => entries["a"]?.goneSince === undefined);
    expect(again.facts).toMatchObject([{ fact: "file-back", recordingId: "a" }]);
    // A user who removed the file may also remove the entry.
    await rm(join(folder, "a.ts"));
    await again.keeper.remove("a");
    await again.until(isGone("a"));
  });

  it("R-32 marks nothing while the library's disk is missing", async () => {
    const one = house([await held("a"), await held("b", { endedAt: 0 })], { days: 30 });
    await rm(join(folder, "a.ts"));
    one.isFinishedThere = false;
    await one.until(isGone("b"));
    expect(one.store.current.entries["a"]?.goneSince).toBeUndefined();
  });

  it("R-29 does not count a file removed by hand among the newest of its series", async () => {
    const of = (id: string, start: number) => held(id, { series: "7", event: { start, stop: start + 1 } });
    const one = house([await of("a", 1), await of("b", 2), await of("c", 3), await of("d", 4)], {
      keepPerSeries: 2,
    });
    await rm(join(folder, "d.ts"));
    await one.until(isGone("a"));
    expect(await files()).toEqual(["b.ts", "c.ts"]);
  });

  it("survives a full data folder, and catches up later", async () => {
    const one = house([await held("a", { endedAt: 0 })], { days: 30 });
    const { commit } = one.store;
    let refused = 0;
    one.store.commit = async () => {
      refused += 1;
      throw new RecorderdError("STORE_WRITE_FAILED", "no room");
    };
    await one.until(() => refused > 0);
    expect(await files()).toEqual(["a.ts"]);
    one.store.commit = commit;
    await one.until(() => true);
    await house([...Object.values(one.store.current.entries)], { days: 30 }).until(isGone("a"));
  });

  it("adds ended recordings with the size of their evidence, not of the current file, and learns the service's data rate", async () => {
    const file = join(folder, "a.ts");
    await writeFile(file, Buffer.alloc(1234));
    const { evidence } = ended("a");
    if (evidence === undefined) throw new Error("it has ended");
    const { until, store } = house([], {}, { a: ended("a", { evidence: { ...evidence, file } }) });
    await until(({ entries }) => entries["a"] !== undefined);
    expect(store.current.entries["a"]).toMatchObject({ file, bytes: evidence.bytes });
    expect(store.current.rates["1/1/1"]).toMatchObject({ bytesPerSecond: 1_000_000, samples: 1 });
  });

  describe("of an incomplete recording and its complete repeat", () => {
    const healing: NonNullable<Recording["healing"]> = {
      repeat: {
        showId: "s9",
        channelId: "1",
        channelName: "ABC",
        service: { onid: 1, tsid: 1, sid: 1 },
        event: { start: 0, stop: 1 },
      },
      by: "recorder",
      step: "healed",
      since: 0,
      text: "Damaged: its repeat is booked.",
      tried: ["s9"],
      failures: 0,
      recordingId: "new",
    };

    /** Both are on the disk; what the plan says of the old one. */
    async function pair(old: Partial<LibraryEntry> = {}, step: typeof healing.step = "healed") {
      const scarred = await held("old", { watched: true, series: "7", ...old });
      const fresh = await held("new", { name: "SHOW OLD" });
      return house([scarred, fresh], {}, { old: ended("old", { healing: { ...healing, step } }) });
    }

    it("R-29 keeps the complete one in place of the other, whose file is removed afterwards", async () => {
      const { until, store, facts } = await pair();
      await until(isGone("old"));
      expect(await files()).toEqual(["new.ts"]);
      expect(store.current.entries["new"]).toMatchObject({
        heals: "old",
        name: "Show old",
        series: "7",
        watched: true,
      });
      expect(facts).toMatchObject([
        { fact: "deleted", recordingId: "old", facts: { actor: "repeat", reason: "recorded whole as new" } },
      ]);
    });

    it("R-29 keeps both if the old one is protected, in use or changed, or if nothing was healed", async () => {
      const both = ["new.ts", "old.ts"];
      const one = await pair({ protected: true });
      await one.until(() => one.restarts > 0);
      expect(await files()).toEqual(both);
      const played = await pair();
      played.isPlayed = true;
      await played.until(() => played.restarts > 0);
      expect(await files()).toEqual(both);
      const other = await pair({ bytes: 999 });
      await other.until(() => other.restarts > 0);
      expect(await files()).toEqual(both);
      const lost = await pair({}, "given-up");
      await lost.until(() => lost.restarts > 0);
      expect(await files()).toEqual(both);
    });

    it("R-29 keeps the old one while the new one is not on the disk as written", async () => {
      const short = await pair();
      await truncate(join(folder, "new.ts"), 10);
      await short.until(() => short.restarts > 0);
      expect(await files()).toEqual(["new.ts", "old.ts"]);
      await rm(join(folder, "new.ts"));
      const missing = await pair();
      await rm(join(folder, "new.ts"));
      await missing.until(() => missing.restarts > 0);
      expect(await files()).toEqual(["old.ts"]);
    });

    it("R-29 finishes a replacement after a restart between commit and removal", async () => {
      const first = await pair();
      const { commit } = first.store;
      let isCut = false;
      first.store.commit = async (next) => {
        if (next.entries["old"]?.deleted?.done === true) isCut = true;
        if (!isCut) await commit(next);
      };
      await first.until(() => isCut);
      expect(first.store.current.entries["old"]?.deleted?.done).toBe(false);
      const second = house(
        Object.values(first.store.current.entries),
        {},
        { old: ended("old", { healing }) },
      );
      await second.until(isGone("old"));
      expect(await files()).toEqual(["new.ts"]);
      expect(second.store.current.entries["new"]?.heals).toBe("old");
    });
  });

  it("requests a replan when the disk allows another plan", async () => {
    const one = house([]);
    await one.until(() => one.restarts === 1);
    one.room = { freeBytes: 5, totalBytes: 2e6 };
    await one.until(() => one.keeper.facts()?.level === "full" && one.restarts > 1);
  });
});
