import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Inspector } from "../../../../src/recorder/evidence/inspector.ts";
import { parseChannelList, readChannelList } from "../../../../src/recorder/tune/channel-lists/read.ts";
import { listOfScan } from "../../../../src/recorder/tune/channel-lists/scan.ts";
import { writtenList } from "../../../../src/recorder/tune/channel-lists/written.ts";

const FORMATS = ["lamedb", "lamedb5", "vdr-channels.conf", "dvbv5.conf", "zap-channels.conf", "list.m3u"];

function listOf(file: string) {
  const inspector = new Inspector(undefined);
  inspector.push(readFileSync(file));
  inspector.settle();
  return listOfScan(inspector.inspection());
}

describe("a written list", () => {
  it.each(FORMATS)("contains the same data of each service as %s", (file) => {
    const services =
      parseChannelList(readFileSync(`test/fixtures/channel-lists/${file}`, "utf8"))?.services ?? [];
    const again = parseChannelList(writtenList(services));
    const withoutLines = (list: typeof services) => list.map(({ line: _, ...service }) => service);
    expect(again?.mistakes).toEqual([]);
    expect(withoutLines(again?.services ?? [])).toEqual(withoutLines(services));
  });

  it("names a corrupted entry, and gives the rest", () => {
    const text =
      '{"format":"recorderd","services":[\n{"name":"A","ids":{}},\n{"name":"B","ids":{"sid":70000}},\n{"name":"C","ids":{}}\n]}';
    const list = parseChannelList(text);
    expect(list?.services.map(({ name, line }) => [name, line])).toEqual([
      ["A", 2],
      ["C", 4],
    ]);
    expect(list?.mistakes).toEqual([{ line: 3, text: "the service has invalid fields (ids.sid)" }]);
  });
});

describe("a scan of a multiplex", () => {
  it("gives the services of an Italian multiplex with their triplets and PIDs", () => {
    const { services } = listOf("test/fixtures/ts/rai-dvbt-mux.ts");
    expect(services.map(({ name, ids }) => [name, ids.sid])).toContainEqual(["Rai 1", 3401]);
    expect(services.every(({ ids }) => ids.onid === 318 && ids.tsid === 18_432)).toBe(true);
    expect(services.find(({ name }) => name === "Rai 1")?.pids).toContain(650);
  });

  it("gives the channel numbers that a French network has in its NIT", () => {
    const { services } = listOf("test/fixtures/ts/french-dvbt-si.ts");
    expect(services.map(({ name, lcn }) => [name, lcn])).toEqual([
      ["M6", 6],
      ["W9", 9],
      ["Arte", 7],
      ["France 5", 5],
      ["6ter", 22],
    ]);
  });
});

describe("a file with a channel list", () => {
  it("can have an old encoding, or UTF-16", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-list-"));
    try {
      const file = join(folder, "channels.conf");
      const list = "Gr\u00fcn:226500:B7:T:0:1:2:0:0:545:4112:545:0\n";
      for (const bytes of [Buffer.from(list, "latin1"), Buffer.from(`\ufeff${list}`, "utf16le")]) {
        await writeFile(file, bytes);
        expect((await readChannelList(file)).services.map(({ name }) => name)).toEqual(["Gr\u00fcn"]);
      }
      await writeFile(file, "nothing of that kind\n");
      await expect(readChannelList(file)).rejects.toMatchObject({ code: "CHANNEL_LIST_UNKNOWN" });
      await expect(readChannelList(join(folder, "absent"))).rejects.toMatchObject({
        code: "FILE_UNREADABLE",
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
