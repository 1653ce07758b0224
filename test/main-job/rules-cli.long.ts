import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { commandLine, type Outcome } from "../cli/command-line.ts";
import { inProcess, simTuners } from "./in-process.ts";
import { pause, soon, temporaryFolder, testWorld } from "./recorder.ts";

it("recorderd rules shows what a rule would record and displace, saves it, changes and removes it", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 5, ["no-rules"]);
  const start = soon() + 2 * HOUR;
  // One tuner, and two multiplexes at once: channels 1 and 5.
  await home.world.book({ channel: 5, title: "News", start, durationMs: 30 * MINUTE }, home.deviceId);
  for (const [at, more] of [
    [start, { subtitle: "Low water", episodeId: "s1 1" }],
    [start + 5 * HOUR, {}],
  ] as const) {
    await home.world.guide.addShow({
      channelId: 1,
      title: "The tide",
      start: at,
      durationMinutes: 30,
      ...more,
    });
  }
  await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
  const socket = recorder.config.control.socket;
  const says = (...args: readonly string[]): Promise<Outcome> =>
    commandLine(["rules", ...args, "--socket", socket], { columns: 120 });
  const read = async (...args: readonly string[]) => JSON.parse((await says(...args, "--json")).out);
  while (recorder.daemon.snapshot().recordings.every(({ state }) => state !== "planned")) await pause(20);

  expect((await says("list")).err).toBe("There are no rules.");
  const preview = await says("preview", "--words", "tide", "--priority", "70");
  expect(preview).toMatchObject({ code: 0, err: "" });
  const lines = preview.out.split("\n");
  expect(lines[1]).toMatch(/ Sim 1 +The tide: Low water +records$/);
  expect(lines[2]).toMatch(/ Sim 1 +The tide +records, episode unknown$/);
  expect(lines.slice(4)).toEqual([
    "Records 2 of 2 shows in the next two weeks.",
    "The guide does not identify the episodes of 1 of them: repeats are recorded again.",
    expect.stringMatching(/^“News” \(timer \d+, .*\) loses 30 min because of it\.$/),
    expect.stringMatching(/^It needs .* GB; .* are free for it\.$/),
  ]);
  expect((await says("preview", "--words", "tide", "--priority", "10")).out).toMatch(/no tuner is free/);
  expect(await read("list")).toEqual({ rules: [], kept: "recorder" });

  const { rule } = await read(
    "add",
    "Tide",
    "--words",
    "tide",
    "--channels",
    "1",
    "--weekdays",
    "mon-sun",
    "--keep",
    "3",
  );
  expect(rule).toMatchObject({ words: "tide", channelIds: [1], keep: 3 });
  const id = String(rule.id);
  expect((await says("list")).out).toMatch(/Tide +words tide; channels Sim 1; weekdays mon, tue, wed/);
  const changed = await says("set", id, "--clear", "weekdays", "keep", "--paused", "--name", "Sea");
  expect(changed.out).toContain(`rule ${id} “Sea”: changed`);
  const shown = (await says("show", id)).out;
  expect(shown).toMatch(/name +Sea/);
  expect(shown).toMatch(/paused +yes/);
  expect(shown).not.toMatch(/weekdays|keep/);
  expect((await says("preview", id, "--words", "low")).out).toContain(
    "No show in the next two weeks matches.",
  );
  expect((await says("remove", id)).out).toBe(`rule ${id}: removed`);

  const refusals = [
    await says("add", "Nothing"),
    await says("add", "Bad", "--expression", "(a"),
    await says("show", "77"),
    await says("set", id, "--clear", "everything"),
  ];
  expect(refusals.every(({ code }) => code !== 0)).toBe(true);
  expect(refusals.map(({ err }) => err)).toEqual([
    expect.stringContaining("needs words, an expression, a series or a genre"),
    expect.stringContaining("expression"),
    expect.stringContaining("There is no rule 77"),
    expect.stringContaining("Allowed choices"),
  ]);
});
