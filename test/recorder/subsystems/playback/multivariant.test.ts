import { describe, expect, it } from "vitest";
import { sectionHeader } from "../../../../src/mpeg-ts/tables/sections.ts";
import { AUDIO_CODECS, type AudioCodec, VIDEO_CODECS } from "../../../../src/recorder/api/daemon-api.ts";
import { languageTag } from "../../../../src/recorder/subsystems/playback/hls/languages.ts";
import { multivariantPlaylist } from "../../../../src/recorder/subsystems/playback/hls/multivariant.ts";
import { offerFor } from "../../../../src/recorder/subsystems/playback/hls/offer.ts";
import { type Tracks, tracksOf } from "../../../../src/recorder/subsystems/playback/hls/tracks.ts";
import { descriptor, pmt } from "../../../kit/ts-builder.ts";
import { fc } from "../../../properties.ts";
import { checkPlaylist } from "./rfc8216.ts";

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const language = (code: string, type = 0) => descriptor(0x0a, [...letters(code), type]);

/** Streams as broadcasters describe them. */
const STREAMS = {
  mpeg2: { type: 2, info: [] },
  h264: { type: 27, info: [] },
  mp2: (code: string) => ({ type: 3, info: language(code) }),
  aac: (code: string) => ({ type: 15, info: language(code) }),
  ac3: (code: string) => ({ type: 6, info: [...language(code), ...descriptor(0x6a, [0])] }),
  described: (code: string) => ({ type: 3, info: language(code, 3) }),
  supplementary: (code: string) => ({
    type: 3,
    info: [...language("und"), ...descriptor(0x7f, [6, (1 << 2) | 1, ...letters(code)])],
  }),
  ac3Described: (code: string) => ({
    type: 6,
    info: [...language(code), ...descriptor(0x6a, [0x80, 0b010 << 3])],
  }),
};

interface Stream {
  readonly type: number;
  readonly info: readonly number[];
}

function tracksFrom(streams: readonly Stream[], heads: ReadonlyMap<number, Uint8Array> = new Map()): Tracks {
  const bytes = pmt({
    sid: 1,
    pcrPid: 100,
    streams: streams.map((each, at) => ({ ...each, pid: 100 + at })),
  });
  const header = sectionHeader(bytes);
  if (header === undefined) throw new Error("not a section");
  return tracksOf({ bytes, header }, heads);
}

const code = fc.constantFrom("deu", "ger", "eng", "fra", "qaa", "und", "gsw");
const audio = fc
  .tuple(fc.constantFrom("mp2", "aac", "ac3", "described", "supplementary", "ac3Described"), code)
  .map(([kind, of]) => STREAMS[kind](of));
const services = fc
  .tuple(
    fc.option(fc.constantFrom(STREAMS.mpeg2, STREAMS.h264), { nil: undefined }),
    fc.array(audio, { maxLength: 6 }),
  )
  .map(([video, sounds]) => tracksFrom([...(video === undefined ? [] : [video]), ...sounds]));
const clients = fc.record({
  video: fc.subarray([...VIDEO_CODECS]),
  audio: fc.subarray([...AUDIO_CODECS]),
});

const uris = { variant: "index.m3u8", audio: () => "audio-1.m3u8" };
const rate = { peak: 5_000_000, average: 4_000_000 };

describe("a multivariant playlist", () => {
  it("follows RFC 8216, and offers each track once, converted only if the device cannot decode it", () => {
    fc.assert(
      fc.property(services, clients, (tracks, client) => {
        const offer = offerFor(tracks, client);
        const { faults, kind, variants, renditions } = checkPlaylist(
          multivariantPlaylist({ isIndependent: true, offer, uris, rate, subtitles: [] }),
        );
        expect(faults).toEqual([]);
        expect([kind, variants.length]).toEqual(["master", 1]);
        const offered = [...(offer.audio === undefined ? [] : [offer.audio]), ...offer.others];
        expect(offered.map(({ track }) => track.pid).toSorted()).toEqual(
          tracks.audio.map(({ pid }) => pid).toSorted(),
        );
        for (const { track, isConverted } of offered)
          expect(isConverted).toBe(!client.audio.includes(track.codec));
        // One track needs no choice; of several, one is in the variant.
        expect(renditions.length).toBe(offered.length > 1 ? offered.length : 0);
        expect(renditions.filter(({ URI }) => URI === undefined).length).toBe(offered.length > 1 ? 1 : 0);
        expect(renditions.filter(({ DEFAULT }) => DEFAULT === "YES").length).toBe(offered.length > 1 ? 1 : 0);
      }),
    );
  });

  it("accepts subtitles with any name", () => {
    const offer = offerFor(tracksFrom([STREAMS.h264, STREAMS.aac("deu")]), {
      video: ["h264"],
      audio: ["aac"],
    });
    const names = fc.uniqueArray(
      fc.string({ unit: "grapheme" }).map((name) => `x${name}`.normalize("NFC")),
      {
        maxLength: 3,
        selector: (name) => name.replace(/["\p{Cc}]/gu, " "),
      },
    );
    fc.assert(
      fc.property(names, (some) => {
        const subtitles = some.map((name, at) => ({
          uri: `subtitles-${at}.m3u8`,
          name,
          isForHardOfHearing: at > 0,
        }));
        const { faults, renditions } = checkPlaylist(
          multivariantPlaylist({ isIndependent: true, offer, uris, rate, subtitles }),
        );
        return faults.length === 0 && renditions.length === some.length;
      }),
    );
  });

  it("names the codecs and languages that the device gets", () => {
    const offer = offerFor(tracksFrom([STREAMS.mpeg2, STREAMS.mp2("ger"), STREAMS.ac3("eng")]), {
      video: ["h264"],
      audio: ["aac"],
    });
    const { variants, renditions } = checkPlaylist(
      multivariantPlaylist({ isIndependent: true, offer, uris, rate }),
    );
    expect(variants[0]?.attributes["CODECS"]).toBe('"avc1.640028,mp4a.40.2"');
    expect(renditions.map(({ NAME, LANGUAGE }) => [NAME, LANGUAGE])).toEqual([
      ['"German"', '"de"'],
      ['"English"', '"en"'],
    ]);
  });
});

describe("the tracks of a service", () => {
  it("have distinct names, whatever the broadcaster sends", () => {
    const streams = [
      STREAMS.mp2("ger"),
      STREAMS.ac3("deu"),
      STREAMS.described("deu"),
      STREAMS.supplementary("deu"),
      STREAMS.mp2("und"),
      STREAMS.ac3Described("qaa"),
    ];
    expect(tracksFrom(streams).audio.map(({ name, isDescription }) => [name, isDescription])).toEqual([
      ["German", false],
      ["German (AC-3)", false],
      ["German (audio description)", true],
      ["German (audio description) (MP2)", true],
      ["Audio 5", false],
      ["Audio 6 (audio description)", true],
    ]);
  });

  it.each([
    ["AC-3 of the same language instead of a conversion", ["mp2:deu", "ac3:deu"], ["ac3"], 101],
    ["no other language instead of a conversion", ["mp2:deu", "ac3:eng"], ["ac3"], 100],
    ["the first track if all can be decoded", ["mp2:deu", "ac3:deu"], ["mp2", "ac3"], 100],
    ["no audio description", ["described:deu", "mp2:deu"], ["mp2"], 101],
    ["an audio description if there is nothing else", ["described:deu"], ["mp2"], 100],
  ] as const)("the default sound is %s", (_, streams, decoded: readonly AudioCodec[], pid) => {
    const made = streams.map((each) => {
      const [kind, of = ""] = each.split(":");
      return STREAMS[kind as "mp2" | "ac3" | "described"](of);
    });
    expect(offerFor(tracksFrom(made), { video: [], audio: decoded }).audio?.track.pid).toBe(pid);
  });

  it("distinguish layer III of MPEG audio from layer II by a frame", () => {
    const codecOf = (...head: readonly number[]) =>
      tracksFrom([STREAMS.mp2("deu")], new Map([[100, Uint8Array.from(head)]])).audio[0]?.codec;
    expect([codecOf(0xff, 0xfd), codecOf(0xff, 0xfb), codecOf()]).toEqual(["mp2", "mp3", "mp2"]);
  });

  it("have language tags by RFC 5646, for both kinds of ISO 639-2 codes", () => {
    const codes = ["ger", "deu", "fre", "dut", "cze", "gsw", "ENG", "und", "mul", "qaa", "d1!", ""];
    expect(codes.map(languageTag)).toEqual([
      "de",
      "de",
      "fr",
      "nl",
      "cs",
      "gsw",
      "en",
      ...Array.from({ length: 5 }, () => undefined),
    ]);
  });
});

describe("the playlist checker, for multivariant playlists", () => {
  const offer = offerFor(tracksFrom([STREAMS.h264, STREAMS.aac("deu"), STREAMS.aac("eng")]), {
    video: ["h264"],
    audio: ["aac"],
  });
  const good = multivariantPlaylist({ isIndependent: true, offer, uris, rate });

  it.each([
    ["§4.3.4.2", good.replace(/BANDWIDTH=\d+,/, "")],
    ["§4.3.4.2", good.replace("AVERAGE-BANDWIDTH=4", "AVERAGE-BANDWIDTH=9")],
    ["§4.3.4.2", good.replace(/\nindex.m3u8/, "")],
    ["§4.3.4.2", good.replace('AUDIO="audio"', 'AUDIO="sound"')],
    ["§4.3.4.2", good.replace(/#EXT-X-STREAM-INF.*\nindex.m3u8\n/, "")],
    ["§4.3.4.1", good.replace('LANGUAGE="de"', 'LANGUAGE="German language"')],
    ["§4.3.4.1", good.replace("AUTOSELECT=YES,DEFAULT=YES", "AUTOSELECT=NO,DEFAULT=YES")],
    ["§4.3.4.1.1", good.replace("DEFAULT=NO", "DEFAULT=YES")],
    ["§4.3.4.1.1", good.replace('"English"', '"German"')],
    ["§4.2", good.replace("TYPE=AUDIO", "TYPE=AUDIO,TYPE=AUDIO")],
    ["§4.1", good.replace("#EXT-X-MEDIA:", "#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA:")],
  ])("finds each violation of %s", (section, text) => {
    expect(checkPlaylist(good).faults).toEqual([]);
    expect(text).not.toBe(good);
    expect(checkPlaylist(text).faults.join("\n")).toContain(section);
  });
});
