import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Timer } from "../../src/guide-wire/records.ts";
import { silentLog } from "../../src/kit/log.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { stateInFolder } from "../../src/recorder/store/state-store.ts";
import { openRuleStore } from "../../src/recorder/subsystems/booking/kept/store.ts";
import type { RuleRequest } from "../../src/web/guide-api.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { asked, pause, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

const TIDE: RuleRequest = {
  name: "The tide",
  words: "tide",
  quality: "Prefer HD",
  keep: 2,
  priority: 70,
  folder: "Sea/Tide",
  beforeMinutes: 3,
};

/** The service as another client sees it. */
async function timersAt(home: TestWorld): Promise<readonly Timer[]> {
  const { value } = await asked(home, (client, signal) => client.timers(signal));
  return value.timers.filter(({ action }) => action === "record");
}

async function until<T>(look: () => T | Promise<T>, fits: (found: T) => boolean): Promise<T> {
  const deadline = Date.now() + 150_000;
  for (;;) {
    const found = await look();
    if (fits(found)) return found;
    if (Date.now() > deadline) throw new Error(`it did not get there: ${JSON.stringify(found)}`);
    await pause(50);
  }
}

/** Two episodes, one of them twice, and another show. */
async function programme(home: TestWorld): Promise<void> {
  const at = soon() + 2 * HOUR;
  const show = (channelId: number, title: string, start: number, about: object = {}) =>
    home.world.guide.addShow({ channelId, title, start, durationMinutes: 30, ...about });
  const episode = (episodeId: string) => ({ seriesId: "s1", episodeId });
  await show(1, "The tide", at, episode("s1 1"));
  await show(2, "The tide", at + 24 * HOUR, episode("s1 1"));
  await show(2, "The tide", at + 2 * HOUR, episode("s1 2"));
  await show(1, "News", at + HOUR);
}

const running = (folder: string, home: TestWorld): Promise<InProcess> =>
  inProcess(folder, home, { tuners: simTuners(home, 2) });

const ruled = ({ daemon }: InProcess) =>
  daemon.snapshot().recordings.filter(({ rule, state }) => rule !== undefined && state === "planned");

it("a recorder keeps rules itself if its service has none: each episode is booked once, and follows the rule", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 2, ["no-rules"]);
  await programme(home);
  await using recorder = await running(folder.path, home);
  const { rules } = recorder.daemon.guide;
  expect(await rules.all()).toEqual({ rules: [], kept: "recorder" });

  // The recorder plans for the channels as soon as the service has listed them.
  const preview = await until(
    () => rules.preview({ order: TIDE }),
    ({ unplaced }) => unplaced?.length === 0,
  );
  expect(preview).toMatchObject({ total: 3, records: 2, unidentified: 0, displaced: [], unplaced: [] });
  expect(preview.matches.map(({ outcome }) => outcome)).toEqual(["records", "records", "otherAiring"]);
  expect(await timersAt(home)).toEqual([]);

  const { rule } = await rules.add(TIDE);
  expect(await rules.add(TIDE)).toMatchObject({ rule: { id: rule.id } });
  expect(
    (
      await until(
        () => timersAt(home),
        (timers) => timers.length > 1,
      )
    ).length,
  ).toBe(2);
  const planned = await until(
    () => ruled(recorder),
    (found) => found.length === 2,
  );
  for (const { rule: followed, priority, padding } of planned) {
    expect(followed).toEqual({ id: rule.id, keep: 2, priority: 70, folder: "Sea/Tide" });
    expect([priority, padding.beforeMs]).toEqual([70, 3 * MINUTE]);
  }

  // A change reaches the timers; a person's cancelling is respected.
  await rules.set(rule.id, { ...TIDE, priority: 20 });
  await until(
    () => ruled(recorder),
    (found) => found.every(({ priority }) => priority === 20),
  );
  const [first] = planned;
  await recorder.daemon.guide.cancel(first?.timerId ?? "");
  await until(
    () => ruled(recorder),
    (found) => found.length === 1,
  );
  const again = await rules.set(rule.id, TIDE);
  expect(again.preview.matches.map(({ outcome }) => outcome).sort()).toEqual([
    "declined",
    "declined",
    "records",
  ]);

  await rules.delete(rule.id);
  expect(
    await until(
      () => timersAt(home),
      (timers) => timers.length === 0,
    ),
  ).toEqual([]);
  expect(await rules.all()).toEqual({ rules: [], kept: "recorder" });
});

it("a recording of a rule lands in its folder, and the oldest is removed beyond the number that the rule keeps", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 1, ["no-rules"]);
  const order: RuleRequest = {
    name: "Tide",
    words: "tide",
    quality: "Prefer HD",
    keep: 1,
    folder: "Sea/Tide",
  };
  const at = soon() + 8000;
  for (const [number, start] of [at, at + 12_000].entries()) {
    const about = { seriesId: "s1", episodeId: `s1 ${number}`, subtitle: `Part ${number + 1}` };
    await home.world.guide.addShow({
      channelId: 1,
      title: "The tide",
      start,
      durationMinutes: 0.1,
      ...about,
    });
  }
  let folders = "";
  {
    await using recorder = await running(folder.path, home);
    folders = recorder.recordings;
    await recorder.daemon.guide.rules.add(order);
    await until(
      () => recorder.daemon.library.entries(),
      (entries) => entries.length === 2,
    );
    const kept = await readdir(join(folders, "Sea", "Tide"));
    expect(kept.filter((name) => name.endsWith(".ts"))).toHaveLength(2);
  }
  // The first look after the start removes what is too much.
  await using recorder = await running(folder.path, home);
  const entries = await until(
    () => recorder.daemon.library.entries(),
    (found) => found.some(({ deleted }) => deleted?.done === true),
  );
  const [older, newer] = entries.toSorted((a, b) => a.event.start - b.event.start);
  expect(older?.deleted?.reason).toMatch(/^only the newest 1 of rule \d+ are kept$/);
  expect(newer?.deleted).toBeUndefined();
  const left = await readdir(join(folders, "Sea", "Tide"));
  expect(left.filter((name) => name.endsWith(".ts"))).toHaveLength(1);
});

it("R-17 no timer of a rule is doubled if the recorder was killed before or after the service took the order", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 2, ["no-rules"]);
  await programme(home);
  let data = "";
  {
    await using recorder = await running(folder.path, home);
    data = recorder.data;
    await recorder.daemon.guide.rules.add(TIDE);
    await until(
      () => ruled(recorder),
      (found) => found.length === 2,
    );
  }
  const [taken, lost] = await timersAt(home);
  // The disk after a kill: both orders are on their way. The service has one of them, and never heard of the other.
  await asked(home, (client, signal) => client.deleteTimer(lost?.id ?? "", signal));
  const store = await openRuleStore(stateInFolder(data), silentLog);
  await store.change((kept) => ({
    ...kept,
    timers: {},
    ordering: Object.values(kept.timers).map(({ isListed: _seen, ...order }) => order),
  }));
  await using _recorder = await running(folder.path, home);
  const timers = await until(
    () => timersAt(home),
    (found) => found.length >= 2,
  );
  expect(timers).toHaveLength(2);
  expect(timers.map(({ id }) => id)).toContain(taken?.id);
  expect(new Set(timers.map(({ show_id }) => show_id)).size).toBe(2);
  const after = await until(
    () => openRuleStore(stateInFolder(data), silentLog),
    ({ current }) => current.ordering.length === 0 && Object.keys(current.timers).length === 2,
  );
  expect(Object.keys(after.current.timers).sort()).toEqual(timers.map(({ id }) => id).sort());
});

it("a rule that cannot be used is refused with its field", async () => {
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, 2, ["no-rules"]);
  await using recorder = await running(folder.path, home);
  const { rules } = recorder.daemon.guide;
  const refused = (order: object) => rules.add({ name: "x", quality: "Prefer HD", ...order });
  for (const [order, field] of [
    [{}, "words"],
    [{ expression: "(a" }, "expression"],
    [{ words: "a", folder: "../b" }, "folder"],
    [{ words: "a", deviceId: home.deviceId + 1 }, "deviceId"],
  ] as const) {
    await expect(refused(order)).rejects.toMatchObject({ code: "GUIDE_NOT_ACCEPTABLE", facts: { field } });
  }
  await expect(rules.set(5, TIDE)).rejects.toMatchObject({ code: "GUIDE_NOT_FOUND" });
  await rules.delete(5);
  expect(await readdir(recorder.data)).not.toContain("rules.json");
});
