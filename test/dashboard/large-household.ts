import { type DashboardDoor, openDashboardDoor } from "../../bench/dashboard-door.ts";
import { largeWorld } from "../../bench/dashboard-world.ts";
import type { Channel } from "../../src/model/service.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { historyOf, largeEvening, largeReach, largeRules, troubledTuners } from "./large-evening.ts";

/** One has no place to break, the other none but letters. */
export const LONG_TITLES = [
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "連続テレビ小説「春になったら故郷の海辺の町で暮らす家族のもとへ帰る人々の長い物語」第百五十六回",
] as const;
/** A recorder with more than a simulated one can plan in a test: its answers are made up. */
export async function openLargeHousehold({
  titles = LONG_TITLES,
  ...size
}: {
  readonly channels: number;
  readonly timers: number;
  readonly entries: number;
  /** Names of shows, each with a number behind it. */
  readonly titles?: readonly string[];
}): Promise<DashboardDoor> {
  const titleOf = (at: number) => `${titles[at % titles.length]} ${at + 1}`;
  const now = Date.now();
  const world = largeWorld(now, size);
  const recordings = world.snapshot.recordings.map((one, at) => ({ ...one, name: titleOf(at) }));
  const entries = world.entries.map((one, at) => ({ ...one, name: titleOf(at) }));
  const channels = Array.from({ length: size.channels }, (_, at) => channelOf(at));
  const count = size.timers < 100 ? 1 : 24;
  const [like] = recordings;
  const evening =
    like === undefined
      ? { recordings: [], conflicts: [], placements: [] }
      : largeEvening(like, { now, count, titleOf });
  const snapshot: Snapshot = {
    ...world.snapshot,
    recordings: [...recordings, ...evening.recordings],
    tuners: troubledTuners(world.snapshot.tuners, now),
    plan: {
      ...world.snapshot.plan,
      placements: [...world.snapshot.plan.placements, ...evening.placements],
      conflicts: evening.conflicts,
    },
    space: { level: "low", ...BYTES, fills: { at: now + 9 * HOUR, by: "plan" } },
    guide: {
      ...world.snapshot.guide,
      failure: { since: now - HOUR, code: "GUIDE_UNREACHABLE", text: "no answer" },
      reportsWaiting: size.timers,
      reportsSince: now - HOUR,
    },
  };
  return openDashboardDoor({
    snapshot: () => snapshot,
    entries: () => entries,
    channels,
    shows: channels.flatMap((_, at) => showsOf(at, { now, titleOf })),
    rules: largeRules(count, titleOf),
    reach: largeReach(channels),
    history: async () => historyOf(now),
    logLines: () =>
      Array.from({ length: count * 20 }, (_, at) => ({
        at: now - (count * 20 - at) * SECOND,
        level: at % 9 === 0 ? "error" : at % 5 === 0 ? "warn" : "info",
        message: "an attempt to record has ended",
        facts: {
          recording: titleOf(at),
          path: `/srv/recordings/${titleOf(at)}/${"0123456789".repeat(12)}.ts`,
        },
      })),
  });
}

const BYTES = {
  freeBytes: 79e9,
  totalBytes: 4e12,
  lowBytes: 80e9,
  stopBytes: 10e9,
  reservedBytes: 188e9,
  bytesPerSecond: 1e6,
};

function channelOf(at: number): Channel {
  const name =
    at % 3 === 0 ? `Österreichischer Regionalrundfunk Hauptprogramm ${at + 1}` : `Sender ${at + 1}`;
  return { id: String(at + 1), name, nameShort: name, knownNames: [], triplets: [], lcns: [at + 1] };
}

/** Shows of many lengths, some too short for letters. */
function showsOf(
  channel: number,
  { now, titleOf }: { readonly now: number; readonly titleOf: (at: number) => string },
) {
  const shows = [];
  let start = Math.floor(now / HOUR) * HOUR - 3 * HOUR;
  for (let at = 0; at < 30; at += 1) {
    const stop = start + ([45, 5, 90, 3, 2, 10, 30][(at + channel) % 7] ?? 30) * MINUTE;
    const programme = { subtitle: titleOf(at + 1), description: titleOf(at).repeat(8), seriesId: `s${at}` };
    shows.push({
      id: channel * 100 + at,
      channelId: channel + 1,
      title: titleOf(at),
      start,
      stop,
      programme,
    });
    start = stop;
  }
  return shows;
}
