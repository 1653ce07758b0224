import { type DashboardDoor, openDashboardDoor } from "../../bench/dashboard-door.ts";
import { largeWorld } from "../../bench/dashboard-world.ts";
import type { Channel } from "../../src/model/service.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";

/** One has no place to break, the other none but letters. */
export const LONG_TITLES = [
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "連続テレビ小説「春になったら故郷の海辺の町で暮らす家族のもとへ帰る人々の長い物語」第百五十六回",
] as const;
const titleOf = (at: number) => `${LONG_TITLES[at % LONG_TITLES.length]} ${at + 1}`;

/** A recorder with more than a simulated one can plan in a test: its answers are made up. */
export async function openLargeHousehold(size: {
  readonly channels: number;
  readonly timers: number;
  readonly entries: number;
}): Promise<DashboardDoor> {
  const now = Date.now();
  const world = largeWorld(now, size);
  const recordings = world.snapshot.recordings.map((one, at) => ({ ...one, name: titleOf(at) }));
  const entries = world.entries.map((one, at) => ({ ...one, name: titleOf(at) }));
  const channels = Array.from({ length: size.channels }, (_, at) => channelOf(at));
  return openDashboardDoor({
    snapshot: () => ({ ...world.snapshot, recordings }),
    entries: () => entries,
    channels,
    shows: channels.flatMap((_, at) => showsOf(at, now)),
  });
}

function channelOf(at: number): Channel {
  const name =
    at % 3 === 0 ? `Österreichischer Regionalrundfunk Hauptprogramm ${at + 1}` : `Sender ${at + 1}`;
  return { id: String(at + 1), name, nameShort: name, knownNames: [], triplets: [], lcns: [at + 1] };
}

/** Shows of many lengths, some too short for letters. */
function showsOf(channel: number, now: number) {
  const shows = [];
  let start = Math.floor(now / HOUR) * HOUR - 3 * HOUR;
  for (let at = 0; at < 30; at += 1) {
    const stop = start + ([45, 5, 90, 10, 30][(at + channel) % 5] ?? 30) * MINUTE;
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
