import { describe, expect, it } from "vitest";
import { readChannelTable } from "../../../src/guide-server/xmltv/channel-table.ts";
import { matchChannels, tripletOf } from "../../../src/guide-server/xmltv/channels.ts";
import type { Channel } from "../../../src/guide-wire/records.ts";

const dvb = (onid: number, tsid: number, sid: number) => [
  { original_network_id: onid, transport_stream_id: tsid, service_id: sid },
];
const CHANNELS: readonly Channel[] = [
  { id: 1, name: "Harbour One", name_short: "HAR1", lcns: "2, 20", dvb: dvb(0x1010, 0x221, 0x220) },
  { id: 2, name: "Harbour Two", known_names: ["Harbour Zwo"], lcns: "3" },
  { id: 3, name: "News", lcns: "4" },
  { id: 4, name: "News", lcns: "5" },
];

function matches(id: string, names: readonly string[], lcns: readonly string[] = [], table = "") {
  const [match] = matchChannels([{ id, names, lcns }], {
    channels: CHANNELS,
    before: new Map([["seen.example", 2]]),
    table: readChannelTable(table).table,
  });
  return [match?.by, match?.channelId, match?.note];
}

describe("a channel of a listing", () => {
  it("has its triplet in its id, as in Australian listings", () => {
    const triplet = { original_network_id: 0x1010, transport_stream_id: 0x221, service_id: 0x220 };
    expect(tripletOf("tv.101002210220")).toEqual(triplet);
    expect(tripletOf("mjh-tv.101002210220")).toEqual(triplet);
    expect(tripletOf("harbour.example")).toBeUndefined();
    expect(tripletOf("10100221022")).toBeUndefined();
  });

  it.each([
    ["by triplet before its name", "tv.101002210220", ["Harbour Two"], [], ["triplet", 1, undefined]],
    ["by name, whatever its case", "x", ["harbour two "], [], ["name", 2, undefined]],
    ["by short name", "x", ["Har1"], [], ["short name", 1, undefined]],
    ["by a known name", "x", ["HARBOUR ZWO"], [], ["known name", 2, undefined]],
    ["by a number of the remote control", "x", ["?"], ["20"], ["lcn", 1, undefined]],
    ["as before", "seen.example", ["?"], [], ["before", 2, undefined]],
    ["not by an ambiguous name", "x", ["News"], [], ["new", undefined, "its name matches channels 3, 4"]],
    ["by its number if two channels have its name", "x", ["News"], ["5"], ["lcn", 4, undefined]],
    ["not at all", "tv.1010022102ff", ["?"], [], ["new", undefined, undefined]],
  ])("is matched %s", (_, id, names, lcns, wanted) => {
    expect(matches(id, names, lcns)).toEqual(wanted);
  });

  it("is matched by index, not by a scan of the guide: a listing may name thousands", () => {
    const names = Array.from({ length: 2000 }, (_, index) => `Harbour ${index}`);
    let looks = 0;
    const channels = names.map((name, id) => ({
      id,
      get name() {
        looks += 1;
        return name;
      },
    }));
    const listed = names.map((name, index) => ({ id: `c${index}.example`, names: [name], lcns: [] }));
    const found = matchChannels(listed, { channels, before: new Map(), table: new Map() });
    expect(found.every(({ by, channelId }, index) => by === "name" && channelId === index)).toBe(true);
    expect(looks).toBeLessThan(10 * names.length);
  });

  it.each([
    ["x = channel 3", ["table", 3, undefined]],
    ["x = lcn 20", ["table", 1, undefined]],
    ["x = name harbour zwo", ["table", 2, undefined]],
    ["x = 0x1010/545/0x220", ["table", 1, undefined]],
    ["x = 1/2/3", ["new", undefined, undefined]],
    ["x = ignore", ["ignored", undefined, undefined]],
    ["x = name News", ["ignored", undefined, "the mapping table assigns it to channels 3, 4 of the guide"]],
    ["x = channel 99", ["ignored", undefined, "the mapping table assigns it to no channel of the guide"]],
  ])("follows the table: %s", (table, wanted) => {
    expect(matches("x", ["Harbour Two"], [], table)).toEqual(wanted);
  });

  it("never shares its channel with another one of the listing", () => {
    const listed = ["a", "b"].map((id) => ({ id, names: ["Harbour One"], lcns: [] }));
    const found = matchChannels(listed, { channels: CHANNELS, before: new Map(), table: new Map() });
    expect(found.map(({ by, note }) => [by, note])).toEqual([
      ["name", undefined],
      ["taken", "a is already channel 1"],
    ]);
  });
});

describe("a table of channels", () => {
  it("reports every line that cannot be parsed", () => {
    const { table, mistakes } = readChannelTable(
      "# mine\n\na = lcn 4 # four\nb: lcn 5\nc = 1/2\nd = lcn four\ne = 65536/1/1\nf = ignore\n",
    );
    expect([...table.keys()]).toEqual(["a", "f"]);
    expect(mistakes.map(({ line }) => line)).toEqual([4, 5, 6, 7]);
  });
});
