import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebServer, type WebAnswer, type WebRoute } from "../../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { DaemonApi } from "../../../../src/recorder/api/daemon-api.ts";
import { RECORDING_HLS } from "../../../../src/recorder/api/hls-family.ts";
import { hlsRoutes } from "../../../../src/recorder/api/hls-routes.ts";
import { subtitleRoutes } from "../../../../src/recorder/api/subtitle-routes.ts";
import { createHls } from "../../../../src/recorder/subsystems/playback/hls/hls.ts";
import { createSubtitles } from "../../../../src/recorder/subsystems/playback/subtitles/subtitles.ts";
import { FILM_FROM_MS, subtitledFilm } from "../../../kit/subtitled-film.ts";
import { boxed, FIRST_MS, fillerUnits, pageUnits, teletextStream } from "../../../kit/teletext-encoder.ts";
import type { Stage } from "./player-stage.ts";

const BASE = "/v1/recordings/film/hls";
/** When the text is shown, on the timeline of the film. */
export const [FROM_MS, TO_MS] = [2500, 4200];
export const TEXT = "Mind the <gap>";

/** A page that plays a film with a subtitle by hls.js, as `video`, and its subtitles. */
export async function openSubtitleStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-subtitles-"));
  const page = (ms: number, text?: string) => ({
    ms: ms + FILM_FROM_MS - FIRST_MS,
    units: [
      ...pageUnits({ page: "888", rows: text === undefined ? {} : { 22: boxed(text, [0x06]) } }),
      ...fillerUnits(8),
    ],
  });
  const film = await subtitledFilm(
    folder,
    teletextStream([page(0), page(FROM_MS, TEXT), page(TO_MS), page(6000)]),
  );
  const sourceOf = () => film.source;
  const playing = {
    hls: createHls({ sourceOf, clock: systemClock() }),
    subtitles: createSubtitles(sourceOf),
  };
  const api = { playing } as unknown as Pick<DaemonApi, "playing">;
  const script = await readFile("node_modules/hls.js/dist/hls.min.js");
  const routes: readonly WebRoute[] = [
    ...hlsRoutes(api, RECORDING_HLS),
    ...subtitleRoutes(api, RECORDING_HLS),
    fixed("/hls.js", { type: "text/javascript", body: script }),
    fixed("/", { type: "text/html", body: PAGE }),
    fixed(`${BASE}/choice.m3u8`, { type: "application/vnd.apple.mpegurl", body: CHOICE }),
  ];
  const refuse = (): WebAnswer => ({ status: 404 });
  const server = createWebServer({ routes, refuse, bodyBytesMax: 1024, clock: systemClock() });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    base: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function fixed(
  path: string,
  { type, body }: { readonly type: string; readonly body: string | Buffer },
): WebRoute {
  return {
    method: "GET",
    path,
    handle: async () => ({ status: 200, headers: { "content-type": type }, body }),
  };
}

const PAGE = `<!doctype html><title>Film</title><video muted></video><script src="/hls.js"></script><script>
  window.video = document.querySelector("video");
  window.player = new Hls({ startPosition: 0 });
  player.subtitleDisplay = true;
  player.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => { player.subtitleTrack = 0; });
  player.loadSource("${BASE}/choice.m3u8");
  player.attachMedia(video);
</script>`;

const CHOICE = [
  "#EXTM3U",
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="German",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,URI="subtitles-258-888.m3u8"`,
  `#EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.42c00c,mp4a.40.2",SUBTITLES="text"`,
  "index.m3u8",
  "",
].join("\n");
