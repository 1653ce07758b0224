import { expect } from "vitest";
import { isTerminal, type Recording } from "../../../src/model/recording.ts";
import { SECOND } from "../../../src/model/time.ts";
import { pause } from "../../main-job/recorder.ts";
import { type Judged, judged } from "./judgement.ts";
import type { EveningShow } from "./programme.ts";
import type { Spell } from "./strikes.ts";
import type { Town } from "./town.ts";

/** Resolves when one node leads, and all others record for it. */
export async function startFleet({ nodes }: Town): Promise<void> {
  for (const node of nodes) await node.powerOn({ isFirst: true });
  const ready = '"msg":"a node of the fleet records for this one"';
  const others = () => nodes.map(({ recorder }) => recorder.said.split(ready).length - 1);
  await expect.poll(() => Math.max(...others())).toBe(nodes.length - 1);
}

/** The recordings, as the leader has them when all have ended. */
async function untilOver({ nodes }: Town, timerIds: readonly string[]): Promise<readonly Recording[]> {
  for (let tries = 0; ; tries += 1) {
    for (const { recorder } of nodes) {
      const all = (await recorder.snapshot())?.recordings ?? [];
      const ours = all.filter(({ timerId }) => timerIds.includes(timerId));
      const open = ours.filter(({ state, sidecarDue }) => !isTerminal(state) || sidecarDue !== undefined);
      if (ours.length === timerIds.length && open.length === 0) {
        // Their last reports are on their way.
        await pause(5 * SECOND);
        return ours;
      }
      if (ours.length > 0 && tries > 400) return ours;
    }
    await pause(SECOND);
  }
}

/** By show, the id of its timer. */
export async function book(
  { home }: Town,
  shows: readonly EveningShow[],
): Promise<ReadonlyMap<EveningShow, string>> {
  const timers = new Map<EveningShow, string>();
  for (const show of shows) timers.set(show, await home.world.book(show, home.deviceId));
  return timers;
}

/** Waits for the end of all recordings, and judges them. */
export async function judgeAll(
  town: Town,
  timers: ReadonlyMap<EveningShow, string>,
  spells: readonly Spell[],
): Promise<readonly Judged[]> {
  const recordings = await untilOver(town, [...timers.values()]);
  const all: Judged[] = [];
  for (const [show, timerId] of timers) {
    const recording = recordings.find((each) => each.timerId === timerId);
    const reports = await town.home.world.guide.timerReports(timerId);
    all.push(await judged({ show, recording, reports }, spells));
  }
  return all;
}
