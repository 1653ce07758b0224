import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { GuideTables } from "../../../src/mpeg-ts/tables/guide-tables.ts";
import { DVB_CODING } from "../../../src/mpeg-ts/tables/networks.ts";
import { sectionHeader } from "../../../src/mpeg-ts/tables/sections.ts";
import { readEvents } from "../../../src/mpeg-ts/tables/tables.ts";
import { section, sixteen } from "../../../src/simulator/broadcaster/section.ts";
import { fc } from "../../properties.ts";

const SERVICE = { onid: 1, tsid: 2, sid: 3 };
/** 2026-11-20T00:00:00Z */
const MIDNIGHT = Date.UTC(2026, 10, 20);
const MJD_OF_EPOCH = 40_587;

interface Told {
  readonly id: number;
  /** In hours from midnight. */
  readonly at: number;
  readonly title: string;
  readonly desc?: string;
  readonly crids?: readonly (readonly [type: number, text: string])[];
}

const bcd = (value: number) => (Math.floor(value / 10) << 4) | (value % 10);

function entry({ id, at, title, desc = "", crids = [] }: Told): readonly number[] {
  const start = MIDNIGHT + at * HOUR;
  const short = [...Buffer.from("eng"), title.length, ...Buffer.from(title), 0];
  const extended = (desc.match(/.{1,240}/g) ?? []).flatMap((part) => [
    ...[0x4e, part.length + 6, 0, ...Buffer.from("eng"), 0, part.length],
    ...Buffer.from(part),
  ]);
  const content = crids.flatMap(([type, text]) => [type << 2, text.length, ...Buffer.from(text)]);
  const loop = [
    0x4d,
    short.length,
    ...short,
    ...extended,
    ...(content.length === 0 ? [] : [0x76, content.length, ...content]),
  ];
  const minutes = (start % DAY) / MINUTE;
  return [
    ...sixteen(id),
    ...sixteen(MJD_OF_EPOCH + Math.floor(start / DAY)),
    ...[bcd(Math.floor(minutes / 60)), bcd(minutes % 60), 0],
    ...[bcd(1), 0, 0],
    ...sixteen(loop.length),
    ...loop,
  ];
}

interface Sent {
  readonly tableId: number;
  readonly number: number;
  readonly version?: number;
  readonly segmentLast?: number;
}

function eit({ tableId, number, version = 0, segmentLast = number }: Sent, events: readonly Told[]): Buffer {
  const head = [...sixteen(SERVICE.tsid), ...sixteen(SERVICE.onid), segmentLast, tableId];
  const body = [...head, ...events.flatMap(entry)];
  return section({ tableId, extension: SERVICE.sid, version, number, lastNumber: 248, body });
}

function sdt(authority: string, tableId = 0x42, tsid = SERVICE.tsid, serviceType = 1): Buffer {
  const name = [...Buffer.from("Salt TV")];
  const loop = [
    0x48,
    name.length + 3,
    serviceType,
    0,
    name.length,
    ...name,
    0x73,
    authority.length,
    ...Buffer.from(authority),
  ];
  const body = [
    ...sixteen(SERVICE.onid),
    0xff,
    ...sixteen(SERVICE.sid),
    0xfd,
    ...sixteen(loop.length),
    ...loop,
  ];
  return section({ tableId, extension: tsid, version: 0, number: 0, lastNumber: 0, body });
}

function told(sections: readonly Buffer[]) {
  const tables = new GuideTables();
  for (const one of sections) tables.section((one[0] ?? 0) < 0x4e ? 0x11 : 0x12, one);
  return tables.guide();
}

/** Blocks as hours of their spans, and ids. */
function blocksOf(sections: readonly Buffer[]) {
  const hours = (at: number) => (at - MIDNIGHT) / HOUR;
  return told(sections).services.flatMap(({ blocks }) =>
    blocks.map(({ span, events }) => [
      span === undefined ? "unknown" : `${hours(span.start)}-${hours(span.stop)}`,
      ...events.map(({ eventId }) => eventId),
    ]),
  );
}

const NEWS: Told = { id: 1, at: 21, title: "News" };
const FILM: Told = { id: 2, at: 22, title: "Film" };
const LATE: Told = { id: 3, at: 24.5, title: "Late" };

describe("EIT sections", () => {
  it("complete three hours once every section of a segment is present", () => {
    const first = eit({ tableId: 0x50, number: 56, segmentLast: 57 }, [NEWS]);
    expect(blocksOf([first])).toEqual([["unknown", 1]]);
    const second = eit({ tableId: 0x50, number: 57, segmentLast: 57 }, [FILM]);
    expect(blocksOf([first, second])).toEqual([["21-24", 1, 2]]);
    expect(blocksOf([first, second, eit({ tableId: 0x50, number: 64 }, [LATE])])).toEqual([
      ["21-24", 1, 2],
      ["24-27", 3],
    ]);
  });

  it("mark an empty segment as free of events, for days ahead in further tables", () => {
    expect(
      blocksOf([eit({ tableId: 0x50, number: 56 }, [NEWS]), eit({ tableId: 0x50, number: 64 }, [])]),
    ).toEqual([["21-24", 1], ["24-27"]]);
    const inFiveDays = { ...NEWS, at: 5 * 24 + 21 };
    expect(blocksOf([eit({ tableId: 0x51, number: 120 }, [inFiveDays])])).toEqual([["141-144", 1]]);
  });

  it("are limited in number if empty, but never if they have events", () => {
    const tables = new GuideTables({ eventsMax: 2 });
    const starts = (number: number) => eit({ tableId: 0x50, number }, []);
    for (const one of [eit({ tableId: 0x50, number: 56 }, [NEWS]), ...[64, 72, 80].map(starts)]) {
      tables.section(0x12, one);
    }
    const spans = () =>
      tables.guide().services.flatMap(({ blocks }) => blocks.map(({ span }) => span?.start));
    const hour = (hours: number) => MIDNIGHT + hours * HOUR;
    expect(spans()).toEqual([hour(21), hour(24), hour(27)]);
    tables.section(0x12, eit({ tableId: 0x50, number: 88 }, [{ ...LATE, at: 33.5 }]));
    expect(spans()).toEqual([hour(21), hour(24), hour(27), hour(33)]);
  });

  it("are limited in number also by the length of their texts", () => {
    const tables = new GuideTables({ eventsMax: 12 });
    const long = { ...NEWS, desc: "n".repeat(3000 - NEWS.title.length) };
    for (let number = 0; number < 8; number += 1)
      tables.section(0x12, eit({ tableId: 0x50, number }, [long]));
    expect([tables.eventsRead, tables.held]).toEqual([4, 12]);
  });

  it("hold the first reference of each kind, however many are sent", () => {
    const crids = Array.from({ length: 30 }, (_, index) => [0x31 + (index % 2), `a/${index}`] as const);
    const bytes = eit({ tableId: 0x4e, number: 0 }, [{ ...NEWS, crids }]);
    const header = sectionHeader(bytes);
    assert(header !== undefined);
    expect(readEvents({ bytes, header }, DVB_CODING).map((event) => event.crids)).toEqual([
      [
        { kind: "programme", text: "a/0" },
        { kind: "series", text: "a/1" },
      ],
    ]);
  });

  it("prove nothing if their events are outside their segments", () => {
    const sections = [eit({ tableId: 0x50, number: 56 }, [NEWS]), eit({ tableId: 0x50, number: 64 }, [FILM])];
    expect(blocksOf(sections)).toEqual([
      ["unknown", 1],
      ["unknown", 2],
    ]);
  });

  it("of present/following override the schedule", () => {
    const sections = [
      eit({ tableId: 0x4e, number: 0 }, [NEWS]),
      eit({ tableId: 0x4e, number: 1 }, [{ ...FILM, at: 22.25 }]),
      eit({ tableId: 0x50, number: 56 }, [NEWS, FILM]),
    ];
    const { services, events } = told(sections);
    const second = SECOND / HOUR;
    expect(blocksOf(sections)).toEqual([
      [`21-${22.25 + second}`, 1, 2],
      ["21-24", 1, 2],
    ]);
    expect(events.map(({ start }) => (start - MIDNIGHT) / HOUR)).toEqual([21, 22.25]);
    expect(services[0]?.blocks[1]?.events[1]?.start).toBe(MIDNIGHT + 22.25 * HOUR);
  });

  it("replace those of an older version", () => {
    const before = [eit({ tableId: 0x50, number: 56 }, [NEWS]), eit({ tableId: 0x50, number: 64 }, [LATE])];
    expect(blocksOf([...before, eit({ tableId: 0x50, number: 56, version: 1 }, [FILM])])).toEqual([
      ["21-24", 2],
    ]);
  });

  it("name series and programme, with the service's authority by default", () => {
    const crids = [
      [0x01, "/P7#2"],
      [0x32, "other.example/S1"],
    ] as const;
    const sections = [eit({ tableId: 0x4e, number: 0 }, [{ ...NEWS, crids }])];
    expect(told(sections).events[0]).not.toHaveProperty("programmeCrid");
    const { events, services } = told([...sections, sdt("salt.example")]);
    expect(events[0]).toMatchObject({
      programmeCrid: "crid://salt.example/P7",
      seriesCrid: "crid://other.example/S1",
    });
    expect(services).toMatchObject([{ triplet: SERVICE, name: "Salt TV", isReceived: true }]);
  });

  it("are read safely, whatever they contain", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const sent = fc.record({
      tableId: fc.constantFrom(0x42, 0x46, 0x4e, 0x4f, 0x50, 0x5f, 0x60, 0x6f),
      number: byte,
      body: fc.array(byte, { maxLength: 200 }),
    });
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 8 }), (sections) => {
        const { events } = told(
          sections.map((one) => section({ ...one, extension: 3, version: 0, lastNumber: 255 })),
        );
        return events.every(({ start, durationMs }) => Number.isFinite(start + durationMs));
      }),
    );
  });

  it("of other streams do not belong to a received service", () => {
    expect(told([eit({ tableId: 0x60, number: 56 }, [NEWS])]).services).toMatchObject([
      { isReceived: false },
    ]);
  });
});

describe("the SDT", () => {
  /** Channel numbers in the NIT of this network. */
  const nit = (sid: number, number: number) => {
    const numbers = [0x83, 4, ...sixteen(sid), ...sixteen(0xfc00 | number)];
    const stream = [...sixteen(SERVICE.tsid), ...sixteen(SERVICE.onid), ...sixteen(0xf000 | numbers.length)];
    const streams = [...stream, ...numbers];
    const body = [...sixteen(0xf000), ...sixteen(0xf000 | streams.length), ...streams];
    return section({ tableId: 0x40, extension: 9, version: 0, number: 0, lastNumber: 0, body });
  };

  it("counts services without a name, too, and takes a limited number of them", () => {
    const tables = new GuideTables({ eventsMax: 40 });
    for (let tsid = 0; tsid < 60; tsid += 1) {
      const services = [1, 2].flatMap((sid) => [...sixteen(sid), 0xfc, ...sixteen(3), 0x73, 1, 0x61]);
      const body = [...sixteen(SERVICE.onid), 0xff, ...services];
      const of = { tableId: 0x46, version: 0, number: 0, lastNumber: 0 };
      tables.section(0x11, section({ ...of, extension: tsid, body }));
    }
    expect(tables.held).toBe(20 + 40);
  });

  it("names the services of this transport stream and of others, with their numbers", () => {
    const tables = new GuideTables();
    tables.section(0x11, sdt("a.example"));
    tables.section(0x11, sdt("a.example", 0x46, 77));
    tables.section(0x10, nit(SERVICE.sid, 12));
    const own = { triplet: SERVICE, name: "Salt TV", lcn: 12 };
    expect(tables.ownServices()).toEqual([own]);
    expect(tables.namedServices()).toEqual([own, { triplet: { ...SERVICE, tsid: 77 }, name: "Salt TV" }]);
  });

  // EN 300 468 table 87.
  it.each([
    [0x01, undefined],
    [0x02, true],
    [0x0a, true],
    [0x19, undefined],
  ])("know radio by its type: %d", (serviceType, isRadio) => {
    const tables = new GuideTables();
    tables.section(0x11, sdt("a.example", 0x42, SERVICE.tsid, serviceType));
    expect(tables.namedServices()[0]?.isRadio).toBe(isRadio);
  });
});
