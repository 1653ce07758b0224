import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, SECOND } from "../../../src/model/time.ts";
import { told } from "../../kit/tool.ts";
import { type InProcess, inProcess, simTuners } from "../../main-job/in-process.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "../../main-job/recorder.ts";
import { keepsItsContract } from "./contract.ts";
import { catchUpAddress, readChannelList } from "./m3u-rules.ts";
import { mistakesInXmltv } from "./xmltv-rules.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let recorder: InProcess;
let base: string;
let start: number;
let timerId: string;
let laterId: string;
/** The recording while it grew, as it was followed from its first byte on, and by a player. */
let followed: Promise<Buffer>;
const id = () => recorder.until(timerId, () => true).then((recording) => recording.id);

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, 8);
  recorder = await inProcess(folder.path, world, {
    tuners: simTuners(world, 1),
    web: { port: 0, signIn: "where-needed" },
    // Each request for a converted stream comes from another viewer.
    playback: { conversions: 32 },
  });
  base = `http://127.0.0.1:${recorder.daemon.webPort}`;
  start = soon();
  timerId = await world.world.book(
    { channel: 1, title: "A show", start, durationMs: 15 * SECOND },
    world.deviceId,
  );
  laterId = await world.world.book(
    { channel: 2, title: "Later", start: start + 3600 * SECOND, durationMs: 1200 * SECOND },
    world.deviceId,
  );
  await recorder.until(timerId, ({ state }) => state === "recording");
});

afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function file(headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return fetch(`${base}/v1/recordings/${await id()}/file`, { method, headers });
}

async function bytes(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

/** PTS of the first key picture, in seconds. */
async function firstKeyPicture(address: string): Promise<number> {
  const entries = ["-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"];
  const { out } = await told("ffprobe", { args: ["-v", "error", ...entries, address] });
  const found = out.split("\n").find((row) => row.includes(",K"));
  return Number(found?.split(",")[0]);
}

/** Triplet of a channel of the simulated broadcaster; four to a multiplex. */
const service = (channel: number) => `4112-${0x221 + Math.floor((channel - 1) / 4)}-${0x220 + channel - 1}`;

describe("a growing recording", () => {
  it("announces more data, serves ranges of the present part, and refuses later ones", async () => {
    const whole = await file();
    expect([whole.status, whole.headers.get("content-length")]).toEqual([200, null]);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    followed = bytes(whole);
    const part = await file({ range: "bytes=188-375" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 188-375/*"]);
    const piece = await bytes(part);
    expect([piece.length, piece[0]]).toEqual([188, 0x47]);
    expect((await file({ range: "bytes=99999999999-" })).status).toBe(416);
    const head = await file({}, "HEAD");
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "video/mp2t"]);
    // Another one than it was: all of it.
    const other = await file({ range: "bytes=0-1", "if-range": '"something-else"' });
    expect(other.status).toBe(200);
    await other.body?.cancel();
  });

  it("is available as catch-up of the current programme", async () => {
    const part = await fetch(`${base}/v1/catchup/1/${start / SECOND}?seconds=15`, {
      headers: { range: "bytes=188-375" },
    });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 188-375/*"]);
    expect((await fetch(`${base}/v1/catchup/2/${start / SECOND}?seconds=15`)).status).toBe(404);
  });

  it("R-27 gives no tuner to a viewer of another multiplex, but shares it with one of its own", async () => {
    const refused = await fetch(`${base}/v1/live/${service(5)}`);
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "TUNER_BUSY" }]);
    const live = await fetch(`${base}/v1/live/${service(2)}`);
    expect(live.status).toBe(200);
    const reader = live.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.[0]).toBe(0x47);
    expect(recorder.daemon.snapshot().tuners[0]?.leases).toMatchObject([{ use: "view" }]);
    await reader?.cancel();
    while ((recorder.daemon.snapshot().tuners[0]?.leases.length ?? 0) > 0) await pause(50);
    expect((await recorder.until(timerId, () => true)).state).toBe("recording");
  });

  it("plays in ffmpeg to its end while it grows, with the bytes of the finished file", async () => {
    const copy = join(folder.path, "played.ts");
    const address = `${base}/v1/recordings/${await id()}/file`;
    const player = spawn(
      "ffmpeg",
      [
        "-loglevel",
        "error",
        "-f",
        "data",
        "-raw_packet_size",
        "188",
        "-i",
        address,
        "-map",
        "0",
        "-c",
        "copy",
        "-f",
        "data",
        copy,
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const played = once(player, "close");
    const { evidence } = await recorder.until(timerId, ({ state }) => state === "completed");
    expect((await played)[0]).toBe(0);
    const recorded = await readFile(evidence?.file ?? "");
    expect((await followed).equals(recorded)).toBe(true);
    expect((await readFile(copy)).equals(recorded)).toBe(true);
  });
});

describe("a finished recording", () => {
  it("is served whole and in ranges, and again only after a change", async () => {
    const { evidence } = await recorder.until(timerId, ({ state }) => state === "completed");
    const recorded = await readFile(evidence?.file ?? "");
    const whole = await file();
    expect(Number(whole.headers.get("content-length"))).toBe(recorded.length);
    expect((await bytes(whole)).equals(recorded)).toBe(true);
    const etag = whole.headers.get("etag") ?? "";
    const tail = await file({ range: "bytes=-376", "if-range": etag });
    expect([tail.status, tail.headers.get("content-range")]).toEqual([
      206,
      `bytes ${recorded.length - 376}-${recorded.length - 1}/${recorded.length}`,
    ]);
    expect((await bytes(tail)).equals(recorded.subarray(-376))).toBe(true);
    const head = await file({}, "HEAD");
    expect(Number(head.headers.get("content-length"))).toBe(recorded.length);
    expect((await file({ "if-none-match": etag })).status).toBe(304);
    expect((await file({ range: `bytes=${recorded.length}-` })).status).toBe(416);
  });

  it("can be read by ffprobe over HTTP, including seeks", async () => {
    const { out } = await told("ffprobe", {
      args: [
        ..."-v error -show_entries format=duration -of csv=p=0".split(" "),
        `${base}/v1/recordings/${await id()}/file`,
      ],
    });
    expect(Number(out)).toBeGreaterThan(10);
  });

  it("has its integrity report", async () => {
    const report = await (await fetch(`${base}/v1/recordings/${await id()}/report`)).json();
    expect(report).toMatchObject({
      title: "A show",
      verdict: "perfect",
      integrity: { packets: expect.any(Number) },
    });
  });
});

describe("playlists and listings", () => {
  it("name each channel and recording with an address that plays it", async () => {
    const channels = await (await fetch(`${base}/v1/live.m3u`)).text();
    const { entries, mistakes } = readChannelList(channels);
    expect(mistakes).toEqual([]);
    expect(entries[0]).toMatchObject({
      name: "Sim 1",
      attributes: { "tvg-id": "1", "tvg-chno": "1", "tvg-name": "Sim 1" },
      url: `${base}/v1/live/${service(1)}`,
    });
    expect(channels.match(/^http/gm)).toHaveLength(8);
    const recordings = await (await fetch(`${base}/v1/recordings.m3u`)).text();
    expect(recordings).toBe(`#EXTM3U\n#EXTINF:15,A show\n${base}/v1/recordings/${await id()}/file\n`);
  });

  it("repeat the client's user and password in each address", async () => {
    const headers = { authorization: `Basic ${Buffer.from("anna:a b").toString("base64")}` };
    const channels = await (await fetch(`${base}/v1/live.m3u`, { headers })).text();
    expect(channels).toContain(`${base.replace("://", "://anna:a%20b@")}/v1/live/${service(1)}`);
  });

  it("name live channels that ffprobe reads", async () => {
    const [first] = readChannelList(await (await fetch(`${base}/v1/live.m3u`)).text()).entries;
    const entries = ["-show_entries", "format=format_name:stream=codec_type"];
    const bounds = ["-probesize", "500000", "-analyzeduration", "2000000"];
    const { out } = await told("ffprobe", { args: ["-v", "error", ...bounds, ...entries, first?.url ?? ""] });
    expect(out).toContain("format_name=mpegts");
    expect(out).toContain("codec_type=video");
    while ((recorder.daemon.snapshot().tuners[0]?.leases.length ?? 0) > 0) await pause(50);
  });

  it("offer catch-up for a channel with a recording, at an address that plays it", async () => {
    const [first, second] = readChannelList(await (await fetch(`${base}/v1/live.m3u`)).text()).entries;
    expect(second?.attributes).not.toHaveProperty("catchup");
    expect(first?.attributes).toMatchObject({ catchup: "default", "catchup-days": "1" });
    const source = first?.attributes["catchup-source"] ?? "";
    const part = await fetch(catchUpAddress(source, start, 15 * SECOND), {
      headers: { range: "bytes=0-187" },
    });
    expect([part.status, (await bytes(part))[0]]).toEqual([206, 0x47]);
    const played = await told("ffprobe", {
      args: [
        "-v",
        "error",
        "-show_entries",
        "format=format_name",
        catchUpAddress(source, start, 15 * SECOND),
      ],
    });
    expect(played.out).toContain("mpegts");
    const before = await fetch(catchUpAddress(source, start - DAY, 15 * SECOND));
    expect([before.status, await before.json()]).toMatchObject([404, { code: "RECORDING_UNKNOWN" }]);
    expect((await fetch(`${base}/v1/catchup/1/soon`)).status).toBe(400);
  });

  it("begin catch-up with the requested time, and not with the padding", async () => {
    const [first] = readChannelList(await (await fetch(`${base}/v1/live.m3u`)).text()).entries;
    const source = first?.attributes["catchup-source"] ?? "";
    const { evidence } = await recorder.until(timerId, () => true);
    const whole = await firstKeyPicture(`${base}/v1/recordings/${await id()}/file`);
    for (const laterMs of [0, 8 * SECOND]) {
      const address = catchUpAddress(source, start + laterMs, 5 * SECOND);
      const seconds = (await firstKeyPicture(address)) - whole;
      const wanted = (start + laterMs - (evidence?.firstAt ?? 0)) / SECOND;
      // The file and the catch-up begin with a group of pictures that may be a second old.
      expect(wanted - seconds).toBeGreaterThan(-0.2);
      expect(wanted - seconds).toBeLessThan(2.2);
    }
  });

  it("name the logo of a channel once it exists", async () => {
    const logos = join(folder.path, "daemon", "logos");
    await mkdir(logos);
    await writeFile(join(logos, "1.png"), Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
    const [first, second] = readChannelList(await (await fetch(`${base}/v1/live.m3u`)).text()).entries;
    expect(second?.attributes).not.toHaveProperty("tvg-logo");
    const logo = await fetch(first?.attributes["tvg-logo"] ?? "");
    expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/png"]);
    const etag = logo.headers.get("etag") ?? "";
    expect((await fetch(logo.url, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect(await (await fetch(`${base}/v1/guide.xml`)).text()).toContain(`<icon src="${logo.url}"/>`);
    const named = await (await fetch(`${base}/v1/channels/logos`)).json();
    expect(named).toEqual([{ id: "1", name: first?.name }]);
  });

  it("include the schedule as XMLTV", async () => {
    const guide = await (await fetch(`${base}/v1/guide.xml`)).text();
    expect(mistakesInXmltv(guide)).toEqual([]);
    expect(guide).toContain('<channel id="1">');
    expect(guide).toContain("<title>A show</title>");
  });
});

// The last tests: they delete the things that the others look at.
keepsItsContract(async () => {
  const shows = await (await fetch(`${base}/v1/guide/shows?search=later`)).json();
  const [found] = shows as readonly { readonly id: number }[];
  const { account, guide } = world.world;
  const series = "contract";
  const start = Date.now() + 20 * DAY;
  await guide.addShow({ channelId: 1, title: "Series", seriesId: series, start, durationMinutes: 30 });
  return {
    base,
    series,
    timer: timerId,
    recording: await id(),
    later: laterId,
    show: found?.id ?? 0,
    account,
  };
});
