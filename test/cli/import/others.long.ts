import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { LibraryEntry } from "../../../src/model/library.ts";
import type { Rule } from "../../../src/model/rule.ts";
import { askDaemon } from "../../../src/recorder/api/ask.ts";
import { inProcess, simTuners } from "../../main-job/in-process.ts";
import { temporaryFolder, testWorld } from "../../main-job/recorder.ts";
import { BACKUP, mythFolders } from "../../migration/mythtv/folders.ts";
import { stateOf } from "../../migration/origin.ts";
import { realFolders } from "../../migration/vdr/real-folders.ts";
import { outOfPatience } from "../../patience.ts";
import { commandLine } from "../command-line.ts";

const ORIGINS = [
  {
    origin: "vdr",
    title: "VDR",
    files: 6,
    rules: [
      ...["heute on 1", "Wochenende on 1, paused", "Tatort on 2", "Kommissar Beck", "Tatort Münster on 1 2"],
      ...["^Columbo|Der Alte$ on 1 2", "Doku, Natur, paused", "Tagesschau on 2, paused"],
      "Um sechs: heute, paused",
    ],
    folders: async () => {
      const { settings, video, ...rest } = await realFolders();
      await renamed(join(settings, "channels.conf"), { "ZDF HD": "Sim 1", "Das Erste HD": "Sim 2" });
      return { settings, recordings: video, ...rest };
    },
  },
  {
    origin: "mythtv",
    title: "MythTV",
    files: 3,
    rules: [
      ...["The News on 1", "Bluey (2018) on 2", "Metropolis, paused", "Attenborough (Title Search)"],
      ...["steam train (Keyword Search)", "Sunday slot (Manual Record) on 1"],
    ],
    folders: async () => {
      const { backups, storage, ...rest } = await mythFolders();
      await renamed(join(backups, BACKUP), { "'ABC'": "'Sim 1'", "'ABC Kids'": "'Sim 2'" });
      return { settings: backups, recordings: storage, ...rest };
    },
  },
];

interface RulesHere {
  readonly kept: string;
  readonly rules: readonly Rule[];
}

/** A rule in a line: its name, its channels, and whether it is paused. */
function lineOf({ name, isPaused, channelIds }: Rule): string {
  const channels = channelIds === undefined ? "" : ` on ${channelIds.join(" ")}`;
  return `${name}${channels}${isPaused === true ? ", paused" : ""}`;
}

/** Their channels get the names of the simulated region. */
async function renamed(file: string, names: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    Object.entries(names).reduce((all, [from, to]) => all.replaceAll(from, to), text),
  );
}

describe.each(ORIGINS)("recorderd import $origin", ({ origin, title, files, rules, folders }) => {
  it("brings each file and each rule to the guide service once, and changes nothing of theirs", async () => {
    await using theirs = await folders();
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    const { socket } = recorder.config.control;
    const args = ["import", origin, theirs.settings, "--recordings", theirs.recordings, "--socket", socket];
    const io = () => ({ clock: systemClock(), signal: outOfPatience() });
    const entries = () =>
      askDaemon<readonly LibraryEntry[]>(socket, { method: "GET", path: "/v1/recordings" }, io());
    const rulesHere = () => askDaemon<RulesHere>(socket, { method: "GET", path: "/v1/rules" }, io());
    const before = await stateOf(theirs.base);

    const first = await commandLine(args);
    expect(first.code).toBe(0);
    expect(first.out).toContain(`imported: ${files} recordings, 0 timers, ${rules.length} rules`);
    expect(first.out).toContain(`Nothing of ${title} was changed.`);
    const kept = await entries();
    expect(kept.map(({ imported }) => imported?.from)).toEqual(Array.from({ length: files }, () => origin));
    const keptRules = await rulesHere();
    expect(keptRules.kept).toBe("service");
    expect(keptRules.rules.map(lineOf)).toEqual(rules);

    const second = await commandLine(args);
    expect(second.out).toContain("imported: 0 recordings, 0 timers, 0 rules");
    expect(await entries()).toEqual(kept);
    expect(await rulesHere()).toEqual(keptRules);
    expect(await stateOf(theirs.base)).toEqual(before);
  });
});
