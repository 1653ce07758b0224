import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import type { GuideClient } from "../../src/guide-wire/client.ts";
import { type Hosted, hosted, NOW } from "../guide-server/hosted.ts";
import { signal } from "./calls.ts";
import { openParties, type Parties } from "./parties.ts";

type FieldType = "number" | "string";
type Fields = Readonly<Record<string, FieldType>>;

/** Fields that the interface gives to each record, with their JSON types. Those of icons and triplets may be absent. */
const FIELDS = {
  region: {
    ...{ id: "number", name: "string", city: "string", state: "string", country: "string" },
    ...{ country_code_3: "string", timezone: "string" },
  },
  channel: {
    ...{ id: "number", name: "string", name_short: "string", network_id: "number", region_id: "number" },
    ...{ is_hd: "number", lcns: "string", region_name: "string", network_name: "string" },
    is_hidden: "number",
  },
  manufacturer: { id: "string", name: "string", url: "string" },
  type: {
    ...{ id: "number", manufacturer_id: "number", manufacturer_name: "string" },
    ...{ manufacturer_url: "string", model: "string", notes: "string", can_have_device_sub: "number" },
  },
  device: { id: "number", uid: "string", label: "string", type_id: "number" },
  timer: {
    ...{ id: "string", name: "string", device_id: "number", channel_id: "number", show_id: "number" },
    ...{ start_time: "string", duration_minutes: "number", action: "string", state: "string" },
    ...{ message: "string", series_recording_id: "number", keyword_id: "number", eit_id: "number" },
  },
  show: {
    ...{ id: "number", channel_id: "number", series_id: "string", episode_id: "string", start: "string" },
    ...{ stop: "string", start_unix: "number", stop_unix: "number", title: "string", eit_id: "number" },
  },
  popular: { series_id: "string", num_votes: "number", popularity_ratio: "number" },
  newShow: { series_id: "string", start_date: "string", channel_id: "number" },
} as const satisfies Readonly<Record<string, Fields>>;

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
    let parties: Parties;
    let demo: Hosted;
    let client: GuideClient;
    beforeAll(async () => {
      parties = await openParties(wire, "from a listing");
      demo = await hosted({ guide: seedDemo({ seed: 1, now: NOW, channels: 4 }) });
      client = made === "demo" ? parties.clientOf(demo) : parties.client();
    });
    afterAll(async () => {
      await parties[Symbol.asyncDispose]();
      await demo[Symbol.asyncDispose]();
    });

    it("has regions, in lists and alone, with every field", async () => {
      const { regions } = (await client.regions(signal)).value;
      expectFields(regions, FIELDS.region);
      const [region] = regions;
      expect((await client.region(region?.id ?? 0, signal)).value.regions).toEqual([region]);
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

    it("has bookable shows, and lists of popular and new ones, with every field", async () => {
      const { shows } = (await client.shows({}, signal)).value;
      expectFields(shows, FIELDS.show);
      const show = shows.find((one) => (one.start_unix ?? 0) * 1000 > NOW);
      const order = {
        show_id: show?.id ?? 0,
        device_id: made === "demo" ? demo.deviceId : parties.server.deviceId,
      };
      const booked = (await client.addTimer(order, signal)).value.timers;
      expectFields(booked, FIELDS.timer);
      expect(booked[0]).toMatchObject({ eit_id: show?.eit_id, name: show?.title });
      expectFields((await client.timers(signal)).value.timers, FIELDS.timer);
      const { most_popular, series_info } = (await client.mostPopular(signal)).value;
      expectFields(most_popular, FIELDS.popular);
      expect(most_popular[0]?.popularity_ratio).toBe(1);
      expect(series_info.length).toBe(most_popular.length);
      // Listings do not say which series are new.
      const { new_shows } = (await client.newShows(signal)).value;
      if (made === "demo") expectFields(new_shows, FIELDS.newShow);
    });
  });
});
