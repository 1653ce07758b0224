import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuideClient, type GuideClient } from "../../src/guide/client.ts";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { parseSource } from "../../src/guide-server/xmltv/source.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { createHttpClient, type HttpClient } from "../../src/kit/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import { HOUR } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/sim/virtual-clock.ts";
import { type Hosted, hosted, NOW } from "../guide-server/hosted.ts";
import { signal } from "./calls.ts";
import { FIELDS, type Fields } from "./fields.ts";

const NONE = { regions: [], channels: [], manufacturers: [], types: [], series: [], shows: [] };

/** `20261120090000 +0000` */
const xmltvTime = (at: number) => `${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)} +0000`;

/** Two channels without anything but a name, as most listings have them. */
function listing(): string {
  const channels = [1, 2].map(
    (n) => `<channel id="ch${n}.example"><display-name>C ${n}</display-name></channel>`,
  );
  const programmes = [1, 2].flatMap((n) =>
    Array.from({ length: 12 }, (_, hour) => {
      const [start, stop] = [NOW + hour * HOUR, NOW + (hour + 1) * HOUR].map(xmltvTime);
      const title = `<title>Show ${n} ${hour % 3}</title><sub-title>Part ${hour}</sub-title>`;
      return `<programme start="${start}" stop="${stop}" channel="ch${n}.example">${title}</programme>`;
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?><tv>${channels.join("")}${programmes.join("")}</tv>`;
}

async function listedGuide(http: HttpClient): Promise<Hosted> {
  const dataFolder = await mkdtemp(join(tmpdir(), "recorderd-guide-listed-"));
  const file = join(dataFolder, "listing.xml");
  await writeFile(file, listing());
  const source = parseSource(file);
  if (source === undefined) throw new Error("no source");
  const clock = createVirtualClock(NOW);
  const server = await openGuideServer({ dataFolder, clock, log: silentLog });
  const fetching = { http, clock, folder: dataFolder, env: {}, signal };
  const place = { city: "Trier", country: "Germany", country_code_3: "DEU" };
  await server.readListings({ sources: [source], table: new Map(), fetching, place });
  await server[Symbol.asyncDispose]();
  return hosted({ dataFolder, guide: NONE });
}

const demoGuide = () => hosted({ guide: seedDemo({ seed: 1, now: NOW, channels: 4 }) });

/** Every record has every field of its kind, each of its type. */
function expectFields(records: readonly object[], fields: Fields): void {
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    const types = Object.keys(fields).map((name) => [name, typeof Reflect.get(record, name)]);
    expect(Object.fromEntries(types)).toEqual(fields);
  }
}

describe.each(["demo", "listing"] as const)("a guide made from a %s", (made) => {
  describe.each(["json", "xml"] as const)("in %s", (wire) => {
    let http: HttpClient;
    let guide: Hosted;
    let client: GuideClient;
    beforeAll(async () => {
      http = createHttpClient();
      guide = made === "demo" ? await demoGuide() : await listedGuide(http);
      const credentials = () => guide;
      const app = { apiKey: "k", applicationVersion: "recorderd/contract" };
      client = createGuideClient({
        ...{ baseUrl: guide.baseUrl, ...app, wire, clock: systemClock(), credentials, http },
      });
    });
    afterAll(async () => {
      await http.close();
      await guide[Symbol.asyncDispose]();
    });

    it("has regions, together and one by one, with every field", async () => {
      const { regions } = (await client.regions(signal)).value;
      expectFields(regions, FIELDS.region);
      const [region] = regions;
      expect((await client.region(region?.id ?? 0, signal)).value.regions).toEqual([region]);
      if (made === "listing")
        expect(region).toMatchObject({ city: "Trier", state: "Trier", country_code_3: "DEU" });
    });

    it("has channels, of all regions and of one, with every field", async () => {
      const { channels, regions } = (await client.channels(signal)).value;
      expectFields(channels, FIELDS.channel);
      const of = (await client.regionChannels(regions[0]?.id ?? 0, signal)).value;
      expect(of).toEqual({ regions: [regions[0]], channels });
    });

    it("has manufacturers and device types with every field", async () => {
      const { manufacturers } = (await client.manufacturers(signal)).value;
      expectFields(manufacturers, FIELDS.manufacturer);
      expectFields((await client.deviceTypes(signal)).value.types, FIELDS.type);
      const [first] = manufacturers;
      expect((await client.manufacturer(first?.id ?? "", signal)).value.manufacturers).toEqual([first]);
    });

    it("has devices of any type with every field", async () => {
      const added = (await client.addDevices([{ label: "Box", uid: "u", type_id: 31 }], signal)).value;
      expectFields(added.devices, FIELDS.device);
      const all = (await client.devices(signal)).value;
      expectFields(all.devices, FIELDS.device);
      expectFields(all.types, FIELDS.type);
    });

    it("has shows that can be booked, and lists of what is popular and new, with every field", async () => {
      const { shows } = (await client.shows({}, signal)).value;
      expectFields(shows, FIELDS.show);
      const show = shows.find((one) => (one.start_unix ?? 0) * 1000 > NOW);
      const order = { show_id: show?.id ?? 0, device_id: guide.deviceId };
      const booked = (await client.addTimer(order, signal)).value.timers;
      expectFields(booked, FIELDS.timer);
      expect(booked[0]).toMatchObject({ eit_id: show?.eit_id, name: show?.title });
      expectFields((await client.timers(signal)).value.timers, FIELDS.timer);
      const { most_popular, series_info } = (await client.mostPopular(signal)).value;
      expectFields(most_popular, FIELDS.popular);
      expect(most_popular[0]?.popularity_ratio).toBe(1);
      expect(series_info.length).toBe(most_popular.length);
      const { new_shows } = (await client.newShows(signal)).value;
      if (made === "demo") expectFields(new_shows, FIELDS.newShow);
    });
  });
});
