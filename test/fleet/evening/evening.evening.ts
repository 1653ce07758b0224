import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SECOND } from "../../../src/model/time.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { book, judgeAll, startFleet } from "./fleet-run.ts";
import { gapTable } from "./judgement.ts";
import { failoverMs, logLines, reignsIn } from "./leaders.ts";
import { showsOf, sizeOf, strikesOf } from "./programme.ts";
import { whyNoSegment } from "./segment.ts";
import { type Spell, strikeAll } from "./strikes.ts";
import { iso, load, say, spellText, tell } from "./telling.ts";
import { openTown, type Town } from "./town.ts";

const why = whyNoPostgres() ?? whyNoSegment();
const size = sizeOf(process.env["EVENING"] ?? "");
/** Machines start, and the leader reads its timers. */
const BOOT_MS = 75 * SECOND;
const FAILOVER_MS = 10 * SECOND;
/** A shorter cut may end before another node takes the lead. */
const CUT_MS = 8 * SECOND;

it.skipIf(why !== undefined)(
  `a fleet records an evening${why === undefined ? "" : ` (${why})`}`,
  { timeout: 4 * 3600 * SECOND },
  async () => {
    await using folder = await temporaryFolder();
    const begin = Math.ceil((Date.now() + BOOT_MS) / SECOND) * SECOND;
    const shows = showsOf(size, begin);
    const strikes = strikesOf(size);
    await using town = await openTown(folder.path, {
      shows,
      tuners: size.tuners,
      withReplica: size.failover > 0,
    });
    await using _logs = { [Symbol.asyncDispose]: () => keepLogs(town) };
    await startFleet(town);
    const timers = await book(town, shows);
    say(`${shows.length} recordings and ${strikes.length} faults from ${iso(begin)}; ${load()}`);
    expect(Date.now()).toBeLessThan(begin);
    const spells = await strikeAll(town, strikes, {
      begin,
      onSpell: (spell) => say(`${spellText(spell)}; ${load()}`),
    });
    const all = await judgeAll(town, timers, spells);
    const complaints = [...tell(all), ...failovers(town, spells)];
    for (const line of gapTable(spells, all)) say(line);
    expect(complaints).toEqual([]);
  },
);

/** The time without a leader, after each fault that took one. */
function failovers({ nodes }: Town, spells: readonly Spell[]): readonly string[] {
  const reigns = reignsIn(logLines(nodes));
  for (const { node, term, ledAt, start } of reigns)
    say(`term ${term}: ${node} from ${iso(ledAt)}, works ${start - ledAt} ms later`);
  const taken = spells.filter(
    ({ wasLeader, start, stop, kind }) => wasLeader && (kind !== "cable" || stop - start > CUT_MS),
  );
  return taken.flatMap((spell) => {
    const ms = failoverMs(reigns, spell.start);
    say(`without a leader for ${ms} ms: ${spellText(spell)}`);
    return ms !== undefined && ms <= FAILOVER_MS ? [] : [`no leader for ${ms} ms: ${spellText(spell)}`];
  });
}

/** For a person who looks for the cause of a complaint. */
async function keepLogs({ nodes }: Town): Promise<void> {
  const folder = process.env["EVENING_LOGS"];
  if (folder === undefined) return;
  for (const { name, recorder } of nodes) await writeFile(join(folder, `${name}.log`), recorder.said);
}
