import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeSecretsFile } from "../../../src/recorder/config/secrets.ts";
import { GUIDE, type Hosted, hosted, SHOW_ID } from "../../guide-server/hosted.ts";
import { loopback } from "../../guide-wire/loopback.ts";
import { commandLine } from "../command-line.ts";

const API_KEY = "k3y/+ of the application";
const [SYDNEY, PERTH] = GUIDE.regions;
const [RECORDERD] = GUIDE.manufacturers;
const LOUNGE = { id: 1, uid: "AA:BB", label: "Lounge", type_id: 1 };

let service: Hosted;
let folder = "";
let secrets = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cli-guide-"));
  secrets = join(folder, "secrets.yaml");
  service = await hosted({ apiKey: API_KEY });
  await writeSecretsFile(secrets, {
    apiKey: API_KEY,
    account: { email: service.email, token: service.token },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const guide = (...args: readonly string[]) => ask("guide", ...args);

/** `recorderd …`, which must succeed and show no secret. */
async function ask(...args: readonly string[]): Promise<string> {
  const access = ["--url", service.baseUrl, "--secrets", secrets];
  const { out, err, code } = await commandLine([...args, ...access], { clock: service.clock });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  for (const secret of [API_KEY, service.token]) expect(out).not.toContain(secret);
  return out;
}

it("recorderd record and cancel book a show and delete its timer", async () => {
  const out = await ask("record", "--show", String(SHOW_ID), "--device", "1", "--json");
  const { id } = JSON.parse(out).timers[0];
  expect(await service.server.timers(service.email)).toMatchObject([{ id, action: "record" }]);
  await ask("cancel", id);
  expect(await service.server.timers(service.email)).toMatchObject([{ id, action: "forget" }]);
  await guide("timers", "set", id, "--state", "completed");
});

describe.each(["json", "xml"])("recorderd guide with --wire %s", (wire) => {
  const table = (...args: readonly string[]) => guide(...args, "--wire", wire);
  const value = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await table(...args, "--json"));

  it("lists the regions", async () => {
    expect(await value("regions")).toEqual({ regions: GUIDE.regions });
    expect(await table("regions")).toBe(
      "id  name    city    state  country    time zone\n" +
        "1   Sydney  Sydney  NSW    Australia  Australia/Sydney\n" +
        "2   Perth   Perth   WA     Australia  AWST-8",
    );
  });

  it("shows one region", async () => {
    expect(await value("region", "2")).toEqual({ regions: [PERTH] });
    const rows = Object.entries(PERTH ?? {}).map(([name, field]) => `${name.padEnd(14)}  ${field}`);
    expect((await table("region", "2")).split("\n").sort()).toEqual(rows.sort());
  });

  it("lists the channels of all regions, or of one", async () => {
    expect(await value("channels")).toEqual({ regions: GUIDE.regions, channels: GUIDE.channels });
    expect(await value("channels", "all")).toEqual({ regions: GUIDE.regions, channels: GUIDE.channels });
    expect(await value("channels", "1")).toEqual({ regions: [SYDNEY], channels: GUIDE.channels });
    expect(await value("channels", "2")).toEqual({ regions: [PERTH], channels: [] });
    expect(await table("channels", "1")).toBe(
      "id  number  name                  HD  region  network  triplets\n" +
        "7   20,21   Harbour <One> & “Co”  HD  Sydney  Harbour  4112/545/544\n" +
        "8           No triplet                Sydney  Harbour",
    );
    expect(await table("channels", "2")).toBe("nothing");
  });

  it("lists the manufacturers, and shows one", async () => {
    expect(await value("manufacturers")).toEqual({ manufacturers: [RECORDERD] });
    expect(await value("manufacturers", "1")).toEqual({ manufacturers: [RECORDERD] });
    expect(await table("manufacturers")).toBe("id  name\n1   recorderd");
    expect(await table("manufacturers", "1")).toBe("id    1\nname  recorderd");
  });

  it("lists the device types", async () => {
    expect(await value("device-types")).toMatchObject({
      types: expect.arrayContaining([...GUIDE.types]),
    });
    const rows = (await table("device-types")).split("\n").map((row) => row.split(/ {2,}/));
    expect(rows.slice(0, 4).map(([id, model]) => [id, model])).toEqual([
      ["id", "model"],
      ["1", "Daemon"],
      ["2", "Box"],
      ["22", "Set-top box (type 22)"],
    ]);
  });

  it("lists the devices with their types, and shows one", async () => {
    expect(await value("devices", "list")).toMatchObject({ types: [{ id: 1 }], devices: [LOUNGE] });
    expect(await value("devices", "show", "1")).toMatchObject({ types: [{ id: 1 }], devices: [LOUNGE] });
    expect(await table("devices", "list")).toMatch(/\n1 +Lounge +AA:BB +1 +Daemon +recorderd$/);
    expect(await table("devices", "show", "1")).toMatch(/^id +1\nuid +AA:BB\nlabel +Lounge\ntype_id +1/);
  });

  it("adds a device, changes and deletes it", async () => {
    const uid = `uid of ${wire}`;
    const added = await value("devices", "add", "--label", "Küche <2>", "--type", "2", "--uid", uid);
    const { devices } = added as { readonly devices: readonly [{ readonly id: number }] };
    const id = String(devices[0].id);
    expect(devices).toMatchObject([{ uid, label: "Küche <2>", type_id: 2 }]);
    expect(await value("devices", "set", id, "--label", "Den")).toMatchObject({
      devices: [{ uid, label: "Den", type_id: 2 }],
    });
    expect(await table("devices", "set", id, "--type", "1")).toMatch(/label +Den\ntype_id +1/);
    expect(await table("devices", "delete", id)).toBe(`device ${id}: deleted`);
    expect(await value("devices", "list")).toMatchObject({ devices: [LOUNGE] });
  });

  it("adds a timer for a show, shows it, changes and deletes it", async () => {
    const padding = ["--pre", "2", "--post", "5", "--message", 'mind "the" <gap> & é'];
    const added = await value("timers", "add", "--show", String(SHOW_ID), "--device", "1", ...padding);
    const { timers } = added as { readonly timers: readonly [{ readonly id: string }] };
    const { id } = timers[0];
    const timer = {
      id,
      name: "Été & <Winter>",
      show_id: SHOW_ID,
      device_id: 1,
      channel_id: 7,
      start_time: "2026-11-20T10:00:00+00:00",
      duration_minutes: 60,
      action: "record",
      state: "waiting",
      message: 'mind "the" <gap> & é',
      "pre-padding": 2,
      "post-padding": 5,
    };
    expect(timers).toMatchObject([timer]);
    const change = ["--state", "running", "--message", "on air", "--pre", "0", "--padding-type", "soft"];
    expect(await value("timers", "set", id, ...change)).toMatchObject({
      timers: [{ ...timer, state: "running", message: "on air", "pre-padding": 0, "padding-type": "soft" }],
    });
    expect((await service.server.timerReports(id)).at(-1)).toMatchObject({
      state: "running",
      message: "on air",
    });
    expect(await table("timers", "set", id, "--post", "9", "--device", "1")).toMatch(/post-padding +9/);
    expect(await value("timers", "show", id)).toMatchObject({ timers: [{ id, "post-padding": 9 }] });
    expect(await table("timers", "show", id)).toMatch(/^id +\d+\nname +Été & <Winter>\n/);
    expect(await value("timers", "delete", id)).toBeNull();
    expect(await service.server.timers(service.email)).toMatchObject([{ id, action: "forget" }]);
    expect(await table("timers", "set", id, "--state", "completed")).toMatch(/state +completed/);
    expect(await service.server.timers(service.email)).toEqual([]);
  });

  it("adds a timer by channel and time, and lists it", async () => {
    const event = [
      "--channel",
      "8",
      "--start",
      "2026-11-20T23:30+11:00",
      "--minutes",
      "90",
      "--name",
      "Late",
    ];
    const added = await value("timers", "add", ...event, "--device", "1");
    const { timers } = added as { readonly timers: readonly [{ readonly id: string }] };
    expect(timers).toMatchObject([{ start_time: "2026-11-20T12:30:00+00:00", duration_minutes: 90 }]);
    const { id } = timers[0];
    expect(await value("timers", "list")).toMatchObject({ timers: [{ id, channel_id: 8, name: "Late" }] });
    const listed = (await table("timers", "list")).split("\n");
    expect(listed[0]).toMatch(/^id +start \(.+\) +length +name +channel +device +action +state$/);
    expect(listed[1]).toMatch(/^\d+ +2026-11-2\d \d\d:\d\d +1 h 30 min +Late +8 +1 +record +\w+$/);
    expect(await table("timers", "delete", id)).toBe(`timer ${id}: deleted`);
    await guide("timers", "set", id, "--state", "completed");
    expect(await table("timers", "list")).toBe("nothing");
    const mistyped = ["guide", "timers", "delete", "4711", "--url", service.baseUrl, "--secrets", secrets];
    expect(await commandLine(mistyped, { clock: service.clock })).toMatchObject({ code: 1, out: "" });
  });

  it("lists the most popular series with their titles", async () => {
    const { most_popular } = (await value("popular")) as { readonly most_popular: readonly object[] };
    expect(most_popular[0]).toMatchObject({ series_id: "s1", popularity_ratio: 1 });
    expect(await table("popular")).toMatch(
      /^place +series +title +votes +ratio\n1 +s1 +Nordlichter – été +\d +1\.00\n2 +s2 +New thing +1 /,
    );
  });

  it("finds future shows by series, channel or title for a booking", async () => {
    const ids = async (...args: readonly string[]) => {
      const { shows } = (await value("shows", ...args)) as {
        readonly shows: readonly { readonly id: number }[];
      };
      return shows.map(({ id }) => id);
    };
    expect(await ids()).toEqual([SHOW_ID, 13]);
    expect(await ids("--series", "s2")).toEqual([13]);
    expect(await ids("--channel", "7")).toEqual([SHOW_ID]);
    expect(await ids("--channel", "9")).toEqual([]);
    expect(await ids("--title", "éTÉ")).toEqual([SHOW_ID]);
    expect(await ids("--title", "new", "--channel", "7")).toEqual([]);
    expect(await value("shows", "--series", "s2")).toMatchObject({
      shows: [{ id: 13, channel_id: 8, start: "2026-11-20T15:00:00+00:00", title: "New thing" }],
      timers: [],
    });
    expect(await table("shows")).toMatch(
      /^id +start \(.+\) +length +channel +title\n11 +2026-11-\d\d \d\d:\d\d +1 h +7 Harbour <One> & “Co” +Été & <Winter>\n13 .* 30 min +8 No triplet +New thing$/,
    );
    expect(await table("shows", "--title", "nowhere to be found")).toBe("nothing");
  });

  it("lists the new shows with their titles", async () => {
    expect(await value("new-shows")).toMatchObject({
      new_shows: [
        { series_id: "s2", channel_id: 8 },
        { series_id: "s3", start_date: "Coming Soon" },
      ],
    });
    expect(await table("new-shows")).toMatch(
      /^series +title +begins +channel\ns2 +New thing +\w+, 2\d November 2026 +8\ns3 +Not yet +Coming Soon$/,
    );
  });
});

describe("recorderd guide shows", () => {
  it("leaves out past and cancelled shows in every time format, and keeps undated ones", async () => {
    const show = (id: number, more: object) => ({
      id,
      channel_id: 1,
      title: `Show ${id}`,
      stop: "",
      start: "",
      ...more,
    });
    const [hour, now] = [3600, service.clock.now() / 1000];
    const shows = [
      show(1, { start_unix: now + 2 * hour, stop_unix: now + 3 * hour }),
      show(2, { start_unix: now - hour, stop_unix: now }),
      show(3, { start_unix: now - hour, stop_unix: now + 1 }),
      show(4, { start_unix: now + hour, stop_unix: now + 2 * hour, deleted_record: 1 }),
      show(5, { start: "tomorrow" }),
    ];
    await using server = await loopback((_, response) => response.end(JSON.stringify({ shows })));
    const access = ["--url", server.origin, "--secrets", secrets];
    const { out } = await commandLine(["guide", "shows", ...access, "--json"], { clock: service.clock });
    expect(JSON.parse(out).shows.map(({ id }: { readonly id: number }) => id)).toEqual([5, 3, 1]);
    expect(server.seen[0]?.query).toMatchObject({ last_update_time: "0", hide_timers: "1" });
  });
});

describe("--wire with --url", () => {
  it("sets the wire format, JSON by default", async () => {
    await using server = await loopback((_, response) => response.end('{"regions":[]}'));
    const regions = ["guide", "regions", "--url", server.origin];
    for (const wire of [["--wire", "xml"], ["--wire", "json"], []]) await commandLine([...regions, ...wire]);
    const [xml, json] = ["application/xml", "application/json"];
    expect(server.seen.map(({ headers }) => headers.accept)).toEqual([xml, json, json]);
  });
});
