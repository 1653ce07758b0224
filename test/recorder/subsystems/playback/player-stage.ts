import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebServer, type WebRoute } from "../../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { PlaybackApi, Watched } from "../../../../src/recorder/api/daemon-api.ts";
import { RECORDING_HLS } from "../../../../src/recorder/api/hls-family.ts";
import { hlsRoutes } from "../../../../src/recorder/api/hls-routes.ts";
import { renditionRoutes } from "../../../../src/recorder/api/rendition-routes.ts";
import { createConversions } from "../../../../src/recorder/subsystems/playback/conversion/conversions.ts";
import { createHls } from "../../../../src/recorder/subsystems/playback/hls/hls.ts";
import { createRenditions } from "../../../../src/recorder/subsystems/playback/hls/renditions.ts";
import { PLAYBACK_LIMITS } from "../../../../src/recorder/subsystems/playback/limits.ts";
import { refused } from "../../../../src/web/route.ts";
import { type FileSource, fileSource, writeBroadcast } from "./file-source.ts";

/** Recordings by id: their picture and their two languages. */
const RECORDINGS = {
  mpeg2: {},
  h264: {
    // Closed groups: at an open one, Chromium fails after a seek, and the player of the page begins again.
    picture: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"],
    sounds: ["aac", "aac"],
  },
} as const;

/** A page with a `<video>` and hls.js, and two recordings, `mpeg2` and `h264`, as the recorder serves them. */
export interface Stage extends AsyncDisposable {
  readonly base: string;
}

export interface PlayerStage extends Stage {
  readonly sources: ReadonlyMap<string, Pick<FileSource, "grow">>;
}

/** @param seconds the length of each recording */
export async function openStage(seconds: number): Promise<PlayerStage> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-stage-"));
  const sources = new Map<string, FileSource>();
  for (const [id, form] of Object.entries(RECORDINGS)) {
    const file = join(folder, `${id}.ts`);
    await writeBroadcast(file, { seconds, ...form });
    sources.set(id, await fileSource(file));
  }
  const clock = systemClock();
  const { signal } = new AbortController();
  const sourceOf = (watched: Watched) => {
    const recordingId = "recordingId" in watched ? watched.recordingId : "";
    const source = sources.get(recordingId);
    if (source === undefined) throw new Error(`no recording ${recordingId}`);
    return source;
  };
  const conversions = createConversions({
    folder: join(folder, "converted"),
    viewersMax: 1,
    ffmpegPath: "ffmpeg",
    usesHardware: false,
    niceness: PLAYBACK_LIMITS.convertNiceness,
    clock,
    signal,
  });
  const renditions = createRenditions({ sourceOf, conversions, clock, signal });
  const playing = { renditions, hls: createHls({ sourceOf, clock }) } as unknown as PlaybackApi;
  const routes = [
    ...(await pageRoutes()),
    ...hlsRoutes({ playing }, RECORDING_HLS),
    ...renditionRoutes({ playing }, RECORDING_HLS),
  ];
  const refuse = () => refused(404, "no-route", "There is nothing here.");
  const server = createWebServer({ routes, refuse, bodyBytesMax: 1000, clock });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    base: `http://127.0.0.1:${port}`,
    sources,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await conversions[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function pageRoutes(): Promise<readonly WebRoute[]> {
  const script = await readFile("node_modules/hls.js/dist/hls.min.js");
  const page = '<!doctype html><video muted></video><script src="/hls.js"></script>';
  return [
    {
      method: "GET",
      path: "/",
      handle: async () => ({ status: 200, headers: { "content-type": "text/html" }, body: page }),
    },
    {
      method: "GET",
      path: "/hls.js",
      handle: async () => ({ status: 200, headers: { "content-type": "text/javascript" }, body: script }),
    },
  ];
}
