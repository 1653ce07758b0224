import { loadavg } from "node:os";
import { type EpochMs, SECOND } from "../../../src/model/time.ts";
import type { Judged } from "./judgement.ts";
import type { Spell } from "./strikes.ts";

/** Says what became of each recording. @returns all complaints */
export function tell(all: readonly Judged[]): readonly string[] {
  return all.flatMap(({ show, recording, holes, complaints }) => {
    const attempts = recording?.attempts.map(({ tunerId, cause }) => `${tunerId}: ${cause}`).join(", ");
    say(`${show.title}: ${recording?.state}, ${holes.length} gaps; ${attempts}`);
    for (const { start, stop, tunerId, spell } of holes) {
      const after =
        spell === undefined
          ? ""
          : `, ${((start - spell.start) / SECOND).toFixed(1)} s after: ${spellText(spell)}`;
      say(`   ${((stop - start) / SECOND).toFixed(2)} s at ${iso(start)} on ${tunerId}${after}`);
    }
    for (const each of complaints) say(`   !! ${each}`);
    return complaints.map((each) => `${show.title} ${each}`);
  });
}

export function spellText({ kind, node = "", start, stop, wasLeader }: Spell): string {
  return `${kind} ${node}${wasLeader ? " (leader)" : ""} at ${iso(start)} for ${((stop - start) / SECOND).toFixed(1)} s`;
}

export function iso(at: EpochMs): string {
  return new Date(at).toISOString().slice(11, 23);
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function load(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}
