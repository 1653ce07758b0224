import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { parseSource } from "../../src/guide-server/xmltv/source.ts";
import type {
  Channel,
  DeviceType,
  Manufacturer,
  NewShowEntry,
  Region,
} from "../../src/guide-wire/records.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import { HOUR } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { GUIDE, type Hosted, hosted, NOW, PASSED_SHOW_ID, SHOW_ID } from "../guide-server/hosted.ts";

export const NOTHING = { regions: [], channels: [], manufacturers: [], types: [], series: [], shows: [] };

/** How a guide came to be: published record by record, or read from a listing. */
export const MADE = ["by hand", "from a listing"] as const;
export type Made = (typeof MADE)[number];

interface ShowFact {
  readonly id: number;
  readonly channelId: number;
  readonly title: string;
}

interface SeriesFact {
  readonly id: string;
  readonly title: string;
  readonly episode_count?: number;
}

/** A server, and what is in its guide. */
export interface Subject {
  readonly server: Hosted;
  readonly regions: readonly Region[];
  /** The first is the one on which anything is booked. */
  readonly channels: readonly [Channel, Channel];
  readonly manufacturers: readonly Manufacturer[];
  /** The first is that of the account's device. */
  readonly types: readonly [DeviceType, DeviceType];
  /** The show of the first series. */
  readonly show: ShowFact;
  readonly passedShowId: number;
  /** All that there is of the second series, and of the second channel. */
  readonly lone: ShowFact;
  /** By popularity; nothing of the third is on the air soon. */
  readonly series: readonly [SeriesFact, SeriesFact, SeriesFact];
  /** Ids of the series with a broadcast, by title: É comes before N. */
  readonly seriesByTitle: readonly string[];
  readonly newShows: readonly NewShowEntry[];
}

export function openSubject(made: Made): Promise<Subject> {
  return made === "by hand" ? byHand() : fromListing();
}

async function byHand(): Promise<Subject> {
  const { regions, channels, manufacturers, types } = GUIDE;
  return {
    server: await hosted(),
    ...{ regions, manufacturers },
    channels: twoOf(channels),
    types: twoOf(types),
    show: { id: SHOW_ID, channelId: 7, title: "Été & <Winter>" },
    passedShowId: PASSED_SHOW_ID,
    lone: { id: 13, channelId: 8, title: "New thing" },
    series: [
      { id: "s1", title: "Nordlichter – été" },
      { id: "s2", title: "New thing", episode_count: 1 },
      { id: "s3", title: "Not yet" },
    ],
    seriesByTitle: ["s1", "s2"],
    newShows: [
      { series_id: "s2", start_date: "Saturday, 21 November 2026", channel_id: 8 },
      { series_id: "s3", start_date: "Coming Soon", channel_id: 0 },
    ],
  };
}

const TITLES = { first: "Été & <Winter>", second: "New thing", third: "Not yet", passed: "Over" } as const;

/** Two channels with only a name, as in most listings. */
const LISTING = `<?xml version="1.0" encoding="UTF-8"?><tv>
<channel id="one.example"><display-name>Harbour &amp; One</display-name></channel>
<channel id="two.example"><display-name>Two</display-name></channel>
${programme("one.example", TITLES.passed, { from: -2, hours: 1 })}
${programme("one.example", TITLES.first, { from: 1, hours: 1 })}
${programme("one.example", TITLES.third, { from: 30 * 24, hours: 1 })}
${programme("two.example", TITLES.second, { from: 6, hours: 0.5 })}
</tv>`;

function programme(
  channel: string,
  title: string,
  { from, hours }: { readonly from: number; readonly hours: number },
): string {
  const [start, stop] = [from, from + hours].map(
    (hour) => `${new Date(NOW + hour * HOUR).toISOString().replace(/\D/g, "").slice(0, 14)} +0000`,
  );
  const text = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<programme start="${start}" stop="${stop}" channel="${channel}"><title>${text}</title></programme>`;
}

async function fromListing(): Promise<Subject> {
  const server = await listedServer();
  const { shows } = (await server.ask({ method: "GET", path: "/shows" })).read("shows");
  const showOf = (title: string) => {
    const [show] = shows.filter((one) => one.title === title);
    return { id: show?.id ?? 0, channelId: show?.channel_id ?? 0, seriesId: show?.series_id ?? "", title };
  };
  const series = (title: string): SeriesFact => ({ id: showOf(title).seriesId, title, episode_count: 1 });
  const [first, second, third] = [series(TITLES.first), series(TITLES.second), series(TITLES.third)];
  const [show, lone] = [showOf(TITLES.first), showOf(TITLES.second)];
  await vote(server, [show.id, lone.id]);
  const maker = { manufacturer_id: 1, manufacturer_name: "recorderd", manufacturer_url: "" };
  const box = { manufacturer_id: 0, manufacturer_name: "", manufacturer_url: "", notes: "" };
  const notes = "Records what the account's timers order.";
  return {
    server,
    regions: [
      {
        ...{ id: 1, name: "Home", city: "Trier", state: "Trier", country: "Germany" },
        ...{ country_code_3: "DEU", timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
      },
    ],
    channels: [listedChannel(show.channelId, "Harbour & One"), listedChannel(lone.channelId, "Two")],
    manufacturers: [{ id: "1", name: "recorderd", url: "" }],
    types: [
      { id: 1, ...maker, model: "Daemon", notes, can_have_device_sub: 0 },
      { id: 22, ...box, model: "Set-top box (type 22)", can_have_device_sub: 0 },
    ],
    ...{ show, lone, passedShowId: showOf(TITLES.passed).id },
    series: [first, second, third],
    seriesByTitle: [first.id, second.id],
    newShows: [],
  };
}

function listedChannel(id: number, name: string): Channel {
  return {
    ...{ id, name, name_short: name, network_id: 0, region_id: 1, is_hd: 0, lcns: "" },
    ...{ region_name: "Home", network_name: "", is_hidden: 0 },
  };
}

async function listedServer(): Promise<Hosted> {
  const dataFolder = await mkdtemp(join(tmpdir(), "recorderd-guide-listed-"));
  const file = join(dataFolder, "listing.xml");
  await writeFile(file, LISTING);
  const source = parseSource(file);
  if (source === undefined) throw new Error("no source");
  // Before anything of it is over: a listing brings nothing that is.
  const clock = createVirtualClock(NOW - 3 * HOUR);
  const http = createHttpClient();
  const server = await openGuideServer({ dataFolder, clock, log: silentLog });
  const fetching = { http, clock, folder: dataFolder, env: {}, signal: new AbortController().signal };
  const place = { city: "Trier", country: "Germany", country_code_3: "DEU" };
  await server.readListings({ sources: [source], table: new Map(), fetching, place });
  await http.close();
  await server[Symbol.asyncDispose]();
  return hosted({ dataFolder, guide: NOTHING });
}

/** Two households want the first show, one of them the second as well. */
async function vote({ server }: Hosted, [first, second]: readonly [number, number]): Promise<void> {
  for (const [email, shows] of [
    ["one@example.org", [first]],
    ["two@example.org", [first, second]],
  ] as const) {
    await server.addAccount({ email, password: "of no use" });
    const device_id = await server.addDevice(email, { label: "Box", type_id: 1 });
    for (const show_id of shows) await server.addTimer(email, { device_id, show_id });
  }
}

function twoOf<T>([first, second]: readonly T[]): readonly [T, T] {
  if (first === undefined || second === undefined) throw new Error("there are not two");
  return [first, second];
}
