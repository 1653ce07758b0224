import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument } from "../../src/guide-wire/codec.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { MODEL_LIMITS } from "../../src/model/limits.ts";
import { textsWithinWire, withinWire } from "../../src/model/wire-text.ts";
import { IS_LONG } from "../lane.ts";
import { fc } from "../properties.ts";

const LIMIT = MODEL_LIMITS.wireTextLength;
const ANY_TEXT = fc
  .tuple(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.integer({ min: 0, max: 5 * LIMIT }),
  )
  .map(([text, length]) => text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length));

describe("a text from another program", () => {
  it("becomes well formed, without NUL, within the limit, and stays so when read again", () => {
    fc.assert(
      fc.property(ANY_TEXT, (text) => {
        const kept = withinWire(text);
        return (
          kept.isWellFormed() && !kept.includes("\0") && kept.length <= LIMIT && withinWire(kept) === kept
        );
      }),
    );
  });

  it("is unchanged if it has no fault", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        (text) => withinWire(text) === text.replaceAll("\0", ""),
      ),
    );
  });

  it("ends with an ellipsis if it was cut, and never within a character", () => {
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

  it.each([1, 100, 8192, 8193, 1_000_000, ...(IS_LONG ? [16_000_000] : [])])(
    "is read with a title of %i characters",
    (length) => {
      const { value, malformed } = timersOf(sent({ name: "x".repeat(length) }));
      expect(malformed).toEqual([]);
      expect(value.timers[0]?.name.length).toBe(Math.min(length, LIMIT));
    },
  );

  it("is kept with unknown fields, within the same limit", () => {
    const { value } = timersOf(sent({ note: "x".repeat(1_000_000) }));
    expect(String(value.timers[0]?.["note"]).length).toBe(LIMIT);
  });

  it("is refused with an identifier that is too long: a cut one could be another's", () => {
    const { value, malformed } = timersOf(sent({ id: "1".repeat(GUIDE_WIRE_LIMITS.idLength + 1) }));
    expect(value.timers).toEqual([]);
    expect(malformed).toHaveLength(1);
  });
});

it("a text that we write is within the limits of its readers", () => {
  const { body } = encodeDocument(
    "regions",
    { regions: [{ id: 1, name: "x".repeat(1_000_000) }] },
    { format: "json" },
  );
  expect(body.length).toBeLessThan(LIMIT + 100);
});

describe("limiting all texts of a value", () => {
  it("cuts long texts, and returns a value within the limits unchanged", () => {
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

  it("removes an entry whose name is invalid", () => {
    const proto = textsWithinWire(JSON.parse('{"a":{"__proto__":{"b":1},"c":2}}'));
    expect(proto).toEqual({ value: { a: { c: 2 } }, changed: 1 });
    const { value, changed } = textsWithinWire({ ["x".repeat(LIMIT + 1)]: 1, y: "a\0" });
    expect([value, changed]).toEqual([{ y: "a" }, 2]);
  });
});
