import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingFields, type Recording, withoutForeignFields } from "../../../../src/model/recording.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import { emptyDocument } from "../../../../src/recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../../../src/recorder/engine/runtime/document-format.ts";
import {
  recordingOfVersion2,
  recordingOfVersion3,
} from "../../../../src/recorder/engine/runtime/document-migrations.ts";
import { openDocumentStore } from "../../../../src/recorder/store/document-store.ts";
import { Brain, EIGHT, timer } from "./world.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-migration-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fixtures = new URL("../../../fixtures/documents/", import.meta.url);
const file = () => join(folder, "document.json");

function open() {
  return openDocumentStore({ file: file(), ...DOCUMENT_FORMAT, empty: () => emptyDocument(0) });
}

describe.each(["v1-first", "v1-last", "v2"])("a document from %s of the program", (version) => {
  it.each([
    ["recording", "recording", /^Recording on tuner sim-1/],
    ["ended", "completed", /^Recorded/],
  ] as const)(
    "can be opened during and after a recording, and stays the same afterwards: %s",
    async (when, state, message) => {
      await cp(new URL(`${version}/${when}/`, fixtures), folder, { recursive: true });
      let first: readonly Recording[];
      {
        await using store = await open();
        expect(store.openedFrom).toBe("current");
        first = Object.values(store.current.recordings);
        await store.commit({ ...store.current, nextReport: 99 });
      }
      const [recording] = first;
      if (recording === undefined) throw new Error("it holds a recording");
      expect(recording).toMatchObject({ state, reported: { message: expect.stringMatching(message) } });
      expect(missingFields(recording)).toEqual([]);
      expect(withoutForeignFields(recording)).toEqual(recording);
      if (state === "completed") {
        expect(recording.evidence).toMatchObject({ file: expect.any(String), clockBreaks: 0, junkBytes: 0 });
      }
      expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ schemaVersion: 6 });
      await using again = await open();
      expect(Object.values(again.current.recordings)).toEqual(first);
      expect(again.current.nextReport).toBe(99);
    },
  );
});

describe("a recording of schema version 3", () => {
  const brain = new Brain().fetch(timer("1")).at(EIGHT - MINUTE);
  const waiting = brain.ended("1", "TUNER_IN_USE").of("1");
  const old = (code: "TUNER_BUSY", text: string) => ({
    ...waiting,
    attempts: waiting.attempts.map((attempt) => ({ ...attempt, cause: code })),
    trouble: { code, text },
  });

  it("has the code of a tuner that another program uses where an attempt met it", () => {
    const { attempts, trouble } = recordingOfVersion3(old("TUNER_BUSY", "Its server has no free tuner."));
    expect([attempts.at(-1)?.cause, trouble?.code]).toEqual(["TUNER_IN_USE", "TUNER_IN_USE"]);
  });

  it("keeps the code of a conflict", () => {
    const { trouble } = recordingOfVersion3(old("TUNER_BUSY", "Conflict, no tuner is free."));
    expect(trouble?.code).toBe("TUNER_BUSY");
  });
});

describe("a recording of schema version 2", () => {
  const planned = new Brain().fetch(timer("1")).of("1");
  const { reported: told, ...common } = planned;

  it("gets the new names of its fields", () => {
    const stored = { ...common, told, own: { priority: 9 }, unsaid: true, held: "it jumped" };
    expect(recordingOfVersion2(stored)).toEqual({
      ...planned,
      override: { priority: 9 },
      reportPending: true,
      clockHoldReason: "it jumped",
    });
  });

  it("keeps its blocker while it is closing, and no field of another state", () => {
    const hindrance = { since: 1, code: "STORAGE_OFFLINE", text: "gone" };
    const stored = { ...common, state: "closing", closing: { since: 2, hindrance }, endedAt: 3 };
    const found = recordingOfVersion2(stored);
    expect(found).toMatchObject({ closing: { since: 2, blocker: hindrance } });
    expect(found).not.toHaveProperty("endedAt");
  });

  it.each([
    [{ state: "waiting" }, { nextTryAt: 0 }],
    [{ state: "closing" }, { closing: { since: 0 } }],
  ])("gets the fields that %o requires, even if an early program's crash left them out", (stored, field) => {
    const found = recordingOfVersion2({ ...common, ...stored });
    expect(found).toMatchObject(field);
    expect(missingFields(found)).toEqual([]);
  });

  it.each([
    [{ junkPackets: 4 }, { damagedPackets: 4, junkBytes: 0, clockBreaks: 0 }],
    [
      { damagedPackets: 2, junkBytes: 7, clockBreaks: 1 },
      { damagedPackets: 2, junkBytes: 7, clockBreaks: 1 },
    ],
  ])("has every figure of its evidence: %o", (evidence, figures) => {
    const found = recordingOfVersion2({ ...common, state: "completed", endedAt: 1, evidence });
    expect(found.evidence).toEqual(figures);
  });
});
