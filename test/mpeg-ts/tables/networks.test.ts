import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { describe, expect, it } from "vitest";
import type { NetworkSettings } from "../../../src/model/network.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";
import { GuideSections, readBroadcastGuide } from "../../../src/mpeg-ts/tables/broadcast-guide.ts";
import { GuideTables } from "../../../src/mpeg-ts/tables/guide-tables.ts";
import { NetworkCodings } from "../../../src/mpeg-ts/tables/networks.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import {
  ascii,
  counted,
  descriptor,
  join,
  PidWriter,
  packet,
  section,
  sixteen,
} from "../../kit/ts-builder.ts";

const TOKYO = 0x7fe0;
const BS = 4;
const BRAZIL = 0x0b0b;
const ASTRA = 1;

/** MJD 59,945 is 2023-01-01; 19:00 on the network's clock. */
const START = [...sixteen(59_945), 0x19, 0x00, 0x00];
const SEVEN = Date.UTC(2023, 0, 1, 19);

const NEWS = [0x25, 0x4b, 0x25, 0x65, 0x21, 0x3c, 0x25, 0x39];
const AUDIO_OF_ISDB = descriptor(0xc4, [0xf2, 0x01, 0x10, 0x0f, 0xff, 0x6f, ...ascii("jpn")]);
const SYSTEM_MANAGEMENT = descriptor(0xfe, [0x03, 0x01]);

interface Told {
  readonly onid: number;
  readonly language?: string;
  readonly title?: readonly number[];
  readonly more?: readonly number[];
}

const short = (language: string, title: readonly number[]) =>
  descriptor(0x4d, [...ascii(language), ...counted(title), 0]);

function event({ language = "jpn", title = NEWS, more = [] }: Told): readonly number[] {
  const loop = [...short(language, title), ...more];
  return [...sixteen(7), ...START, 0x01, 0x00, 0x00, ...sixteen(0x8000 | loop.length), ...loop];
}

const eit = (told: Told, tableId = 0x4e) =>
  section({
    tableId,
    extension: 1024,
    body: [...sixteen(2), ...sixteen(told.onid), 0, tableId, ...event(told)],
  });

function sdt({ onid, title = NEWS }: Told): Uint8Array {
  const service = descriptor(0x48, [1, 0, ...counted(title)]);
  const loop = [...sixteen(1024), 0xff, ...sixteen(0x8000 | service.length), ...service];
  return section({ tableId: 0x42, extension: 2, body: [...sixteen(onid), 0xff, ...loop] });
}

function nit(
  onid: number,
  { network = [], stream = [] }: { network?: readonly number[]; stream?: readonly number[] },
) {
  const loop = [...sixteen(2), ...sixteen(onid), ...sixteen(0xf000 | stream.length), ...stream];
  const body = [...sixteen(0xf000 | network.length), ...network, ...sixteen(0xf000 | loop.length), ...loop];
  return section({ tableId: 0x40, extension: onid, body });
}

const TIME = new Uint8Array([0x70, 0x70, 5, ...START]);
const PID = { nit: 0x10, sdt: 0x11, eit: 0x12, tdt: 0x14 };
type Sent = readonly [pid: number, section: Uint8Array];

/** With packets behind them, as a reader needs to find where packets begin. */
function packets(sent: readonly Sent[]): Uint8Array {
  const writers = new Map(Object.values(PID).map((pid) => [pid, new PidWriter(pid)]));
  const filler = Array.from({ length: 10 }, () => packet({ pid: 0x1fff, payload: new Uint8Array(184) }));
  return join([...sent.flatMap(([pid, bytes]) => writers.get(pid)?.sections(bytes) ?? []), ...filler]);
}

function inspected(sent: readonly Sent[], networks?: NetworkSettings) {
  const inspector = new Inspector(undefined, networks === undefined ? {} : { networks });
  inspector.push(packets(sent));
  inspector.settle();
  const { services, events, lastTime } = inspector.inspection();
  return { name: services[0]?.name, title: events[0]?.title, start: events[0]?.start, time: lastTime?.utc };
}

const all = (told: Told): readonly Sent[] => [
  [PID.sdt, sdt(told)],
  [PID.tdt, TIME],
  [PID.eit, eit(told)],
];

const JAPANESE = { name: "ニュース", title: "ニュース", start: SEVEN - 9 * HOUR, time: SEVEN - 9 * HOUR };

describe("a network of Japan", () => {
  it("is recognised by its id if it is terrestrial", () => {
    expect(inspected(all({ onid: TOKYO, language: "eng" }))).toEqual(JAPANESE);
  });

  it("is recognised by a satellite id and descriptors that only ISDB has", () => {
    expect(inspected(all({ onid: BS, more: AUDIO_OF_ISDB }))).toEqual(JAPANESE);
    expect(inspected([...all({ onid: BS }), [PID.nit, nit(BS, { network: SYSTEM_MANAGEMENT })]])).toEqual(
      JAPANESE,
    );
  });

  it("is recognised by those descriptors and the language of its events, whatever its id", () => {
    expect(inspected(all({ onid: 0xfffe, more: AUDIO_OF_ISDB }))).toEqual(JAPANESE);
    const cable: readonly Sent[] = [
      [PID.nit, nit(0xfffe, { stream: descriptor(0xcd, [1, 2]) })],
      ...all({ onid: 0xfffe }),
    ];
    expect(inspected(cable)).toEqual(JAPANESE);
  });

  it("has long texts in items, which are split at any byte", () => {
    const heading = [0x48, 0x56, 0x41, 0x48];
    const extended = (items: readonly number[]) =>
      descriptor(0x4e, [0x01, ...ascii("jpn"), ...counted(items), 0]);
    const more = [
      ...extended([...counted(heading), ...counted([0x46, 0x7c, 0x4b])]),
      ...extended([...counted([]), ...counted([0x5c, 0xce])]),
    ];
    const inspector = new Inspector(undefined);
    inspector.push(packets(all({ onid: TOKYO, more })));
    inspector.settle();
    expect(inspector.inspection().events[0]?.text).toBe("番組: 日本の");
  });
});

describe("a network of South America", () => {
  it.each(["por", "spa"])(
    "is recognised as ISDB by its NIT, with events in Portuguese or Spanish: %s",
    (language) => {
      const title = [...ascii("Informa"), 0xe7, 0xe3, ...ascii("o")];
      const told = { onid: BRAZIL, language, title };
      const text = { name: "Informação", title: "Informação" };
      const found = inspected([...all(told), [PID.nit, nit(BRAZIL, { network: SYSTEM_MANAGEMENT })]]);
      expect(found).toEqual({ ...text, start: SEVEN + 3 * HOUR, time: SEVEN + 3 * HOUR });
    },
  );
});

describe("a network of DVB", () => {
  const title = [...ascii("Caf"), 0xc2, ...ascii("e")];
  const cafe = { name: "Café", title: "Café", start: SEVEN, time: SEVEN };

  it("stays DVB under an id that a Japanese satellite also has, even with events in Japanese", () => {
    expect(inspected(all({ onid: BS, language: "deu", title }))).toEqual(cafe);
    expect(inspected(all({ onid: BS, language: "jpn", title }))).toEqual(cafe);
  });

  it("stays DVB with its own descriptors under the tags of ISDB", () => {
    const told = { onid: ASTRA, language: "deu", title };
    const own = nit(ASTRA, { network: SYSTEM_MANAGEMENT });
    expect(inspected([[PID.nit, own], ...all(told)])).toEqual(cafe);
    const specified = [...descriptor(0x5f, [0, 0, 0, 1]), ...AUDIO_OF_ISDB];
    expect(inspected(all({ onid: ASTRA, title, more: specified }))).toEqual(cafe);
  });
});

describe("a configured network", () => {
  it("has the given default character table and the given time offset", () => {
    const told = { onid: 0x20fa, language: "tur", title: [0xdd, 0xfe] };
    const networks: NetworkSettings = new Map([
      [0x20fa, { text: "iso-8859-9" as const, utcOffsetMs: 90 * MINUTE }],
    ]);
    const start = SEVEN - 90 * MINUTE;
    expect(inspected(all(told), networks)).toEqual({ name: "İş", title: "İş", start, time: start });
  });

  it("keeps the broadcast values of all other properties", () => {
    const networks: NetworkSettings = new Map([[TOKYO, { utcOffsetMs: 0 }]]);
    const shown = { ...JAPANESE, start: SEVEN, time: SEVEN };
    expect(inspected(all({ onid: TOKYO }), networks)).toEqual(shown);
  });
});

describe("event tables", () => {
  const early: readonly Sent[] = [
    [PID.sdt, sdt({ onid: BS })],
    [PID.eit, eit({ onid: BS }, 0x50)],
    [PID.nit, nit(BS, { network: SYSTEM_MANAGEMENT })],
  ];

  it("are discarded if they were read before the network's coding was known", () => {
    const tables = new GuideTables();
    const sections = new GuideSections((pid, bytes) => tables.section(pid, bytes));
    sections.push(packets(early));
    sections.settle();
    expect([tables.isOutdated, tables.guide().events]).toEqual([true, []]);
    for (const [pid, bytes] of early) tables.section(pid, bytes);
    expect(tables.isOutdated).toBe(false);
    expect(tables.guide()).toMatchObject({
      services: [{ name: "ニュース" }],
      events: [{ title: "ニュース", start: SEVEN - 9 * HOUR }],
    });
  });

  it("have blocks of three hours of the network's clock", () => {
    const codings = new NetworkCodings(new Map([[ASTRA, { utcOffsetMs: -5 * HOUR }]]));
    const tables = new GuideTables({ codings });
    tables.section(PID.eit, eit({ onid: ASTRA, language: "eng", title: ascii("News") }, 0x50));
    const [block] = tables.guide().services[0]?.blocks ?? [];
    // 18:00 to 21:00 there.
    expect(block?.span).toEqual({ start: SEVEN + 4 * HOUR, stop: SEVEN + 7 * HOUR });
  });

  it("of a file are read again if their coding becomes known only later", async () => {
    const folder = await mkdtemp(joinPath(tmpdir(), "recorderd-networks-"));
    const file = joinPath(folder, "bs.ts");
    await writeFile(file, packets(early));
    const guide = await readBroadcastGuide(file);
    await rm(folder, { recursive: true });
    expect(guide.events).toMatchObject([{ title: "ニュース", start: SEVEN - 9 * HOUR }]);
  });
});
