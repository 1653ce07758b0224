import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GuideSections, readBroadcastGuide } from "../../../src/mpeg-ts/tables/broadcast-guide.ts";
import { GuideTables } from "../../../src/mpeg-ts/tables/guide-tables.ts";

const FRENCH = "test/fixtures/ts/french-dvbt-si.ts";
const RAI = "test/fixtures/ts/rai-dvbt-mux.ts";
const M6 = { onid: 8442, tsid: 4, sid: 1025 };

describe("the event tables of a French multiplex", () => {
  it("cover days of its own services, and those of other multiplexes", async () => {
    const { services, events } = await readBroadcastGuide(FRENCH);
    const countOf = (tsid: number, sid: number) =>
      events.filter(({ service }) => service.tsid === tsid && service.sid === sid).length;
    const own = services.filter(({ triplet }) => triplet.tsid === 4);
    expect(own.map(({ triplet, name }) => [triplet.sid, name, countOf(4, triplet.sid)])).toEqual([
      [1025, "M6", 59],
      [1026, "W9", 38],
      [1031, "Arte", 63],
      [1045, "France 5", 88],
      [1046, "6ter", 46],
    ]);
    expect([services.length, events.length]).toEqual([31, 346]);
    expect(countOf(1, 257)).toBe(2);
  });

  it("have titles with accents, complete texts, times and ids", async () => {
    const { events } = await readBroadcastGuide(FRENCH);
    const m6 = events.filter(({ service }) => service.tsid === 4 && service.sid === 1025);
    expect(m6.slice(0, 2)).toEqual([
      {
        service: M6,
        eventId: 15,
        start: Date.UTC(2019, 0, 22, 1, 30),
        durationMs: 5 * 60_000,
        title: "Météo",
        text: "",
      },
      {
        service: M6,
        eventId: 16,
        start: Date.UTC(2019, 0, 22, 1, 35),
        durationMs: 205 * 60_000,
        title: "Programmes de nuit",
        text: "",
      },
    ]);
    expect(m6[4]?.text).toMatch(/^Suite à plusieurs quiproquos, Émilie .* se faire remarquer\.\.\.$/);
    expect(events.filter(({ title }) => title === "")).toEqual([]);
  });

  it("stay the same after lost or damaged packets, except for their contents", () => {
    const bytes = Buffer.from(readFileSync(FRENCH));
    const whole = new Map(guideOf(bytes).map((event) => [keyOf(event), event]));
    for (let at = 188 * 100; at < bytes.length; at += 188 * 97) bytes.fill(0x55, at + 20, at + 60);
    const damaged = guideOf(bytes);
    expect(damaged.length).toBeGreaterThan(200);
    expect(damaged.filter((event) => whole.get(keyOf(event))?.title !== event.title)).toEqual([]);
  });
});

describe("the event tables of an Italian multiplex", () => {
  it("cover the present and the following event", async () => {
    const { services, events } = await readBroadcastGuide(RAI);
    expect(services.filter(({ triplet }) => triplet.tsid === 18_432).map(({ name }) => name)).toEqual([
      "Rai 1",
      "Rai 2",
      "Rai 3 TGR Emilia Romagna",
      "Rai Radio1",
      "Rai Radio2",
      "Rai Radio3",
    ]);
    expect(events.slice(0, 2)).toMatchObject([
      {
        eventId: 59_625,
        start: Date.UTC(2022, 0, 16, 9, 55),
        title: "Santa Messa dalla Chiesa di Sant'Andrea",
      },
      { eventId: 59_626, start: Date.UTC(2022, 0, 16, 10, 50), title: "A Sua immagine" },
    ]);
  });
});

describe("a file that is no transport stream", () => {
  it("is refused", async () => {
    await expect(readBroadcastGuide("package.json")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(readBroadcastGuide("none.ts")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

type Told = ReturnType<typeof guideOf>[number];

function guideOf(bytes: Uint8Array) {
  const tables = new GuideTables();
  const sections = new GuideSections((pid, section) => tables.section(pid, section));
  sections.push(bytes);
  sections.settle();
  return tables.guide().events;
}

function keyOf({ service: { onid, tsid, sid }, eventId }: Told): string {
  return `${onid}/${tsid}/${sid} ${eventId}`;
}
