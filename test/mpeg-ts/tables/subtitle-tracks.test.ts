import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { StreamTables } from "../../../src/mpeg-ts/tables/stream-tables.ts";
import { subtitleTracks } from "../../../src/mpeg-ts/tables/subtitle-tracks.ts";
import { subtitleChoices } from "../../../src/recorder/subsystems/playback/subtitles/choices.ts";
import { subtitlingDescriptor } from "../../kit/bitmap-encoder.ts";
import { teletextDescriptor } from "../../kit/teletext-encoder.ts";
import { join, PidWriter, pat, pmt } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

function tablesOf(...infos: readonly (readonly number[])[]): Uint8Array {
  const streams = infos.map((info, index) => ({ type: 6, pid: 0x120 + index, info }));
  return join([
    ...new PidWriter(0).sections(pat(1, { programmes: [[1, 0x20]] })),
    ...new PidWriter(0x20).sections(pmt({ sid: 1, pcrPid: 0x100, streams })),
  ]);
}

describe("the subtitles of a service", () => {
  it("are teletext subtitle pages and bitmaps, for all viewers and for the hard of hearing", () => {
    const teletext = teletextDescriptor([
      { page: "100", language: "GER", type: 1 },
      { page: "888", language: "ger", type: 2 },
      { page: "149", language: "ger", type: 5 },
    ]);
    const bitmaps = [
      ...subtitlingDescriptor("fra", 0x10, 3),
      ...subtitlingDescriptor("fra", 0x24, 4),
      ...subtitlingDescriptor("fra", 0x30, 5),
    ];
    expect(subtitleChoices({ tables: [tablesOf(teletext, bitmaps)] })).toMatchObject([
      { id: "288-888", kind: "teletext", language: "de", name: "German", isForHardOfHearing: false },
      { id: "288-149", kind: "teletext", name: "German, for the hard of hearing", isForHardOfHearing: true },
      { id: "289-3", kind: "bitmap", language: "fr", name: "French", isForHardOfHearing: false },
      { id: "289-4", kind: "bitmap", name: "French, for the hard of hearing", isForHardOfHearing: true },
    ]);
  });

  it("are found after a PAT of several packets, as multiplexes with many services have", () => {
    const info = teletextDescriptor([{ page: "888", language: "ger", type: 2 }]);
    const programmes = Array.from({ length: 60 }, (_, at) => [at + 1, 0x20 + at] as const);
    const streams = [{ type: 6, pid: 0x120, info }];
    const tables = join([
      ...new PidWriter(0).sections(pat(1, { programmes })),
      ...new PidWriter(0x20).sections(pmt({ sid: 1, pcrPid: 0x100, streams })),
    ]);
    expect(pidAt(tables, PACKET_BYTES)).toBe(0);
    expect(subtitleTracks(tables).map(({ id }) => id)).toEqual(["288-888"]);
  });

  it("have distinct names, even without a language and in several versions of the tables", () => {
    const page = (number: string, language: string) => ({ page: number, language, type: 2 });
    const before = tablesOf(teletextDescriptor([page("777", "ita"), page("778", "ita")]));
    const after = tablesOf(
      teletextDescriptor([page("777", "ita"), page("779", "\0\0\0"), page("77a", "xyz"), page("77b", "und")]),
    );
    const named = subtitleChoices({ tables: [before, after] });
    expect(named.map(({ id, name }) => `${id} ${name}`)).toEqual([
      "288-777 Italian",
      "288-778 Italian (2)",
      "288-779 Subtitles",
      "288-77a xyz",
      "288-77b Subtitles (2)",
    ]);
  });

  it("are found in a real multiplex", async () => {
    const multiplex = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
    const tables = new StreamTables({ programmesChanged: () => {}, timePassed: () => {} });
    for (let at = 0; at < multiplex.length; at += PACKET_BYTES) {
      const pid = pidAt(multiplex, at);
      if (tables.pids.includes(pid)) tables.packet(pid, multiplex, at);
    }
    const found = tables.programmes.map(({ sid }) => {
      const packets = tables.packetsOf(sid);
      return packets === undefined
        ? []
        : subtitleTracks(packets).map(({ id, language }) => `${sid} ${id} ${language}`);
    });
    expect(found.flat()).toEqual([
      "3401 576-777 ita",
      "3401 576-778 eng",
      "3402 577-777 ita",
      "3402 577-778 eng",
      "3411 599-777 ita",
      "3411 599-778 eng",
    ]);
  });

  it("are limited in number, whatever the tables contain", () => {
    const tables = tablesOf(subtitlingDescriptor("fra"), teletextDescriptor([]));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.nat(500), (bytes, at) => {
        const changed = tables.slice();
        changed.set(bytes.subarray(0, Math.max(0, changed.length - at)), Math.min(at, changed.length));
        return subtitleTracks(changed).length < 100 && subtitleTracks(bytes).length === 0;
      }),
    );
  });
});
