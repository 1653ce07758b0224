import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endWhatIsLeft, endWithFile } from "../left-by-tests.ts";
import { endKilledRuns, numberingOf, PREFIX, RUN_MARK, startOf } from "../leftovers.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { memoryDisk } from "../memory-disk.ts";

/** A program that waits until its parent ends. */
function waiting(env: NodeJS.ProcessEnv) {
  return spawn("sleep", ["600"], { stdio: "ignore", env: { ...process.env, ...env } });
}

it("a test run removes processes, file systems and files of killed runs, and nothing of current ones", async () => {
  await using outside = await temporaryFolder();
  const runs = [waiting({}), waiting({})];
  const folders = runs.map(({ pid = 0 }) =>
    join(outside.path, `${PREFIX}${numberingOf()}-${pid}-${startOf(pid)}`),
  );
  // A run in a container, for example: its process cannot be seen from here.
  const elsewhere = join(outside.path, `${PREFIX}1-1-1`);
  await mkdir(elsewhere);
  const marked = folders.map((folder) => waiting({ [RUN_MARK]: folder }));
  const disks: boolean[] = [];
  for (const folder of folders) {
    await mkdir(folder);
    // The files of a run may be in memory.
    memoryDisk(folder, "1m");
    await mkdir(join(folder, "disk"));
    disks.push(memoryDisk(join(folder, "disk"), "64k") !== undefined);
    await writeFile(join(folder, "disk", "file"), "content");
  }
  const mounts = () => readFileSync("/proc/self/mountinfo", "utf8");
  const [killed, running] = [0, 1].map((at) => ({
    run: runs[at],
    folder: folders[at] ?? "",
    child: marked[at],
  }));
  const ended = once(killed?.run ?? process, "exit");
  killed?.run?.kill("SIGKILL");
  await ended;
  const childEnded = once(killed?.child ?? process, "exit");
  const said: string[] = [];
  endKilledRuns(outside.path, (text) => said.push(text));
  await childEnded;
  expect(said).not.toContain(`a file system at ${killed?.folder}`);
  expect(said.join()).toContain(`process ${killed?.child?.pid}, sleep 600`);
  expect(existsSync(killed?.folder ?? "")).toBe(false);
  expect(mounts()).not.toContain(killed?.folder ?? "");
  expect(existsSync(join(running?.folder ?? "", "disk", "file"))).toBe(true);
  expect(mounts().includes(`${running?.folder}/disk`)).toBe(disks[1]);
  expect(running?.child?.exitCode ?? running?.child?.signalCode).toBe(null);
  const both = [running?.run, running?.child].map((each) => once(each ?? process, "exit"));
  running?.run?.kill("SIGKILL");
  await both[0];
  endKilledRuns(outside.path, () => {});
  await both[1];
  expect(existsSync(running?.folder ?? "")).toBe(false);
  expect(existsSync(elsewhere)).toBe(true);
});

it("a file of tests ends what they have left", async () => {
  const ended: string[] = [];
  endWithFile(() => ended.push("left"));
  const isEnded = endWithFile(() => ended.push("ended by its test"));
  isEnded();
  await endWhatIsLeft();
  await endWhatIsLeft();
  expect(ended).toEqual(["left"]);
});
