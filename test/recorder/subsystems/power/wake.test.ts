import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { TIME_LIMITS } from "../../../../src/kit/time/limits.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { judgeWake } from "../../../../src/recorder/subsystems/power/core/wake-verdict.ts";
import { POWER_LIMITS } from "../../../../src/recorder/subsystems/power/limits.ts";
import { createPower } from "../../../../src/recorder/subsystems/power/power.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";

const SET_WAKE_ALARM = join(import.meta.dirname, "../../../../systemd/set-wake-alarm");
const EIGHT = Date.UTC(2026, 10, 21, 20);

describe("R-38 the cause of a wake-up", () => {
  const asked = { wantedAt: EIGHT, seenAt: EIGHT - HOUR, isFirst: true };

  it.each([
    [
      "was off, and started at the alarm",
      { ...asked, upSince: EIGHT + MINUTE, now: EIGHT + 2 * MINUTE },
      "in-time",
    ],
    [
      "was off, and started long after the alarm",
      { ...asked, upSince: EIGHT + HOUR, now: EIGHT + HOUR },
      "late",
    ],
    [
      "was off, and was started before the alarm",
      { ...asked, upSince: EIGHT - HOUR / 2, now: EIGHT },
      undefined,
    ],
    ["was up without the daemon", { ...asked, upSince: EIGHT - 2 * HOUR, now: EIGHT + HOUR }, undefined],
    [
      "slept, and woke at the alarm",
      { ...asked, isFirst: false, upSince: 0, now: EIGHT + SECOND },
      "in-time",
    ],
    ["slept through the alarm", { ...asked, isFirst: false, upSince: 0, now: EIGHT + HOUR }, "late"],
    [
      "was awake all the time",
      { ...asked, isFirst: false, upSince: 0, seenAt: EIGHT - SECOND, now: EIGHT + SECOND },
      undefined,
    ],
    ["had no alarm", { ...asked, wantedAt: undefined, upSince: EIGHT + HOUR, now: EIGHT + HOUR }, undefined],
  ])("is judged for a machine that %s", (_what, question, kind) => {
    expect(judgeWake(question)?.kind).toBe(kind);
  });
});

async function machine(folder: string, { isAlarmKept = true, seenAt = EIGHT } = {}) {
  const clock = createVirtualClock(EIGHT);
  const rtcFile = join(folder, "wakealarm");
  await writeFile(rtcFile, "");
  const over = new AbortController();
  let wanted: number | undefined = EIGHT + HOUR;
  const power = createPower({
    folder,
    wakeAlarm: true,
    inhibitSleep: false,
    wanted: () => wanted,
    isBusy: () => false,
    isClockTrusted: () => true,
    seenAt,
    uptimeMs: () => MINUTE,
    clock,
    log: silentLog,
    rtcFile,
  });
  const running = power.run(over.signal);
  const published = () => readFile(join(folder, "next-wake"), "utf8").catch(() => "");
  return {
    clock,
    power,
    published,
    rtcFile,
    plan: (at: number | undefined) => {
      wanted = at;
    },
    /** The answer one look later. */
    later: async <T>(ask: () => T): Promise<Awaited<T>> => {
      await clock.advance(TIME_LIMITS.waitSliceMs);
      return await ask();
    },
    /** Sets the alarm as recorderd-wake.service does. */
    setAlarm: () => {
      const alarm = isAlarmKept ? rtcFile : "/dev/null";
      return spawnSync(SET_WAKE_ALARM, [join(folder, "next-wake"), alarm], { encoding: "utf8" });
    },
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
    },
  };
}

describe("R-38 the wake alarm", () => {
  it("is published with each change, set, and read back", async () => {
    await using folder = await temporaryFolder();
    await using box = await machine(folder.path);
    await expect.poll(box.published).toBe(`${(EIGHT + HOUR) / SECOND} 2026-11-21T21:00:00+00:00\n`);
    expect(box.setAlarm()).toMatchObject({ status: 0, stderr: "" });
    await expect.poll(() => box.later(() => box.power.facts().alarm)).toBe("set");
    box.plan(EIGHT + 2 * HOUR);
    await expect.poll(() => box.later(box.published)).toContain(`${(EIGHT + 2 * HOUR) / SECOND} `);
    box.plan(undefined);
    await expect.poll(() => box.later(box.published)).toBe("0 nothing is planned\n");
    expect(box.setAlarm().status).toBe(0);
    expect(await readFile(box.rtcFile, "utf8")).toBe("0\n");
  });

  it("is reported as unset if the clock does not keep it, after a delay", async () => {
    await using folder = await temporaryFolder();
    await using box = await machine(folder.path, { isAlarmKept: false });
    await expect.poll(box.published).not.toBe("");
    expect(box.setAlarm()).toMatchObject({ status: 1, stderr: expect.stringContaining("says '', not") });
    expect(box.power.facts().alarm).toBeUndefined();
    await expect
      .poll(async () => {
        await box.clock.advance(POWER_LIMITS.wakeAlarmMs);
        return box.power.facts().alarm;
      })
      .toBe("not-set");
  });

  it("stores the requested time: a machine an hour late is reported, until one is in time", async () => {
    await using folder = await temporaryFolder();
    const wantedAt = EIGHT - HOUR;
    await writeFile(join(folder.path, "power.json"), JSON.stringify({ wantedAt }));
    await using box = await machine(folder.path, { seenAt: EIGHT - 2 * HOUR });
    await expect.poll(() => box.power.facts().failed).toEqual({ wantedAt, cameAt: EIGHT - MINUTE });
    await expect
      .poll(() => readFile(join(folder.path, "power.json"), "utf8"))
      .toContain(`"failed":{"wantedAt":${wantedAt}`);
  });

  it("is refused if the published text is no number", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "next-wake");
    await writeFile(file, "tomorrow\n");
    const { status, stderr } = spawnSync(SET_WAKE_ALARM, [file, join(folder.path, "x")], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 65,
      stderr: `set-wake-alarm: ${file} does not begin with a number\n`,
    });
  });
});
