import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { LibraryEntry } from "../../../src/model/library.ts";
import { askDaemon } from "../../../src/recorder/api/ask.ts";
import { inProcess, simTuners } from "../../main-job/in-process.ts";
import { temporaryFolder, testWorld } from "../../main-job/recorder.ts";
import { mythFolders } from "../../migration/mythtv/folders.ts";
import { stateOf } from "../../migration/origin.ts";
import { realFolders } from "../../migration/vdr/real-folders.ts";
import { commandLine } from "../command-line.ts";

const ORIGINS = [
  {
    origin: "vdr",
    title: "VDR",
    files: 6,
    folders: async () => {
      const { settings, video, ...rest } = await realFolders();
      return { settings, recordings: video, ...rest };
    },
  },
  {
    origin: "mythtv",
    title: "MythTV",
    files: 3,
    folders: async () => {
      const { backups, storage, ...rest } = await mythFolders();
      return { settings: backups, recordings: storage, ...rest };
    },
  },
];

describe.each(ORIGINS)("recorderd import $origin", ({ origin, title, files, folders }) => {
  it("brings each file once, and changes nothing of theirs", async () => {
    await using theirs = await folders();
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    const { socket } = recorder.config.control;
    const args = ["import", origin, theirs.settings, "--recordings", theirs.recordings, "--socket", socket];
    const entries = () =>
      askDaemon<readonly LibraryEntry[]>(
        socket,
        { method: "GET", path: "/v1/recordings" },
        { clock: systemClock(), signal: AbortSignal.timeout(60_000) },
      );
    const before = await stateOf(theirs.base);

    const first = await commandLine(args);
    expect(first.code).toBe(0);
    expect(first.out).toContain(`imported: ${files} recordings`);
    expect(first.out).toContain(`Nothing of ${title} was changed.`);
    const kept = await entries();
    expect(kept.map(({ imported }) => imported?.from)).toEqual(Array.from({ length: files }, () => origin));

    const second = await commandLine(args);
    expect(second.out).toContain("imported: 0 recordings, 0 timers, 0 rules");
    expect(await entries()).toEqual(kept);
    expect(await stateOf(theirs.base)).toEqual(before);
  });
});
