import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument } from "../../src/guide-wire/codec.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { MODEL_LIMITS } from "../../src/model/limits.ts";
import { textsWithinWire, withinWire } from "../../src/model/wire-text.ts";
import { fc } from "../properties.ts";

const LIMIT = MODEL_LIMITS.wireTextLength;
const ANY_TEXT = fc
  .tuple(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.integer({ min: 0, max: 5 * LIMIT }),
  )
  .map(([text, length]) => text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length));

describe("a text of the other side", () => {
  it("is well formed, without NUL and within the limit, and stays so when it is read again", () => {
    fc.assert(
      fc.property(ANY_TEXT, (text) => {
        const kept = withinWire(text);
        return (
          kept.isWellFormed() && !kept.includes("\0") && kept.length <= LIMIT && withinWire(kept) === kept
        );
      }),
    );
  });

  it("is what was sent where nothing is wrong with it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        (text) => withinWire(text) === text.replaceAll("\0", ""),
      ),
    );
  });

  it("ends with a sign that there was more, and never with half a character", () => {
    expect(withinWire("x".repeat(LIMIT))).toBe("x".repeat(LIMIT));
    expect(withinWire("x".repeat(LIMIT + 1))).toBe(`${"x".repeat(LIMIT - 4)} […]`);
    expect(withinWire(`${"x".repeat(LIMIT - 5)}😀${"y".repeat(9)}`)).toBe(`${"x".repeat(LIMIT - 5)} […]`);
  });
});

describe.each(["json", "xml"] as const)("a timer in %s", (format) => {
  const timer = {
    id: "1",
    name: "Show",
    device_id: 1,
    channel_id: 1,
    start_time: "2026-11-23T20:15:00+00:00",
    duration_minutes: 60,
    action: "record",
    state: "new",
  };
  const timersOf = (body: string) =>
    decodeDocument("timers", Buffer.from(body), { contentType: `application/${format}` });
  const sent = (more: Readonly<Record<string, string>>) => {
    const all = { ...timer, ...more };
    if (format === "json") return JSON.stringify({ timers: [all] });
    const attributes = Object.entries(all).map(([key, value]) => `${key}="${value}"`);
    return `<timers><timer ${attributes.join(" ")}/></timers>`;
  };

  it.each([1, 100, 8192, 8193, 1_000_000, 16_000_000])("is read with a title of %i characters", (length) => {
    const { value, malformed } = timersOf(sent({ name: "x".repeat(length) }));
    expect(malformed).toEqual([]);
    expect(value.timers[0]?.name.length).toBe(Math.min(length, LIMIT));
  });

  it("is kept with fields that nobody knows, within the same limit", () => {
    const { value } = timersOf(sent({ note: "x".repeat(1_000_000) }));
    expect(String(value.timers[0]?.["note"]).length).toBe(LIMIT);
  });

  it("is refused with an identifier that is too long: cut, it would be another one's", () => {
    const { value, malformed } = timersOf(sent({ id: "1".repeat(GUIDE_WIRE_LIMITS.idLength + 1) }));
    expect(value.timers).toEqual([]);
    expect(malformed).toHaveLength(1);
  });
});

it("a text that we write is within the limits of those who read it", () => {
  const { body } = encodeDocument(
    "regions",
    { regions: [{ id: 1, name: "x".repeat(1_000_000) }] },
    { format: "json" },
  );
  expect(body.length).toBeLessThan(LIMIT + 100);
});

describe("all texts of a value", () => {
  it("are within the limits afterwards, and a value that was so is the same one", () => {
    fc.assert(
      fc.property(fc.array(ANY_TEXT, { maxLength: 3 }), fc.jsonValue(), (texts, json) => {
        const { value, changed } = textsWithinWire({ deep: [{ texts }], json });
        const kept =
          JSON.stringify(value.deep) === JSON.stringify([{ texts: texts.map((text) => withinWire(text)) }]);
        const again = textsWithinWire(value);
        return kept && (changed > 0 || value.json === json) && again.changed === 0 && again.value === value;
      }),
    );
  });

  it("go with their entry where its name is no name", () => {
    const { value, changed } = textsWithinWire({ ["x".repeat(LIMIT + 1)]: 1, y: "a\0" });
    expect([value, changed]).toEqual([{ y: "a" }, 2]);
  });
});
