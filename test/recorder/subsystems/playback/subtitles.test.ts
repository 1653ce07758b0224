import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { HlsApi } from "../../../../src/recorder/api/daemon-api.ts";
import { createHls } from "../../../../src/recorder/subsystems/playback/hls/hls.ts";
import type { HlsSource } from "../../../../src/recorder/subsystems/playback/hls/source.ts";
import { createSubtitles } from "../../../../src/recorder/subsystems/playback/subtitles/subtitles.ts";
import { bitmapStream, type EncodedRegion } from "../../../kit/bitmap-encoder.ts";
import { FILM_FROM_MS, type SubtitledFilm, sourceOf, subtitledFilm } from "../../../kit/subtitled-film.ts";
import { boxed, FIRST_MS, fillerUnits, pageUnits, teletextStream } from "../../../kit/teletext-encoder.ts";
import { told } from "../../../kit/tool.ts";
import { checkPlaylist, checkReload } from "./rfc8216.ts";

/** A text each second time, and a page each of these milliseconds. */
const EACH_MS = 800;
const TRACK = "258-888";
const WATCHED = { recordingId: "film" };

let folder: string;
let film: SubtitledFilm;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-subtitles-"));
  const moments = Array.from({ length: 220 }, (_, at) => {
    const number = (at * 40) / EACH_MS;
    const rows = number % 2 === 1 ? { 20: boxed(`text ${number}`, [0x03]) } : {};
    const page = Number.isInteger(number) ? pageUnits({ page: "888", rows }) : [];
    return { ms: at * 40, units: [...page, ...fillerUnits(8)] };
  });
  const pages = [{ page: "888", language: "ger", type: 5 }];
  film = await subtitledFilm(folder, teletextStream(moments, { pages }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface ReadCue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Cues of a segment, with times on the timeline of the film in milliseconds. */
function cuesOf(vtt: string): readonly ReadCue[] {
  const [, pts = ""] = /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:(\d+),LOCAL:00:00:00.000\n\n/.exec(vtt) ?? [];
  const base = Number(pts) / 90 - FILM_FROM_MS;
  const msOf = (time: string) => {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
    return Math.round(base + ((hours * 60 + minutes) * 60 + seconds) * 1000);
  };
  const cues = vtt.matchAll(/^(\S+) --> (\S+).*\n((?:.+\n)+)/gm);
  return [...cues].map(([, from = "", to = "", text = ""]) => ({ from: msOf(from), to: msOf(to), text }));
}

/** Cues that go on in the next segment are one. */
function joined(cues: readonly ReadCue[]): readonly ReadCue[] {
  const all: ReadCue[] = [];
  for (const cue of cues) {
    const last = all.at(-1);
    if (last?.to === cue.from && last.text === cue.text) all[all.length - 1] = { ...last, to: cue.to };
    else all.push(cue);
  }
  return all;
}

function hlsOf(source: HlsSource): HlsApi {
  return createHls({ sourceOf: () => source, clock: systemClock() });
}

describe("bitmap subtitles of a recording", () => {
  const PIXELS = [
    [1, 1, 2, 2],
    [3, 0, 0, 3],
  ];
  const shown: EncodedRegion = {
    id: 1,
    depth: 4,
    x: 200,
    y: 500,
    width: 4,
    height: 2,
    fill: 0,
    pixels: PIXELS,
    colours: { 1: [235, 128, 128, 0], 2: [81, 240, 90, 0], 3: [145, 54, 34, 128] },
  };
  /** Shown from the first to the second of a pair of times on the timeline of the film. */
  const TIMES = [
    [520, 1400],
    [2100, 5600],
  ] as const;
  let recording: SubtitledFilm;

  beforeAll(async () => {
    const moments = TIMES.flatMap(([from, to]) => [
      { ms: from, set: { regions: [shown] } },
      { ms: to, set: { regions: [] } },
    ]).map(({ ms, set }) => ({ ms: ms + FILM_FROM_MS - FIRST_MS, set }));
    recording = await subtitledFilm(folder, bitmapStream(moments));
  });

  it("are shown for the time of their display sets, to the millisecond", async () => {
    const { segments } = await recording.source.parts();
    const subtitles = createSubtitles(() => recording.source);
    const cues: ReadCue[] = [];
    for (const { number, startMs } of segments) {
      const part = await subtitles.bitmaps(WATCHED, { trackId: "258-1", number });
      expect([part.width, part.height]).toEqual([720, 576]);
      cues.push(
        ...part.cues.map(({ fromMs, toMs, images }) => ({
          from: startMs + fromMs,
          to: startMs + toMs,
          text: JSON.stringify(images),
        })),
      );
    }
    const all = joined(cues);
    expect(all.map(({ from, to }) => [from, to])).toEqual(TIMES);
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  });

  it("are images with the colours and opacity of the broadcast", async () => {
    const subtitles = createSubtitles(() => recording.source);
    const { cues } = await subtitles.bitmaps(WATCHED, { trackId: "258-1", number: 0 });
    const [image] = cues[0]?.images ?? [];
    expect(image).toMatchObject({ x: 200, y: 500, width: 4, height: 2 });
    const args = ["-v", "error", "-i", "-", "-f", "rawvideo", "-pix_fmt", "rgba", "-"];
    const { bytes } = await told("ffmpeg", { args, input: Buffer.from(image?.png ?? "", "base64") });
    const colours = [
      [0, 0, 0, 0],
      [255, 255, 255, 255],
      [254, 0, 0, 255],
      [32, 247, 0, 127],
    ];
    expect([...bytes]).toEqual(PIXELS.flat().flatMap((code) => colours[code] ?? []));
  });
});

describe("teletext subtitles of a recording", () => {
  it("are shown for the time of their pages, to the millisecond and across segments", async () => {
    const subtitles = createSubtitles(() => film.source);
    const { playlist } = hlsOf(film.source);
    const count = checkPlaylist(await playlist(WATCHED)).segments.length;
    expect(count).toBeGreaterThan(4);
    const segments: string[] = [];
    for (let number = 0; number < count; number += 1)
      segments.push(await subtitles.webVtt(WATCHED, { trackId: TRACK, number }));
    const expected = [1, 3, 5, 7, 9].map((number) => ({
      from: Math.max(0, FIRST_MS + number * EACH_MS - FILM_FROM_MS),
      to: FIRST_MS + (number + 1) * EACH_MS - FILM_FROM_MS,
      text: `<c.yellow>text ${number}</c>\n`,
    }));
    expect(joined(segments.flatMap(cuesOf))).toEqual(expected);
  });

  it("have a playlist with the segments of the picture, which is valid while the recording grows", async () => {
    const whole = hlsOf(film.source);
    const playlist = checkPlaylist(await createSubtitles(() => film.source).playlist(WATCHED, TRACK));
    const picture = checkPlaylist(await whole.playlist(WATCHED));
    expect(playlist.faults).toEqual([]);
    expect(playlist.segments.map(({ seconds, sequence }) => ({ seconds, sequence }))).toEqual(
      picture.segments.map(({ seconds, sequence }) => ({ seconds, sequence })),
    );
    const { segments } = await film.source.parts();
    let before = playlist;
    for (let count = segments.length; count > 0; count -= 1) {
      const changes = { segments: segments.slice(0, count), isGrowing: true };
      const growing = createSubtitles(() => sourceOf(film.index, film.bytes, changes));
      const reload = checkPlaylist(await growing.playlist(WATCHED, TRACK));
      expect([reload.faults, checkReload(reload, before)]).toEqual([[], []]);
      expect(reload.segments.length).toBeGreaterThan(0);
      before = reload;
    }
  });

  it("do not change once they are in the playlist of a growing recording", async () => {
    const { segments } = await film.source.parts();
    const whole = createSubtitles(() => film.source);
    for (let count = 2; count <= segments.length; count += 1) {
      const changes = { segments: segments.slice(0, count), isGrowing: true };
      const subtitles = createSubtitles(() => sourceOf(film.index, film.bytes, changes));
      const listed = checkPlaylist(await subtitles.playlist(WATCHED, TRACK)).segments;
      for (const { sequence: number } of listed.slice(1)) {
        const part = { trackId: TRACK, number };
        expect(await subtitles.webVtt(WATCHED, part)).toBe(await whole.webVtt(WATCHED, part));
      }
    }
  });

  it("are refused under another number, page or kind", async () => {
    const subtitles = createSubtitles(() => film.source);
    const unknown = { code: "RECORDING_UNKNOWN" };
    await expect(subtitles.playlist(WATCHED, "258-889")).rejects.toMatchObject(unknown);
    await expect(subtitles.webVtt(WATCHED, { trackId: TRACK, number: 99 })).rejects.toMatchObject(unknown);
    await expect(subtitles.bitmaps(WATCHED, { trackId: TRACK, number: 0 })).rejects.toMatchObject(unknown);
  });
});
