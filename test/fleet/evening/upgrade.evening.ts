import { expect, it } from "vitest";
import { SECOND } from "../../../src/model/time.ts";
import { commandLine } from "../../cli/command-line.ts";
import { pause, temporaryFolder } from "../../main-job/recorder.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { book, judgeAll, startFleet } from "./fleet-run.ts";
import { channelOf, type EveningShow } from "./programme.ts";
import { whyNoSegment } from "./segment.ts";
import { iso, load, say, tell } from "./telling.ts";
import { openTown, type TownNode } from "./town.ts";

const why = whyNoPostgres() ?? whyNoSegment();
const BOOT_MS = 75 * SECOND;
const SHOWS = 4;

/** Each node records one, and one of them two. */
function shows(begin: number): readonly EveningShow[] {
  return Array.from({ length: SHOWS }, (_, index) => ({
    ...{ channel: channelOf(index), title: `Upgrade ${index + 1}` },
    ...{ start: begin + index * 5 * SECOND, durationMs: 200 * SECOND },
  }));
}

async function fleet({ recorder }: TownNode, ...words: readonly string[]): Promise<void> {
  const { code, out, err } = await commandLine(["fleet", ...words, "--config", recorder.config]);
  say(`recorderd fleet ${words.join(" ")}: ${out || err}; ${load()}`);
  expect(code).toBe(0);
}

/** Another version of the program would begin here. */
async function restart({ recorder }: TownNode): Promise<void> {
  const from = recorder.said.length;
  await recorder.stop();
  recorder.launch();
  const working = /the leader of the fleet may use the tuners of this node|recorderd is running/;
  await expect.poll(() => recorder.said.slice(from), { timeout: 90_000 }).toMatch(working);
}

it.skipIf(why !== undefined).each([
  [
    "drained first",
    async (node: TownNode) => {
      await fleet(node, "drain", node.name);
      await restart(node);
      await fleet(node, "resume", node.name);
    },
  ],
  [
    "just restarted",
    async (node: TownNode) => {
      say(`restarting ${node.name} at ${iso(Date.now())}; ${load()}`);
      await restart(node);
      // A person looks at the next machine.
      await pause(10 * SECOND);
    },
  ],
] as const)(
  `a fleet whose nodes are %s for an upgrade loses no packet${why === undefined ? "" : ` (${why})`}`,
  { timeout: 900 * SECOND },
  async (_how, upgrade) => {
    await using folder = await temporaryFolder();
    const begin = Math.ceil((Date.now() + BOOT_MS) / SECOND) * SECOND;
    await using town = await openTown(folder.path, { shows: shows(begin), tuners: 2, withReplica: false });
    await startFleet(town);
    const timers = await book(town, shows(begin));
    await pause(begin + 25 * SECOND - Date.now());
    for (const node of town.nodes) await upgrade(node);
    const all = await judgeAll(town, timers, []);
    expect(tell(all)).toEqual([]);
    expect(all.flatMap(({ holes }) => holes)).toEqual([]);
  },
);
