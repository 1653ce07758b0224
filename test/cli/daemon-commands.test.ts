import { createHash } from "node:crypto";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logLineText } from "../../src/cli/daemon/logs.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";
import { barText, progressOf } from "../../src/cli/progress.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { losingDisk } from "../recorder/capture/losing-disk.ts";
import { commandLine } from "./command-line.ts";
import { type Household, household } from "./household.ts";

let folder = "";
let home: Household;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-"));
  home = await household(folder);
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const ask = (...args: readonly string[]) => commandLine([...args, "--socket", home.socket], { columns: 100 });

describe("recorderd timers", () => {
  it("lists the timers to come with their states, and all timers with --all", async () => {
    const { out, code } = await ask("timers");
    expect(code).toBe(0);
    expect(out.split("\n")).toHaveLength(2);
    expect(out).toMatch(/^TIMER +START +MIN +CHANNEL +TITLE +PRIO +STATE +TUNER\nttwo .* 60 +ABC +Two \[2J/);
    expect((await ask("timers", "--all")).out.split("\n")).toHaveLength(3);
    expect(JSON.parse((await ask("timers", "--json")).out)).toMatchObject([
      { timerId: "ttwo", priority: 50 },
    ]);
  });
});

it("recorderd sync makes the running daemon poll the guide service", async () => {
  const { out, err, code } = await ask("sync");
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toBe("The daemon is asking the guide service: recorderd status shows the result.");
});

describe("recorderd status --watch", () => {
  it("shows changes, and continues after a restart of the daemon", async () => {
    const stop = new AbortController();
    const shown: string[] = [];
    const watching = commandLine(["status", "--watch", "--socket", home.socket], {
      signal: stop.signal,
      columns: 60,
      onPrint: (text) => {
        shown.push(text);
        if (shown.length === 1) void home.daemon[Symbol.asyncDispose]();
        if (text.includes("No daemon answers")) stop.abort();
      },
    });
    expect((await watching).code).toBe(0);
    const clear = "\u001b[H\u001b[J";
    expect(shown[0]?.startsWith(`${clear}recorderd `)).toBe(true);
    expect(
      shown.flatMap((text) => text.replace(clear, "").split("\n")).every((line) => line.length <= 60),
    ).toBe(true);
  });
});

describe("recorderd recordings, for a file that changed after the recording", () => {
  // By it the disk of recordings is known to be there.
  beforeEach(() => mkdir(join(folder, "recordings", ".recorderd")));
  const rowOf = async () => (await ask("recordings", "list")).out.split("\n").at(-1);

  it("reports a truncated file in the list and in the details", async () => {
    await truncate(home.file, 3000);
    expect(await rowOf()).toMatch(/ truncated: 0.0 MB of 0.0 MB /);
    expect((await ask("recordings", "show", "one")).out).toMatch(/problems +truncated/);
  });

  it("reports a missing file", async () => {
    await rm(home.file);
    expect(await rowOf()).toMatch(/ missing .*gone since/);
  });

  it("exits with 0 after a verification only if the file is intact", async () => {
    const life = new AbortController();
    const running = home.daemon.run(life.signal);
    const verdict = async () => {
      const { code, out, err } = await ask("recordings", "verify", "one", "--json");
      if (out === "") throw new Error(err);
      const [result] = JSON.parse(out);
      return [result.verdict, code];
    };
    try {
      expect(await verdict()).toEqual(["unproven", 74]);
      expect(await verdict()).toEqual(["intact", 0]);
      expect((await ask("recordings", "verify")).code).toBe(0);
      const { atime, mtime } = await stat(home.file);
      await writeFile(home.file, "rotten", { flag: "r+" });
      await utimes(home.file, atime, mtime);
      expect((await ask("recordings", "verify")).out).toMatch(/one +Show one +changed/);
      expect(await rowOf()).toContain("changed");
      expect(await verdict()).toEqual(["changed", 74]);
      await truncate(home.file, 3000);
      expect(await verdict()).toEqual(["truncated", 74]);
      await rm(home.file);
      expect(await verdict()).toEqual(["missing", 74]);
      expect((await ask("recordings", "verify", "none")).err).toContain("recordings list");
    } finally {
      life.abort();
      await running;
    }
  });
});

describe("recorderd recordings", () => {
  it("exports a recording with its sidecars and its SHA-256, and overwrites nothing", async () => {
    const target = join(folder, "stick");
    await mkdir(target);
    const first = await ask("recordings", "export", "one", target, "--json");
    expect(first.code, first.err).toBe(0);
    const sha256 = createHash("sha256")
      .update(await readFile(home.file))
      .digest("hex");
    expect(JSON.parse(first.out)).toMatchObject({ file: join(target, "One.ts"), bytes: 10_000, sha256 });
    expect((await readdir(target)).sort()).toEqual(["One.nfo", "One.ts"]);
    const again = await ask("recordings", "export", "one", target);
    expect([again.code, again.err.includes("already exists")]).toEqual([74, true]);
    const named = await ask("recordings", "export", "one", join(folder, "Named.ts"));
    expect(named.out).toContain("SHA-256");
    expect(await readdir(folder)).toContain("Named.nfo");
  });

  it("reports a copy only once it survives a power loss, with its name and its sidecars", async (context) => {
    const made = await losingDisk(folder);
    if (typeof made === "string") return context.skip(made);
    await using disk = made;
    const { code, err } = await ask("recordings", "export", "one", disk.mountPoint);
    expect(code, err).toBe(0);
    expect(await disk.namesAfterPowerLoss()).toEqual(expect.arrayContaining(["One.ts", "One.nfo"]));
  });

  it("explains why a copy cannot be written", async () => {
    const { code, err } = await ask("recordings", "export", "one", join(folder, "none", "One.ts"));
    expect(code).not.toBe(0);
    expect(err).toContain("check that its disk is mounted");
  });

  it("plays a file in the given player, and names --player if that is missing", async () => {
    const player = join(folder, "player");
    await writeFile(player, `#!/bin/sh\necho "$1" > "${folder}/played"; exit 3\n`);
    await chmod(player, 0o755);
    expect((await ask("recordings", "play", "one", "--player", player)).code).toBe(3);
    expect(await readFile(join(folder, "played"), "utf8")).toBe(`${home.file}\n`);
    const none = await ask("recordings", "play", "one", "--player", join(folder, "none"));
    expect([none.code, none.err.includes("--player")]).toEqual([66, true]);
    expect(JSON.parse((await ask("recordings", "play", "one", "--json")).out)).toMatchObject({
      file: home.file,
    });
  });

  it("prints JSON after a change, and explains where to find a recording's id", async () => {
    const kept = await ask("recordings", "protect", "one", "--json");
    expect(JSON.parse(kept.out)).toMatchObject({ recordingId: "one", protected: true });
    const unknown = await ask("recordings", "show", "none");
    expect([unknown.code, unknown.err.includes("recordings list")]).toEqual([1, true]);
  });
});

describe("recorderd logs", () => {
  const line = JSON.stringify({ level: 40, time: 0, msg: "a tuner failed", tunerId: "a b", attempt: 2 });

  it("prints readable lines, or the logged JSON with --json", async () => {
    const file = join(folder, "log");
    await writeFile(file, `first\n${line}\n`);
    const { out } = await commandLine(["logs", "--file", file]);
    expect(out).toBe('first\n1970-01-01T00:00:00.000Z WARN a tuner failed tunerId="a b" attempt=2');
    const last = await commandLine(["logs", "--file", file, "-n", "1", "--json"]);
    expect(last.out).toBe(line);
    expect((await commandLine(["logs", "--file", join(folder, "none")])).code).toBe(66);
    expect((await commandLine(["logs", "-n", "all"])).code).toBe(64);
  });

  it("follows a file until it is interrupted", async () => {
    const file = join(folder, "log");
    await writeFile(file, "first\n");
    const stop = new AbortController();
    const followed = await commandLine(["logs", "--file", file, "--follow"], {
      signal: stop.signal,
      onPrint: (text) => {
        if (text === "first") void appendFile(file, "second\n");
        else stop.abort();
      },
    });
    expect(followed).toMatchObject({ out: "first\nsecond", code: 0 });
  });

  it("prints no control characters from the log", () => {
    expect(
      logLineText(JSON.stringify({ level: 30, time: 0, msg: "\u001b[2J", title: "\u0007" })),
    ).not.toMatch(/\p{Cc}/u);
  });
});

describe("a progress bar", () => {
  it("fits the terminal, and disappears at the end", () => {
    expect(barText({ label: "copying", bytes: 5e6, total: 1e7, columns: 80 })).toBe(
      "copying [####################                    ]  50 %  5.0 MB of 10.0 MB",
    );
    for (const columns of [10, 20, 40, 200]) {
      expect(barText({ label: "copying", bytes: 7, total: 10, columns }).length).toBeLessThan(columns);
    }
    const shown: string[] = [];
    const io = { clock: systemClock(), transient: (text: string) => void shown.push(text), columns: 80 };
    {
      using progress = progressOf(io, { label: "reading", bytes: 10 });
      progress.set(10);
    }
    expect(shown).toEqual([expect.stringContaining("100 %"), ""]);
  });
});

/** Commands that write another format, or only a sentence or an address. */
const WITHOUT_JSON = [
  "run",
  "broadcaster",
  "tuners login",
  "listing",
  "notify login",
  "guide-server add-account",
  "completion",
];

describe("every command", () => {
  it("offers --json, except those with another format", async () => {
    const io = new Proxy({}, { get: () => () => {} }) as CliIo;
    const has = (command: Command | null): boolean =>
      command !== null && (command.options.some(({ long }) => long === "--json") || has(command.parent));
    const leaves = (command: Command, path: readonly string[]): readonly string[] => {
      if (command.commands.length === 0) return has(command) ? [] : [path.join(" ")];
      return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
    };
    expect([...leaves(await program(io), [])].sort()).toEqual([...WITHOUT_JSON].sort());
  });
});
