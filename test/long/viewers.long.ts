import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { lostPacketsOf } from "../../src/model/verdict.ts";
import { inProcess, simTuners } from "../main-job/in-process.ts";
import { soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";

const RECORDINGS = 20;
const EVENT_MS = 90 * SECOND;
/** A device that decodes nothing of the simulated broadcast. */
const CONVERTED = "converted/index.m3u8?video=mpeg2&audio=mp2";

/** Plays as a device does: reloads the playlist and fetches each new segment, until the playlist is complete. */
async function watch(playlist: string): Promise<{ readonly segments: number; readonly bytes: number }> {
  const seen = new Set<string>();
  let bytes = 0;
  for (;;) {
    const answer = await fetch(playlist);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
      if (seen.has(line)) continue;
      seen.add(line);
      const segment = await fetch(new URL(line, playlist));
      if (!segment.ok) throw new Error(`${line}: ${segment.status} ${await segment.text()}`);
      bytes += (await segment.arrayBuffer()).byteLength;
    }
    if (text.includes("#EXT-X-ENDLIST")) return { segments: seen.size, bytes };
    await sleep(SECOND);
  }
}

describe("20 recordings next to 4 viewers, 2 of them converted", () => {
  it("R-27 lose no packet, and a third converted viewer gets a clear message", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, RECORDINGS);
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, RECORDINGS),
      web: { port: 0, signIn: "where-needed" },
      playback: { conversions: 2 },
    });
    const base = `http://127.0.0.1:${recorder.daemon.webPort}/v1/recordings`;
    const start = soon() + 10 * SECOND;
    const timers: string[] = [];
    for (let channel = 1; channel <= RECORDINGS; channel += 1) {
      const show = { channel, title: `Show ${channel}`, start, durationMs: EVENT_MS };
      timers.push(await home.world.book(show, home.deviceId));
    }
    const begun = await Promise.all(
      timers.map((timer) => recorder.until(timer, ({ state }) => state === "recording")),
    );
    const hls = (at: number) => `${base}/${begun[at]?.id}/hls`;
    const viewers = [
      watch(`${hls(0)}/index.m3u8`),
      watch(`${hls(1)}/index.m3u8`),
      watch(`${hls(2)}/${CONVERTED}&viewer=living-room`),
      watch(`${hls(3)}/${CONVERTED}&viewer=bed-room-1`),
    ];
    await sleep(20 * SECOND);
    const refused = await fetch(`${hls(4)}/master.m3u8?video=mpeg2&audio=mp2&viewer=kitchen-1`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    const { message } = (await refused.json()) as { readonly message: string };
    process.stdout.write(`A viewer over the limit reads: ${message}\n`);
    const watched = await Promise.all(viewers);
    const ended = await Promise.all(
      timers.map((timer) => recorder.until(timer, ({ state }) => isTerminal(state))),
    );
    for (const { evidence } of ended) {
      expect(evidence).toMatchObject({ verdict: "perfect", continuityErrors: 0, segments: 1 });
      expect(evidence && lostPacketsOf(evidence)).toBe(0);
    }
    for (const { segments, bytes } of watched) {
      expect(segments).toBeGreaterThan(EVENT_MS / (10 * SECOND));
      expect(bytes).toBeGreaterThan(100_000);
    }
  });
});
