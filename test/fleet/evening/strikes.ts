import type { EpochMs } from "../../../src/model/time.ts";
import type { Window } from "../../../src/model/window.ts";
import { pause } from "../../main-job/recorder.ts";
import { logLines, reignsIn } from "./leaders.ts";
import type { Fault, Strike } from "./programme.ts";
import type { Town, TownNode } from "./town.ts";

/** A fault that was there. */
export interface Spell extends Window {
  readonly kind: Fault;
  /** The machine that it hit; absent: the database. */
  readonly node?: string;
  readonly wasLeader: boolean;
}

/** Strikes one after another, and heals each. */
export async function strikeAll(
  town: Town,
  strikes: readonly Strike[],
  { begin, onSpell }: { readonly begin: EpochMs; readonly onSpell: (spell: Spell) => void },
): Promise<readonly Spell[]> {
  const spells: Spell[] = [];
  for (const { kind, afterMs, lastsMs, pick } of strikes) {
    await pause(Math.max(0, begin + afterMs - Date.now()));
    const leader = reignsIn(logLines(town.nodes)).at(-1)?.node;
    const hit = town.nodes.find(({ name }, index) =>
      kind === "leader" ? name === leader : index === pick % town.nodes.length,
    );
    const start = Date.now();
    const heal = await begun(town, kind, hit);
    await pause(lastsMs);
    const stop = Date.now();
    await heal();
    const isOfNode = kind === "leader" || kind === "power" || kind === "cable";
    const where =
      isOfNode && hit !== undefined
        ? { node: hit.name, wasLeader: hit.name === leader }
        : { wasLeader: false };
    const spell = { kind, start, stop, ...where };
    spells.push(spell);
    onSpell(spell);
  }
  return spells;
}

/** @returns what ends it */
async function begun(
  { database }: Town,
  kind: Fault,
  hit: TownNode | undefined,
): Promise<() => Promise<void>> {
  switch (kind) {
    case "leader":
      await hit?.recorder.kill();
      return async () => hit?.recorder.launch();
    case "power":
      await hit?.losePower();
      return async () => hit?.powerOn();
    case "cable":
      await hit?.machine.pullCable();
      return async () => hit?.machine.plugIn();
    case "restart":
      await database.goDown();
      return () => database.comeBack();
    case "away":
      await database.vanish();
      return () => database.reappear();
    case "failover":
      await database.die();
      return () => database.failOver();
  }
}
