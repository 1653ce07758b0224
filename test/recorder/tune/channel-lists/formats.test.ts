import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { withinWire } from "../../../../src/model/wire-text.ts";
import type { ChannelList, ListedService } from "../../../../src/recorder/tune/channel-lists/list.ts";
import { parseChannelList, readChannelList } from "../../../../src/recorder/tune/channel-lists/read.ts";

function listIn(file: string): ChannelList {
  const list = parseChannelList(readFileSync(`test/fixtures/channel-lists/${file}`, "utf8"));
  if (list === undefined) throw new Error(`the format of ${file} is not known`);
  return list;
}

function names({ services }: ChannelList): readonly string[] {
  return services.map(({ name }) => name);
}

function called(list: ChannelList, name: string): ListedService | undefined {
  return list.services.find((service) => service.name === name);
}

describe("a lamedb of version 4", () => {
  const list = listIn("lamedb");

  it("gives every service with all known data", () => {
    expect(list.format).toBe("enigma2");
    expect(called(list, "Das Erste HD")).toEqual({
      line: 20,
      name: "Das Erste HD",
      provider: "ARD",
      ids: { onid: 1, tsid: 0x437, sid: 0x2b5c },
      serviceType: 25,
      namespace: 0xc00000,
      pids: [0x13ef, 0x13f1, 0x13f2],
      caIds: [0x1830, 0x0d95],
      tuning: {
        system: "DVB-S2",
        frequencyHz: 11_493_750_000,
        symbolRate: 22_000_000,
        polarization: "H",
        fec: "2/3",
        orbit: 192,
        modulation: "8PSK",
        rollOff: 35,
      },
    });
  });

  it("includes the tuning data of all delivery systems", () => {
    expect(called(list, "ABC")?.tuning).toEqual({
      system: "DVB-T",
      frequencyHz: 226_500_000,
      bandwidthHz: 7_000_000,
      fec: "3/4",
      fecLow: "1/2",
      modulation: "QAM64",
      transmissionMode: "8K",
      guardInterval: "1/16",
      hierarchy: "none",
    });
    expect(called(list, "3sat HD")?.tuning).toEqual({
      system: "DVB-T2",
      frequencyHz: 690_000_000,
      bandwidthHz: 8_000_000,
      modulation: "QAM256",
      transmissionMode: "32K",
      guardInterval: "19/256",
      streamId: 1,
    });
    expect(called(list, "BonGusto")?.tuning).toEqual({
      system: "DVB-C",
      frequencyHz: 466_000_000,
      symbolRate: 6_900_000,
      modulation: "QAM256",
    });
    expect(called(list, "West")?.tuning).toMatchObject({ orbit: -300, polarization: "V", inversion: false });
  });

  it("skips hidden services, and names unreadable entries", () => {
    expect(names(list)).toEqual(["Das Erste HD", "ABC", "3sat HD", "BonGusto", "West"]);
    expect(list.mistakes).toEqual([{ line: 32, text: "expected sid:namespace:tsid:onid:type:number" }]);
  });
});

describe("a lamedb of version 5", () => {
  const list = listIn("lamedb5");

  it("gives its services, including names with commas and quotes", () => {
    expect(names(list)).toEqual(["Das Erste HD", 'ABC, the "first"', "No provider"]);
    expect(called(list, "Das Erste HD")).toMatchObject({
      ids: { onid: 1, tsid: 0x437, sid: 0x2b5c },
      pids: [0x13ef],
      caIds: [0x1830],
      tuning: { frequencyHz: 11_493_750_000, streamId: 4 },
    });
  });

  it("names unreadable lines", () => {
    expect(list.mistakes.map(({ line }) => line)).toEqual([8, 9]);
  });
});

describe("a channels.conf of VDR", () => {
  const list = listIn("vdr-channels.conf");

  it("gives every service with all known data", () => {
    expect(list.format).toBe("vdr");
    expect(called(list, "Das Erste HD")).toEqual({
      line: 6,
      name: "Das Erste HD",
      provider: "ARD",
      group: "Satellite",
      lcn: 204,
      ids: { onid: 1, tsid: 1019, sid: 11_100 },
      pids: [5101, 5102, 5103, 5106, 5104, 5105],
      caIds: [0x1830, 0x0d95],
      tuning: {
        system: "DVB-S2",
        frequencyHz: 11_493_000_000,
        orbit: 192,
        polarization: "H",
        symbolRate: 22_000_000,
        modulation: "8PSK",
        fec: "2/3",
        rollOff: 35,
        streamId: 0,
      },
    });
    expect(called(list, "ABC TV")).toMatchObject({
      shortName: "ABC",
      provider: "ABC Australia",
      group: "Terrestrial",
      lcn: 202,
      ids: { onid: 4112, tsid: 545, sid: 545 },
    });
  });

  it("reads frequencies by their size, and colons that names contain as bars", () => {
    expect(called(list, "SBS ONE")?.tuning).toEqual({
      system: "DVB-T",
      frequencyHz: 184_500_000,
      bandwidthHz: 7_000_000,
      modulation: "QAM64",
      fec: "3/4",
      guardInterval: "1/16",
      transmissionMode: "8K",
      hierarchy: "none",
    });
    expect(called(list, "ZDF HD:Test")?.tuning).toMatchObject({
      system: "DVB-T2",
      guardInterval: "19/128",
      streamId: 1,
    });
    expect(called(list, "BonGusto")?.tuning).toMatchObject({
      system: "DVB-C",
      frequencyHz: 466_000_000,
      symbolRate: 6_900_000,
    });
    expect(called(list, "West")).toMatchObject({
      ids: { sid: 7 },
      pids: [100, 101, 102],
      tuning: { orbit: -300 },
    });
    expect(called(list, "West")?.caIds).toBeUndefined();
  });

  it("names unreadable lines, and skips entries that are not broadcast", () => {
    expect(names(list)).not.toContain("Camera");
    expect(list.mistakes.map(({ line }) => line)).toEqual([12, 13]);
  });
});

describe("a channel file of libdvbv5", () => {
  const list = listIn("dvbv5.conf");

  it("gives every service with all known data", () => {
    expect(list.format).toBe("dvbv5");
    expect(names(list)).toEqual(["ABC TV", "Das Erste HD", "Only a SID"]);
    expect(called(list, "ABC TV")).toEqual({
      line: 2,
      name: "ABC TV",
      ids: { onid: 4112, tsid: 545, sid: 545 },
      lcn: 2,
      pids: [256, 257, 258, 700],
      tuning: {
        system: "DVB-T",
        frequencyHz: 226_500_000,
        bandwidthHz: 7_000_000,
        modulation: "QAM64",
        fec: "3/4",
        guardInterval: "1/16",
        transmissionMode: "8K",
        hierarchy: "none",
      },
    });
    expect(called(list, "Das Erste HD")?.tuning).toEqual({
      system: "DVB-S2",
      frequencyHz: 11_493_750_000,
      symbolRate: 22_000_000,
      polarization: "H",
      fec: "2/3",
      modulation: "8PSK",
      rollOff: 35,
      pilot: true,
      inversion: false,
    });
    expect(called(list, "Only a SID")?.ids).toEqual({ sid: 7 });
  });

  it("names unreadable entries", () => {
    expect(list.mistakes.map(({ line }) => line).sort((a, b) => a - b)).toEqual([49, 54, 57]);
  });
});

it("a list of VDR whose channels come from a plugin is no list of zap", () => {
  const iptv = "X;Y:1:S=1|P=0|F=UDP|U=127.0.0.1|A=1234:I:0:256:257:0:0:1:0:0:0";
  expect(parseChannelList(iptv)).toMatchObject({ format: "vdr", services: [] });
  expect(parseChannelList("one:two:3:4:5:6:7:8")).toBeUndefined();
});

describe("a channels.conf of zap", () => {
  it("gives the services of all four tools, and names the unreadable line", () => {
    const list = listIn("zap-channels.conf");
    expect(list.format).toBe("zap");
    expect(
      list.services.map(({ name, ids, tuning }) => [name, ids, tuning?.system, tuning?.modulation]),
    ).toEqual([
      ["ABC1", { sid: 593 }, "DVB-T", "QAM64"],
      ["BonGusto", { sid: 15_104 }, "DVB-C", "QAM256"],
      ["Das Erste", { sid: 28_106 }, "DVB-S", undefined],
      ["KQED", { sid: 3 }, "ATSC", "VSB8"],
      ["KQED cable", { sid: 4 }, "ATSC", "QAM256"],
    ]);
    expect(called(list, "Das Erste")?.tuning).toEqual({
      system: "DVB-S",
      frequencyHz: 11_836_000_000,
      polarization: "H",
      symbolRate: 27_500_000,
    });
    expect(list.mistakes.map(({ line }) => line)).toEqual([6]);
  });

  it("may name several sounds of a service", () => {
    const list = parseChannelList("WCBS:575000000:8VSB:49:52,53:3");
    expect(list?.services.map(({ pids }) => pids)).toEqual([[49, 52, 53]]);
  });

  it("yields to other work, whatever its names contain", () => {
    const good = "ABC (Seven):226500000:QAM_256:512:650:561";
    const names = ["(".repeat(2_000_000), "Salt (TV", "Salt TV)"];
    const text = [good, ...names.map((name) => `${name}:226500000:QAM_256:512:650:561`)].join("\n");
    expect(parseChannelList(text)?.services.map(({ name }) => name)).toEqual([
      "ABC",
      ...names.map((name) => withinWire(name)),
    ]);
  });
});

describe("an M3U list", () => {
  const list = listIn("list.m3u");

  it("gives addresses with their attributes", () => {
    expect(list.services).toEqual([
      {
        line: 2,
        name: "ABC TV, Sydney",
        shortName: "ABC",
        lcn: 2,
        group: "Free, to air",
        ids: { onid: 0x1010, tsid: 0x221, sid: 0x220 },
        url: "http://192.0.2.10:8080/abc.ts",
      },
      {
        line: 4,
        name: "SBS ONE",
        group: "Radio",
        ids: { onid: 12_802, tsid: 928, sid: 929 },
        url: "udp://@239.255.0.1:5004",
      },
      {
        line: 9,
        name: "Das Erste HD",
        ids: { onid: 1, tsid: 0x437, sid: 0x2b5c },
        namespace: 0xc00000,
        url: "http://192.0.2.20:8001/1:0:19:2B5C:437:1:C00000:0:0:0:",
      },
      {
        line: 11,
        name: "Only a name",
        lcn: 7,
        ids: {},
        url: "rtsp://192.0.2.30/?src=1&freq=11494&pids=all",
      },
      { line: 13, name: "", ids: {}, url: "http://192.0.2.40/without-a-name.ts" },
    ]);
  });

  it("names entries without an address", () => {
    expect(list.mistakes.map(({ line }) => line)).toEqual([14, 15, 17]);
  });

  const bbc = { name: "BBC One", lcn: 101 };
  it.each<[string, string, string, Partial<ListedService>]>([
    [
      "in single quotes",
      "-1 tvg-chno='101' tvg-name='One, too',BBC One",
      "",
      { ...bbc, shortName: "One, too" },
    ],
    [
      "without quotes",
      "-1 tvg-chno=101 group-title=News tvg-name=L'Un,BBC One",
      "",
      { ...bbc, group: "News" },
    ],
    ["behind a comma", '-1,tvg-chno="101" group-title="a, b",BBC One', "", { ...bbc, group: "a, b" }],
    ["of ATSC", '-1 tvg-chno="2.1",WCBS', "", { name: "WCBS" }],
    ["of SAT>IP", "0,12. ORF1 HD", "rtsp://192.0.2.1/?src=1&freq=11303&pol=h&pids=0,17", { name: "ORF1 HD" }],
    ["of a channel with a number", "0,1. FM", "http://192.0.2.1/a?freq=1", { name: "1. FM" }],
    [
      "behind an address",
      "-1 ,A",
      "http://192.0.2.1/a|user-agent=VLC%2F3.0%0d%0aX: y&Referer=http://a/&y=|",
      { url: "http://192.0.2.1/a", headers: { "User-Agent": "VLC/3.0X: y", Referer: "http://a/" } },
    ],
    [
      "in lines for VLC",
      "-1,A\n#EXTVLCOPT:http-user-agent=VLC/3.0 x\n#EXTVLCOPT:network-caching=1000\n#EXTVLCOPT:http-referrer=http://a/",
      "",
      { name: "A", headers: { "User-Agent": "VLC/3.0 x", Referer: "http://a/" } },
    ],
    ["around an address", "-1,A", '"http://192.0.2.1/a b"', { url: "http://192.0.2.1/a%20b" }],
    [
      "of enigma2, encoded",
      "-1,A",
      "http://192.0.2.1:8001/1%3A0%3A19%3A2b5c%3A437%3A1%3Ac00000%3A0%3A0%3A0%3A",
      { ids: { onid: 1, tsid: 0x437, sid: 0x2b5c } },
    ],
    [
      "of VDR's streamdev",
      "-1,12 Das Erste HD",
      "http://192.0.2.1:3000/TS/S19.2E-1-1019-10301",
      { name: "Das Erste HD", lcn: 12, ids: { onid: 1, tsid: 1019, sid: 10301 } },
    ],
    [
      "of VDR's streamdev, without an ONID",
      "-1,3 3sat",
      "http://192.0.2.1:3000/T-0-498-42+2.ts",
      { name: "3sat", lcn: 3, ids: { sid: 42 } },
    ],
    [
      "of VDR's streamdev, from another source than broadcast",
      "-1,3 3sat",
      "http://192.0.2.1:3000/I-1-1-1",
      { name: "3 3sat", ids: {} },
    ],
  ])("is read with attributes %s, also behind a comment", (_, info, address, wanted) => {
    const text = `# mine\n#EXTM3U\n#EXTINF:${info}\n${address || "http://192.0.2.1/a"}\n`;
    const [service] = parseChannelList(text)?.services ?? [];
    expect(service).toMatchObject(wanted);
    expect(service?.lcn).toBe(wanted.lcn);
  });
});

describe("a list of a player", () => {
  const A = { name: "A & B", ids: {}, url: "http://192.0.2.1/a" };
  const B = { name: "", ids: {}, url: "udp://@239.0.0.1:5000" };
  it.each([
    [
      "m3u",
      "http://192.0.2.1/a\nudp://@239.0.0.1:5000\nfile:///c\n",
      [
        { ...A, name: "", line: 1 },
        { ...B, line: 2 },
      ],
      [3],
    ],
    [
      "pls",
      "[playlist]\nNumberOfEntries=3\nTitle1=A & B\nFile1= http://192.0.2.1/a\nLength1=-1\nFile2=udp://@239.0.0.1:5000\nfile3=/c\nVersion=2\n",
      [
        { ...A, line: 4 },
        { ...B, line: 6 },
      ],
      [7],
    ],
    [
      "xspf",
      '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>x</title><trackList><track><title>A &amp; B</title><location>http://192.0.2.1/a</location></track>\n<track><location>udp://@239.0.0.1:5000</location></track><track><title>c</title></track></trackList></playlist>',
      [
        { ...A, line: 1 },
        { ...B, line: 2 },
      ],
      [3],
    ],
    ["xspf", "<playlist><trackList>", [], [1]],
    [
      "m3u",
      "#EXTM3U\n#EXTINF:-1,A &amp; B\nhttp://192.0.2.1/a?b=1&amp;c\n",
      [{ ...A, url: `${A.url}?b=1&c` }],
      [],
    ],
    ["m3u", "#EXTM3U\n#EXTINF:-1,News\nhttp://192.0.2.1/group.m3u?group=1\n", [], [2]],
    ["m3u", "#EXTM3U\nhttp://192.0.2.1/a.M3U8?t=1\nudp://239.0.0.1\nrtp://[ff02::1]\n", [], [2, 3, 4]],
  ])("is read from %s", (format, text, services, mistakes) => {
    const list = parseChannelList(text);
    expect(list).toMatchObject({ format, services });
    expect(list?.mistakes.map(({ line }) => line)).toEqual(mistakes);
  });
});

describe("a bouquet of enigma2", () => {
  const BOUQUET = `#NAME Favourites (TV)
#SERVICE 1:64:1:0:0:0:0:0:0:0::News
#DESCRIPTION News
#SERVICE 1:0:19:2B5C:437:1:C00000:0:0:0:
#SERVICE 1:0:1:220:221:1010:EEEE0000:0:0:0:
#DESCRIPTION Aunty
#SERVICE 4097:0:1:0:0:0:0:0:0:0:http%3a//192.0.2.1%3a8080/live/1:Stream One
#SERVICE 1:7:1:0:0:0:0:0:0:0:FROM BOUQUET "userbouquet.x.tv" ORDER BY bouquet
#SERVICE 1:0:1:0:0:0:0:0:0:0:
`;
  it("gives services in its order, with names and frequencies from the lamedb beside it, packed or not", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-bouquet-"));
    try {
      const file = join(folder, "userbouquet.favourites.tv");
      await writeFile(file, gzipSync(BOUQUET));
      const alone = await readChannelList(file);
      expect(alone.services.map(({ name, ids, url }) => [name, ids.sid, url])).toEqual([
        ["", 0x2b5c, undefined],
        ["Aunty", 0x220, undefined],
        ["Stream One", undefined, "http://192.0.2.1:8080/live/1"],
      ]);
      expect(alone.mistakes.map(({ line }) => line)).toEqual([8, 9, 4]);
      await copyFile("test/fixtures/channel-lists/lamedb", join(folder, "lamedb"));
      const { services, mistakes } = await readChannelList(file);
      expect(services).toMatchObject([
        { name: "Das Erste HD", line: 4, group: "Favourites (TV)", tuning: { orbit: 192 } },
        { name: "Aunty", line: 5 },
        { name: "Stream One", ids: {} },
      ]);
      expect(mistakes.map(({ line }) => line)).toEqual([8, 9]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a list of unknown format", () => {
  it.each([
    "",
    "hello\nworld\n",
    "\u0000\u0001",
    "<html></html>",
    '[{"URL":"http://192.0.2.1/a"}]',
    "<asx><entry/></asx>",
  ])("is refused: %j", (text) => {
    expect(parseChannelList(text)).toBeUndefined();
  });
});

describe("a list of frequencies", () => {
  it("gives multiplexes, and no services", () => {
    const list = parseChannelList(`# Anywhere
T 474000000 8MHz 2/3 NONE QAM64 8k 1/4 NONE # west
T2 482000000 8MHz AUTO AUTO QAM256 32k 1/128 NONE 1
C 394000000 6900000 NONE QAM64
S 12188000 h 27500000 3/4
S2 11362000 H 22000000 2/3 25 8PSK
A 57028615 8VSB
`);
    expect(list).toMatchObject({ format: "frequencies", services: [], mistakes: [] });
    expect(list?.multiplexes?.map(({ tuning }) => tuning)).toEqual([
      {
        system: "DVB-T",
        frequencyHz: 474_000_000,
        bandwidthHz: 8_000_000,
        fec: "2/3",
        modulation: "QAM64",
        transmissionMode: "8K",
        guardInterval: "1/4",
      },
      {
        system: "DVB-T2",
        frequencyHz: 482_000_000,
        bandwidthHz: 8_000_000,
        modulation: "QAM256",
        transmissionMode: "32K",
        guardInterval: "1/128",
        streamId: 1,
      },
      { system: "DVB-C", frequencyHz: 394_000_000, symbolRate: 6_900_000, modulation: "QAM64" },
      {
        system: "DVB-S",
        frequencyHz: 12_188_000_000,
        polarization: "H",
        symbolRate: 27_500_000,
        fec: "3/4",
      },
      {
        system: "DVB-S2",
        frequencyHz: 11_362_000_000,
        polarization: "H",
        symbolRate: 22_000_000,
        fec: "2/3",
        rollOff: 25,
        modulation: "8PSK",
      },
      { system: "ATSC", frequencyHz: 57_028_615, modulation: "VSB8" },
    ]);
  });

  it("is read beyond an invalid line", () => {
    const list = parseChannelList("T 474000000 8MHz\nS 12188000 H\nT 0 8MHz\nC 394000000 6900000\n");
    expect(list?.multiplexes?.map(({ line }) => line)).toEqual([1, 4]);
    expect(list?.mistakes).toEqual([
      { line: 2, text: 'expected a symbol rate, a number up to 100000000, found ""' },
      { line: 3, text: "expected frequencyHz to be a whole number from 1 to 1000000000000" },
    ]);
  });

  it("may be the initial tuning data of libdvbv5", () => {
    const list = parseChannelList(
      "[CHANNEL]\n\tDELIVERY_SYSTEM = DVBT\n\tFREQUENCY = 474000000\n\tBANDWIDTH_HZ = 8000000\n",
    );
    const tuning = { system: "DVB-T", frequencyHz: 474_000_000, bandwidthHz: 8_000_000 };
    expect(list?.multiplexes).toEqual([{ line: 1, name: "", ids: {}, tuning }]);
  });
});
