import { describe, expect, it } from "vitest";
import type { Announcement } from "../../../../src/kit/machine/service-manager.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { createHeart } from "../../../../src/recorder/subsystems/power/heart.ts";
import { POWER_LIMITS } from "../../../../src/recorder/subsystems/power/limits.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";

function beating() {
  const clock = createVirtualClock(0);
  const told: Announcement[] = [];
  const over = new AbortController();
  const heart = createHeart({ watchdogMs: MINUTE, notify: (announcement) => told.push(announcement) }, clock);
  return {
    clock,
    heart,
    over,
    /** Forgets what it gives. */
    told: () => told.splice(0),
  };
}

describe("the heartbeat", () => {
  it("is ready with the first beat, and again with the first one after a reload", () => {
    const { heart, told } = beating();
    expect(told()).toEqual([]);
    heart.beat();
    heart.beat();
    expect(told()).toEqual([{ state: "ready" }]);
    heart.reload();
    heart.beat();
    expect(told()).toEqual([{ state: "reloading" }, { state: "ready" }]);
  });

  it("reports life only while the engine works, even if the process runs", async () => {
    const { clock, heart, over, told } = beating();
    const running = heart.run(() => "idle", over.signal);
    await clock.advance(30 * SECOND);
    expect(told().some(({ alive }) => alive)).toBe(false);
    heart.beat();
    await clock.advance(30 * SECOND);
    expect(told().filter(({ alive }) => alive)).toHaveLength(3);
    await clock.advance(POWER_LIMITS.engineSilentMs);
    told();
    await clock.advance(MINUTE);
    expect(told().some(({ alive }) => alive)).toBe(false);
    over.abort();
    await running;
  });

  it("sends the status line after each change, with a notice before it", async () => {
    const { clock, heart, over, told } = beating();
    let doing = "idle";
    const running = heart.run(() => doing, over.signal);
    await clock.advance(MINUTE);
    doing = "recording";
    await clock.advance(MINUTE);
    heart.notice("configuration refused");
    await clock.advance(MINUTE);
    const said = told().flatMap(({ status }) => status ?? []);
    expect(said).toEqual(["idle", "recording", "configuration refused; recording"]);
    over.abort();
    await running;
  });
});
