import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askKernelClock, readChronyc, readTimedatectl } from "../../../../src/kit/machine/kernel-clock.ts";
import { bootId, uptimeMs } from "../../../../src/kit/machine/machine.ts";
import type { ClockMemory } from "../../../../src/model/clock-trust.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { ClockWatch } from "../../../../src/recorder/engine/runtime/clock-watch.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";

const NOW = Date.UTC(2026, 10, 20, 20);
const RIGHT = { min: 0, max: SECOND };

/** Three clocks that are moved by hand. */
function machine(memory?: ClockMemory) {
  const at = { wall: NOW, awake: 5000, uptime: 90_000 };
  const clock = {
    now: () => at.wall,
    monotonicMs: () => at.awake,
    sleep: async () => {},
    after: () => () => {},
    whenAt: () => () => {},
  };
  const uptime = () => at.uptime;
  const watch = new ClockWatch({ clock, uptimeMs: uptime, boot: "b", toleranceMs: 30 * SECOND, memory });
  const pass = (ms: number) => {
    at.wall += ms;
    at.awake += ms;
    at.uptime += ms;
  };
  const sleep = (ms: number) => {
    at.wall += ms;
    at.uptime += ms;
  };
  const step = (ms: number) => {
    at.wall += ms;
  };
  return { watch, pass, sleep, step };
}

describe("R-36 the clock watch", () => {
  it.each([SECOND, -SECOND, HOUR, -HOUR, 365 * DAY, -365 * DAY])("detects a step of %d ms", (ms) => {
    const { watch, pass, step } = machine();
    pass(MINUTE);
    expect(watch.look().moved).toBeUndefined();
    step(ms);
    expect(watch.hasMoved).toBe(true);
    expect(watch.look().moved).toEqual({ byMs: ms, asleepMs: 0 });
  });

  it("distinguishes sleep from a step, and both from normal time", () => {
    const { watch, pass, sleep, step } = machine();
    sleep(HOUR);
    expect(watch.look()).toMatchObject({ trusted: true, moved: { byMs: 0, asleepMs: HOUR } });
    watch.noted();
    pass(DAY);
    expect(watch.look().moved).toBeUndefined();
    sleep(HOUR);
    step(-3 * SECOND);
    expect(watch.look().moved).toEqual({ byMs: -3 * SECOND, asleepMs: HOUR });
  });

  it("repeats a step until a decision about it is on disk", () => {
    const { watch, step } = machine();
    step(HOUR);
    watch.look();
    step(MINUTE);
    expect(watch.look().moved).toEqual({ byMs: HOUR + MINUTE, asleepMs: 0 });
    watch.noted();
    expect(watch.look().moved).toBeUndefined();
  });

  it("trusts a new time only after a confirmation", () => {
    const { watch, step } = machine();
    step(365 * DAY);
    expect(watch.look()).toMatchObject({ trusted: false, suspendsDecisions: true });
    watch.noteKernelState("synchronised");
    expect(watch.look()).toMatchObject({ trusted: true, suspendsDecisions: false });
  });

  it("does not trust a kernel that was synchronised with another time", () => {
    const { watch, step } = machine();
    watch.noteKernelState("synchronised");
    step(-DAY);
    expect(watch.look().trusted).toBe(false);
  });

  it.each([284 * DAY, -284 * DAY, HOUR])(
    "replaces a clock that was set wrong by %d ms by two sources",
    (ms) => {
      const { watch, pass, step } = machine();
      watch.noteKernelState("synchronised");
      pass(9 * DAY);
      watch.noteOffset("guide", RIGHT);
      expect(watch.look()).toMatchObject({ trusted: true });
      step(ms);
      // Since the step, the kernel names NTP no longer.
      watch.noteKernelState("unsynchronised");
      expect(watch.look()).toMatchObject({ trusted: false, othersAheadMs: -ms, othersAgree: true });
      step(-ms);
      expect(watch.look().othersAheadMs).toBeUndefined();
      expect(watch.look()).toMatchObject({ trusted: true });
    },
  );

  it("goes by the broadcast of the last days and the guide service without NTP, but by neither alone", () => {
    const { watch, pass, step } = machine();
    watch.noteOffset("guide", RIGHT);
    step(284 * DAY);
    expect(watch.look().othersAheadMs).toBeUndefined();
    watch.noteOffset("broadcast", { min: -284 * DAY, max: -284 * DAY });
    expect(watch.look()).toMatchObject({ othersAheadMs: -284 * DAY, othersAgree: true });
    pass(2 * DAY);
    watch.noteOffset("guide", { min: -284 * DAY, max: -284 * DAY });
    expect(watch.look().othersAheadMs).toBe(-284 * DAY);
    pass(2 * DAY);
    watch.noteOffset("guide", { min: -284 * DAY, max: -284 * DAY });
    expect(watch.look().othersAheadMs).toBeUndefined();
  });

  it("remembers the time of NTP when the recorder restarts", () => {
    const first = machine();
    first.watch.noteKernelState("synchronised");
    const { boot, baseMs, ntpBaseMs } = first.watch.look();
    if (ntpBaseMs === undefined) throw new Error("the base is known");
    const { watch, step } = machine({ boot, baseMs, ntpBaseMs, trustedAt: NOW - HOUR });
    step(DAY);
    watch.look();
    watch.noteOffset("guide", { min: -DAY, max: -DAY });
    expect(watch.look()).toMatchObject({ othersAheadMs: -DAY, othersAgree: true });
    const other = machine({ boot: "a", baseMs, ntpBaseMs, trustedAt: NOW - HOUR });
    other.step(DAY);
    other.watch.look();
    other.watch.noteOffset("guide", { min: -DAY, max: -DAY });
    expect(other.watch.look().othersAheadMs).toBeUndefined();
  });

  it("adjusts earlier observations by a step", () => {
    const { watch, step } = machine();
    watch.noteOffset("guide", RIGHT);
    step(HOUR);
    expect(watch.look()).toMatchObject({ text: "the guide service's clock is 1 h behind" });
    step(-HOUR);
    expect(watch.look().trusted).toBe(true);
  });

  it("R-01 rejects a time before the last run of the recorder: a board without a clock starts in 1970", () => {
    const { watch, step } = machine({ boot: "a", baseMs: 0, trustedAt: NOW + HOUR });
    expect(watch.look()).toMatchObject({ trusted: false, suspendsDecisions: true });
    step(2 * HOUR);
    expect(watch.look().trusted).toBe(false);
    watch.noteOffset("guide", RIGHT);
    expect(watch.look().trusted).toBe(true);
  });

  it("doubts the clock of a restarted machine, which may be ahead, until a time source confirms it", () => {
    const { watch } = machine({ boot: "a", baseMs: 0, trustedAt: NOW - DAY });
    expect(watch.look()).toMatchObject({ trusted: false, suspendsDecisions: true });
    watch.noteKernelState("synchronised");
    expect(watch.look().trusted).toBe(true);
  });

  it("detects at the start what happened to the clock meanwhile, and keeps the doubt of the previous run", () => {
    const base = NOW - 90_000;
    expect(machine({ boot: "b", baseMs: base - HOUR }).watch.look().moved?.byMs).toBe(HOUR);
    expect(machine({ boot: "other", baseMs: base - HOUR }).watch.look().moved).toBeUndefined();
    expect(machine({ boot: "b", baseMs: base, doubt: "it was set" }).watch.look().trusted).toBe(false);
  });

  it("suspends decisions for a day at most", () => {
    const { watch, pass } = machine();
    const lie = { min: -DAY, max: -DAY };
    for (let hour = 0; hour < 24; hour += 1) {
      watch.noteOffset("guide", lie);
      expect(watch.look().suspendsDecisions).toBe(true);
      pass(HOUR);
    }
    watch.noteOffset("guide", lie);
    expect(watch.look()).toMatchObject({ trusted: false, suspendsDecisions: false });
    expect(watch.status).toMatchObject({ trusted: false, holds: false, aheadSeconds: { guide: -86_400 } });
  });

  it("forgets observations after some hours", () => {
    const { watch, pass } = machine();
    watch.noteOffset("guide", { min: HOUR, max: HOUR });
    expect(watch.isTrusted).toBe(false);
    pass(RUNTIME_LIMITS.clockHeardMs + 1);
    expect(watch.isTrusted).toBe(true);
  });
});

describe("R-36 the kernel's clock", () => {
  it("is reported by systemd", () => {
    const said = (ntp: string, synchronised: string) =>
      readTimedatectl(`Timezone=Etc/UTC\nCanNTP=yes\nNTP=${ntp}\nNTPSynchronized=${synchronised}\n`);
    expect(said("yes", "yes")).toBe("synchronised");
    expect(said("no", "yes")).toBe("synchronised");
    expect(said("yes", "no")).toBe("unsynchronised");
    expect(said("no", "no")).toBe("silent");
    expect(readTimedatectl("")).toBe("silent");
  });

  it("is reported by chrony, which may take days to correct a clock", () => {
    const said = (correction: string, status: string) =>
      readChronyc(
        `C0A80001,192.168.0.1,3,1795204800.1,${correction},0.0001,0.0002,1.0,0.0,0.1,0.01,0.001,64.0,${status}\n`,
      );
    expect(said("-0.000012", "Normal")).toBe("synchronised");
    expect(said("7200.5", "Normal")).toBe("unsynchronised");
    expect(said("0.0", "Not synchronised")).toBe("unsynchronised");
    expect(readChronyc("506 Cannot talk to daemon\n")).toBe("silent");
  });

  it("is read from present programs without a shell; a hanging or failing one gives no answer", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-ntp-"));
    const { signal } = new AbortController();
    const program = async (name: string, script: string) => {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, name), 0o755);
    };
    try {
      expect(await askKernelClock(signal, folder)).toBe("silent");
      await program("timedatectl", "exit 1");
      expect(await askKernelClock(signal, folder)).toBe("silent");
      await program("timedatectl", "exec /bin/sleep 60");
      expect(await askKernelClock(signal, folder)).toBe("silent");
      await program("timedatectl", "echo NTP=yes; echo NTPSynchronized=no");
      expect(await askKernelClock(signal, folder)).toBe("unsynchronised");
      await program("chronyc", `[ "$*" = "-c -n tracking" ] && echo a,b,1,2,0.0,4,5,6,7,8,9,10,11,Normal`);
      expect(await askKernelClock(signal, folder)).toBe("synchronised");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("includes the machine's boot, and the time since then", async () => {
    expect(await bootId()).toBe(await bootId());
    expect(uptimeMs()).toBeGreaterThan(0);
  });
});
