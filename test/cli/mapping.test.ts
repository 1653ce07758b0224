import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY } from "../../src/model/time.ts";
import { writeSecretsFile } from "../../src/recorder/config/secrets.ts";
import { DASHBOARD } from "../../src/web/listener/static.ts";
import { type Hosted, hosted, NOW, PASSWORD } from "../guide-server/hosted.ts";
import { listing } from "../guide-server/xmltv/listing.ts";
import { readListings } from "../guide-server/xmltv/read-listings.ts";
import { commandLine } from "./command-line.ts";

const START = NOW + DAY;
/** The guide's channel 8 has that name and no triplet; it has no channel of the other name. */
const CHANNELS = { "eight.example": "No triplet", "salt.example": "Salt TV" };

let guide: Hosted;
let at: readonly string[];
let file: string;
beforeAll(async () => {
  guide = await hosted({ pages: { folder: DASHBOARD, silentAfterMs: 5 * DAY } });
  const secrets = join(guide.folder, "secrets.yaml");
  await writeSecretsFile(secrets, { apiKey: "k", account: { email: guide.email, token: guide.token } });
  at = ["--url", guide.baseUrl, "--secrets", secrets];
  file = join(guide.folder, "listing.xml");
  const slots = Object.keys(CHANNELS).map((channel) => ({
    channel,
    start: START,
    minutes: 60,
    title: "News",
  }));
  await writeFile(file, listing(CHANNELS, slots));
  await readAll();
});
afterAll(() => guide[Symbol.asyncDispose]());

async function readAll(): Promise<readonly string[]> {
  return (await readListings(guide, file)).map(({ kind }) => kind);
}

const says = (...args: readonly string[]) =>
  commandLine(["guide", "mapping", ...args, ...at], { columns: 200 });
const report = async (...args: readonly string[]) => JSON.parse((await says(...args, "--json")).out);
const titles = async (channel: number) =>
  (await guide.ask({ method: "GET", path: `/shows?channel_id=${channel}` }))
    .read("shows")
    .shows.filter(({ start_unix = 0 }) => start_unix * 1000 === START)
    .map(({ title }) => title);

describe("channels of a listing", () => {
  it("are reported with their matches; unmatched channels of both sides are listed", async () => {
    const { listed, unfed } = await report();
    expect(listed).toMatchObject([
      { id: "eight.example", by: "name", channelId: 8 },
      { id: "salt.example", by: "new" },
    ]);
    expect(unfed).toMatchObject([{ id: 7 }]);
    expect((await says("--missing")).out).toMatch(/salt\.example +Salt TV +new/);
    expect((await says()).out).toMatch(/Without a listing:\nid +name/);
    const [, salt] = listed;
    // A second reading without changes keeps the report.
    expect(await readAll()).toEqual(["unchanged"]);
    expect((await report()).listed[1]).toEqual(salt);
  });

  it("keep a manual mapping in later imports, and lose the shows of the old match", async () => {
    expect(await titles(8)).toEqual(["News"]);
    const woken = guide.server.mappingsChanged.wait(new AbortController().signal);
    expect((await says("--set", "eight.example = channel 7")).code).toBe(0);
    await woken;
    expect((await report()).listed[0]).toMatchObject({ channelId: 8, isPending: true });
    expect(await readAll()).toEqual(["read"]);
    expect((await report()).listed[0]).toMatchObject({ by: "table", channelId: 7, isPending: false });
    expect([await titles(7), await titles(8)]).toEqual([["News"], []]);
    expect(await readAll()).toEqual(["unchanged"]);

    expect((await says("--unset", "eight.example")).code).toBe(0);
    expect(await readAll()).toEqual(["read"]);
    expect((await report()).listed[0]).toMatchObject({ by: "name", channelId: 8 });
    expect([await titles(7), await titles(8)]).toEqual([[], ["News"]]);
  });

  it("give a channel the triplet that a user enters, without a duplicate channel", async () => {
    const before = (await report()).listed[1];
    await says("--set", "salt.example = 0x1010/0x0300/0x0301");
    await readAll();
    expect((await report()).listed[1]).toMatchObject({ channelId: before.channelId, by: "table" });
    const { channels } = (await guide.ask({ method: "GET", path: "/regions/channels" })).read("channels");
    expect(channels.filter(({ name }) => name === "Salt TV")).toMatchObject([
      {
        id: before.channelId,
        dvb: [{ original_network_id: 0x1010, transport_stream_id: 0x300, service_id: 0x301 }],
      },
    ]);
  });

  it("cannot be mapped to an unknown target, or by a later account", async () => {
    expect(await says("--set", "salt.example = somewhere")).toMatchObject({
      code: 65,
      err: expect.stringContaining("Expected ONID/TSID/SID"),
    });
    expect((await says("--set", "salt.example = channel 999")).code).toBe(65);
    await guide.server.addAccount({ email: "later@example.org", password: PASSWORD });
    const session = await fetch(`${guide.baseUrl}/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user: "later@example.org", password: PASSWORD }),
    });
    const { csrfToken } = (await session.json()) as { readonly csrfToken: string };
    const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
    const refused = await fetch(`${guide.baseUrl}/v1/channels/mappings/salt.example`, {
      method: "PUT",
      headers: { "content-type": "application/json", cookie, "x-csrf-token": csrfToken },
      body: JSON.stringify({ target: "ignore" }),
    });
    expect(refused.status).toBe(403);
  });
});
