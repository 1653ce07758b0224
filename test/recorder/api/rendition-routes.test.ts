import { describe, expect, it } from "vitest";
import type { WebRequest } from "../../../src/kit/http/web-server.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { PlaybackApi, PlayerClient, RenditionApi } from "../../../src/recorder/api/daemon-api.ts";
import { RECORDING_HLS } from "../../../src/recorder/api/hls-family.ts";
import { renditionRoutes } from "../../../src/recorder/api/rendition-routes.ts";

const request: WebRequest = {
  method: "GET",
  path: "/",
  params: { id: "1" },
  query: new URLSearchParams(),
  headers: {},
  body: Buffer.alloc(0),
  address: "127.0.0.1",
  peer: "127.0.0.1",
  httpVersion: "1.1",
  localPort: 80,
  isTls: false,
};

/** The answer of the multivariant playlist. */
async function masterOf(query: string, master: RenditionApi["master"]) {
  const playing = { renditions: { master } } as unknown as PlaybackApi;
  const route = renditionRoutes({ playing }, RECORDING_HLS).find(({ path }) => path.endsWith("/master.m3u8"));
  return await route?.handle({ ...request, query: new URLSearchParams(query) });
}

async function clientBy(query: string): Promise<PlayerClient | undefined> {
  let found: PlayerClient | undefined;
  await masterOf(query, async (_, client) => {
    found = client;
    return "";
  });
  return found;
}

describe("the address of a multivariant playlist", () => {
  it("states the codecs that the device decodes, by default H.264 and AAC", async () => {
    expect(await clientBy("")).toEqual({ video: ["h264"], audio: ["aac"] });
    expect(await clientBy("video=hevc,h264,av1&audio=aac,ac3&viewer=living-room_1")).toEqual({
      video: ["h264", "hevc"],
      audio: ["aac", "ac3"],
      viewer: "living-room_1",
    });
    expect(await clientBy("video=&audio=")).toEqual({ video: [], audio: [] });
  });

  it.each([
    "viewer=short",
    "viewer=../../etc/passwd",
    "video=h264;rm",
    "viewer=12345678901234567890123456789012345678",
  ])("refuses %s", async (query) => {
    expect((await masterOf(query, async () => ""))?.status).toBe(400);
  });

  it("answers 503 with a time to wait while too many viewers need a conversion", async () => {
    const answer = await masterOf("", async () => {
      throw new RecorderdError("CONVERSION_BUSY", "The recorder already converts for another viewer.");
    });
    expect([answer?.status, answer?.headers?.["retry-after"]]).toEqual([503, "10"]);
    const off = await masterOf("", async () => {
      throw new RecorderdError("CONVERSION_OFF", "Conversion is switched off.");
    });
    expect([off?.status, off?.headers?.["retry-after"]]).toEqual([409, undefined]);
  });
});
