import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { FileEvidence } from "../../../src/model/evidence.ts";
import type { Integrity } from "../../../src/model/integrity.ts";
import type { Recording } from "../../../src/model/recording.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { type SidecarFacts, sidecarJson, writtenIntegrity } from "../../../src/recorder/capture/sidecar.ts";

const EIGHT = Date.UTC(2026, 10, 20, 20, 0);
const EVENT = { start: EIGHT, stop: EIGHT + 30 * MINUTE };
const WINDOW = { start: EIGHT - MINUTE, stop: EIGHT + 33 * MINUTE };

const EVIDENCE: FileEvidence = {
  file: "/srv/News & co.ts",
  bytes: 1_000_000,
  segments: 1,
  eventMs: 30 * MINUTE,
  eventCoveredMs: 29 * MINUTE,
  windowMs: 34 * MINUTE,
  windowCoveredMs: 33 * MINUTE,
  firstAt: EIGHT - MINUTE + 40,
  lastAt: EIGHT + 33 * MINUTE - 20,
  continuityErrors: 3,
  transportErrors: 1,
  scrambledPackets: 0,
  clockBreaks: 1,
  damagedPackets: 2,
  junkBytes: 189,
  sha256: "ab".repeat(32),
  verdict: "good",
  plainName: true,
  gaps: [{ start: EIGHT + MINUTE, stop: EIGHT + 2 * MINUTE }],
};

const RECORDING: Recording = {
  id: "r000001",
  timerId: "17",
  name: "News & co",
  showId: "88",
  channelId: "2",
  channelName: "ABC TV",
  service: { onid: 4112, tsid: 545, sid: 544 },
  event: EVENT,
  padding: { beforeMs: MINUTE, afterMs: 3 * MINUTE },
  window: WINDOW,
  priority: 50,
  state: "completed",
  evidence: EVIDENCE,
  endedAt: WINDOW.stop,
  withdrawn: false,
  attempts: [
    {
      number: 1,
      tunerId: "a",
      startedAt: EIGHT - MINUTE,
      flowingAt: EIGHT - MINUTE + 40,
      endedAt: WINDOW.stop,
      cause: "asked",
    },
  ],
};

const INTEGRITY: Integrity = {
  tracks: [],
  clock: "pcr",
  packets: 5000,
  nullPackets: 0,
  damagedPackets: 0,
  junkBytes: 0,
  payloadPackets: 4000,
  pids: [
    {
      ...{
        pid: 512,
        packets: 4000,
        continuityErrors: 3,
        transportErrors: 1,
        scrambledPackets: 0,
        clockBreaks: 0,
        damagedPackets: 0,
        junkBytes: 0,
        duplicates: 0,
      },
      ...{ scrambledShare: 0, kind: "video", codec: "H.264", language: "eng" },
    },
  ],
  gaps: [
    { start: EIGHT - MINUTE, stop: EIGHT - MINUTE / 2, streamMs: 0 },
    { start: EIGHT - 1000, stop: EIGHT + 1000, streamMs: 29_000 },
    { start: EIGHT + MINUTE, stop: EIGHT + 2 * MINUTE, streamMs: 60_000 },
  ],
  clockBreaks: [60_000],
  services: [
    {
      ...{ sid: 544, name: "ABC", provider: "ABC", serviceType: 1, pmtPid: 256, pcrPid: 512 },
      triplet: { onid: 4112, tsid: 545, sid: 544 },
      streams: [{ pid: 512, streamType: 27, kind: "video", codec: "H.264", language: "eng" }],
    },
  ],
  segments: [{ attempt: 1, bytes: 1_000_000, start: WINDOW.start + 40, stop: WINDOW.stop - 20, streamMs: 0 }],
  bitRate: { from: WINDOW.start, spanMs: 1000, bitsPerSecond: [8_000_000] },
};

const PROGRAMME = {
  ...{ subtitle: "The first", description: "Told.", season: 2, episode: 5, seriesId: "s", episodeId: "e" },
  ...{ categories: ["News", "Weather"], rating: "PG", date: "2026" },
};

const FACTS: SidecarFacts = {
  recording: RECORDING,
  evidence: EVIDENCE,
  integrity: { found: INTEGRITY },
  writtenBy: "recorderd 0.0.0",
};

describe("the .json of a recording", () => {
  const written = JSON.parse(sidecarJson(FACTS));

  it("describes it, with instants that name their zone", () => {
    expect(written).toMatchObject({
      schema: "recorderd-recording",
      schemaVersion: 1,
      title: "News & co",
      event: { start: "2026-11-20T20:00:00.000Z", stop: "2026-11-20T20:30:00.000Z" },
      file: { name: "News & co.ts", bytes: 1_000_000, sha256: EVIDENCE.sha256, plainName: true },
      verdict: "good",
      errors: {
        total: 9,
        continuity: 3,
        transport: 1,
        clockBreaks: 1,
        junkPackets: 4,
        damagedPackets: 2,
        junkBytes: 189,
      },
    });
  });

  it("compares the file with the timer", () => {
    expect(written.coverage).toMatchObject({
      startOffsetMs: 40,
      endOffsetMs: -20,
      eventStartsAtMs: MINUTE - 40,
    });
  });

  it("R-28 assigns each gap to the event or the padding", () => {
    expect(written.integrity.gaps).toMatchObject([
      { in: "padding", inEventMs: 0, lengthMs: 30_000, streamMs: 0 },
      { in: "both", inEventMs: 1000, lengthMs: 2000, streamMs: 29_000 },
      { in: "event", inEventMs: MINUTE, lengthMs: MINUTE, streamMs: 60_000 },
    ]);
  });

  it("R-40 has the guide's current title, and keeps its report when rewritten", () => {
    const before = sidecarJson(FACTS);
    const { integrity: _lost, ...rest } = FACTS;
    const renamed = { ...RECORDING, renamed: "The News" };
    const after = sidecarJson({
      ...rest,
      recording: renamed,
      integrity: { written: writtenIntegrity(before) },
    });
    expect(JSON.parse(after)).toEqual({ ...written, title: "The News" });
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"schema":"other","integrity":{}}',
    '{"schema":"recorderd-recording","schemaVersion":2,"integrity":{}}',
  ])("ignores an existing report in %j", (text) => {
    expect(writtenIntegrity(text)).toBeUndefined();
  });

  it("has only fields that docs/dev/recording-files.md describes", async () => {
    const docs = await readFile("docs/dev/recording-files.md", "utf8");
    const keys = new Set<string>();
    JSON.stringify(
      JSON.parse(sidecarJson({ ...FACTS, recording: { ...RECORDING, programme: PROGRAMME } })),
      (key, value) => {
        if (!/^\d*$/.test(key)) keys.add(key);
        return value;
      },
    );
    // The parts of a triplet are those of EN 300 468, which the page names.
    const known = ["onid", "tsid", "sid"];
    const missing = [...keys].filter((key) => !known.includes(key) && !docs.includes(`\`${key}\``));
    expect(missing).toEqual([]);
  });
});
