import { loadavg } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { runFfmpeg } from "../src/kit/process/ffmpeg.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { tripletInAddress } from "../src/model/service.ts";
import { indexWhole } from "../src/recorder/evidence/index-whole.ts";
import { openBroadcaster } from "./capture/broadcast.ts";
import { pauseMs, until } from "./capture/contender.ts";
import { recordWithDaemon } from "./capture/daemon.ts";
import { freePort } from "./capture/free-port.ts";
import { tripletOf } from "./capture/loop.ts";
import { watch } from "./capture/viewer.ts";
import { type Benchmark, count, type Measures, ms } from "./harness.ts";
import { costOf, recordingAt } from "./viewers.ts";

const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";
const RECORDED_SECONDS = 30;
const CLOSE_SECONDS = 70;
/** A live service that nobody watches has no buffer any more. */
const COLD_SECONDS = 25;
const SETTLE_SECONDS = 20;
const LONG_HOURS = 3;
/** The film that the long recording repeats lasts so long. */
const FILM_SECONDS = 12;
/** With sound, 4 Mbit/s: three hours are 5 GB. */
const FILM_RATE = "3700k";
/** Far from each other, and from all places before. */
const GOLDEN = 0.618_033_988_75;
const { signal } = new AbortController();

/** In the page: calls back with the time at which a frame behind a position was decoded. */
const STOPWATCH = `
  window.video = () => document.querySelector("video");
  window.decodedAfter = (begin, seconds) => new Promise((resolve) => {
    const from = performance.now();
    begin();
    let frames;
    const look = () => {
      const element = video();
      const isThere = element !== null && !element.seeking && element.currentTime > seconds;
      const total = element?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
      if (isThere && total > (frames ?? 0)) return resolve(performance.now() - from);
      if (element !== null && (element.seeking || frames === undefined)) frames = seconds > 0 ? total : 0;
      requestAnimationFrame(look);
    };
    look();
  });
`;

/** The delay for a viewer and the cost of one: H.264 and AAC in Chromium, from the daemon as people run it. */
export function watchBenchmark({ seconds }: { readonly seconds: number }): Benchmark {
  return {
    name: "watch",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const broadcaster = await openBroadcaster(folder);
      const webPort = await freePort();
      const base = `http://127.0.0.1:${webPort}`;
      const order = { folder, ...broadcaster.send("http", 1), seconds: RECORDED_SECONDS, webPort };
      const running = await recordWithDaemon(order, "host");
      await pauseMs((RECORDED_SECONDS + CLOSE_SECONDS) * 1000);
      const recording = await recordingAt(`${base}/v1`);
      await lengthen(folder, await fileOf(base, recording));
      const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ["--no-sandbox", "--disable-gpu"],
      });
      const page = await browser.newPage({ baseURL: base });
      await page.addInitScript(STOPWATCH);
      const cost = async (viewers: number) => {
        // A host that ends gives the daemon what it has read and used.
        await until(async () => (await running.host?.()) === undefined, "the capture host does not end");
        const playlist = `${base}/v1/recordings/${recording}/hls/index.m3u8`;
        const all = Array.from({ length: viewers }, () => watch(playlist));
        await pauseMs(SETTLE_SECONDS * 1000);
        const bytes = () => all.reduce((sum, each) => sum + each.bytes(), 0);
        const measures = await costOf({ ...running, bytes }, seconds);
        for (const each of all) await each.leave();
        return loaded(measures);
      };
      let seeks = 0;
      return {
        cases: [
          { name: "live, from the click", run: async () => loaded(await click(page, base)) },
          {
            name: `seek, ${LONG_HOURS} hours`,
            run: async () => loaded(await seek(page, { recording, share: (++seeks * GOLDEN) % 1 })),
          },
          { name: "nobody", run: () => cost(0) },
          { name: "one viewer", run: () => cost(1) },
        ],
        async [Symbol.asyncDispose]() {
          await browser.close();
          await running.end();
          await broadcaster[Symbol.asyncDispose]();
        },
      };
    },
  };
}

const loaded = (measures: Measures): Measures => ({ ...measures, load: count(loadavg()[0] ?? Number.NaN) });

/** The multiplex is tuned: another player receives the service. Its picture is not in the buffer of the dashboard. */
async function click(page: Page, base: string): Promise<Measures> {
  const service = tripletInAddress(tripletOf(0));
  await page.goto("/");
  await pauseMs(COLD_SECONDS * 1000);
  const leaving = new AbortController();
  const other = await fetch(`${base}/v1/live/${service}`, { signal: leaving.signal });
  await other.body?.getReader().read();
  const taken = await page.evaluate<number>(`decodedAfter(() => { location.hash = "#live/${service}"; }, 0)`);
  await page.goto("about:blank");
  leaving.abort();
  return { "first picture": ms(taken) };
}

async function seek(
  page: Page,
  { recording, share }: { readonly recording: string; readonly share: number },
): Promise<Measures> {
  await page.goto(`/#recording/${recording}`);
  await page.getByRole("button", { name: /^(Play|From the beginning)$/ }).click();
  const position = () => page.evaluate<number>("video()?.currentTime ?? 0");
  await until(async () => (await position()) > 1, "the recording does not play");
  const seconds = await page.evaluate<number>("video().duration");
  const target = share * (seconds - 60);
  const taken = await page.evaluate<number>(
    `decodedAfter(() => { video().currentTime = ${target}; }, ${target})`,
  );
  await page.goto("about:blank");
  return { "first picture": ms(taken), hours: { value: seconds / 3600, unit: "h" } };
}

async function fileOf(base: string, id: string): Promise<string> {
  const answer = await fetch(`${base}/v1/recordings`);
  const all = (await answer.json()) as readonly { readonly recordingId: string; readonly file: string }[];
  return all.find(({ recordingId }) => recordingId === id)?.file ?? "";
}

/** Replaces the file of a recording by a film of hours, with its index. */
async function lengthen(folder: string, file: string): Promise<void> {
  const film = join(folder, "film.ts");
  await runFfmpeg(
    (command) =>
      command
        .input(`testsrc2=size=720x576:rate=25:duration=${FILM_SECONDS}`)
        .inputFormat("lavfi")
        .input(`sine=frequency=440:sample_rate=48000:duration=${FILM_SECONDS}`)
        .inputFormat("lavfi")
        .output(film)
        .outputOptions([
          ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"],
          ...["-b:v", FILM_RATE, "-minrate", FILM_RATE, "-maxrate", FILM_RATE, "-bufsize", "1M"],
          ...["-x264-params", "nal-hrd=cbr:force-cfr=1", "-c:a", "aac", "-b:a", "128k", "-f", "mpegts"],
        ]),
    { signal },
  );
  const rounds = Math.ceil((LONG_HOURS * 3600) / FILM_SECONDS);
  const { onid, tsid, sid } = tripletOf(0);
  await runFfmpeg(
    (command) =>
      command
        .input(film)
        .inputOptions(["-stream_loop", `${rounds}`])
        .output(file)
        .outputOptions([
          ...["-c", "copy", "-t", `${LONG_HOURS * 3600}`, "-f", "mpegts"],
          ...["-mpegts_original_network_id", `${onid}`, "-mpegts_transport_stream_id", `${tsid}`],
          ...["-mpegts_service_id", `${sid}`, "-y"],
        ]),
    { signal },
  );
  const pace = { clock: systemClock(), bytesPerSecond: Number.MAX_SAFE_INTEGER };
  const index = file.replace(/\.ts$/, ".index");
  await indexWhole(file, { service: undefined, index, pace, onRead: () => {} }, signal);
}
