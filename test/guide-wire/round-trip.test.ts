import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import {
  decodeDocument,
  encodeDocument,
  type WireEncoding,
  type WireFormat,
} from "../../src/guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { anyOf, KINDS } from "./arbitraries.ts";
import { TIMER } from "./loopback.ts";

const FORMATS: readonly WireFormat[] = ["json", "xml"];
const ENCODINGS: readonly WireEncoding[] = ["UTF-8", "ISO-8859-1"];

function again<K extends DocumentKind>(
  kind: K,
  value: Document<K>,
  options: Parameters<typeof encodeDocument>[2],
) {
  const { body, contentType } = encodeDocument(kind, value, options);
  return decodeDocument(kind, body, { contentType });
}

/** fast-check makes records without a prototype; ours have one. */
const plain = (value: unknown): unknown => structuredClone(value);

describe.each(FORMATS)("a document in %s", (format) => {
  describe.each(ENCODINGS)("in %s", (encoding) => {
    it.each(KINDS)("of kind %s is the same after writing and reading", (kind) => {
      fc.assert(
        fc.property(anyOf(kind), (value) => {
          const read = again(kind, value, { format, encoding });
          return (
            read.format === format &&
            read.malformed.length === 0 &&
            isDeepStrictEqual(plain(read.value), plain(value))
          );
        }),
      );
    });
  });

  it.each(KINDS)("of kind %s is the same without a content type", (kind) => {
    fc.assert(
      fc.property(anyOf(kind), fc.constantFrom(...ENCODINGS), (value, encoding) => {
        const { body } = encodeDocument(kind, value, { format, encoding });
        return isDeepStrictEqual(plain(decodeDocument(kind, body).value), plain(value));
      }),
      { numRuns: casesOf({ sample: 5, all: 30 }) },
    );
  });

  it("leaves out empty lists and groups, and no other field", () => {
    const read = again(
      "channels",
      { regions: [], channels: [{ id: 1, name: "ABC", dvb: [], known_names: [] }] },
      { format },
    );
    expect(read.value).toStrictEqual({ regions: [], channels: [{ id: 1, name: "ABC" }] });
    const series = { id: "5", category: [], credits: { actors: [] }, video: {}, subtitles: [] };
    expect(again("popular", { series_info: [series], most_popular: [] }, { format }).value).toStrictEqual({
      series_info: [{ id: "5" }],
      most_popular: [],
    });
  });

  it("of the wrong kind cannot be written", () => {
    const wrong = { regions: [{ id: "one", name: "Sydney" }] } as unknown as Document<"regions">;
    expect(() => encodeDocument("regions", wrong, { format })).toThrow(/not a document of kind regions/);
  });
});

describe("text that XML cannot carry", () => {
  it("has U+FFFD in place of the forbidden characters", () => {
    const name = "a\ufffeb\u0008c\u001fd\ud800e\udc00f\uffffg😀";
    const read = again("regions", { regions: [{ id: 1, name }] }, { format: "xml" });
    expect(read.value.regions[0]?.name).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg😀");
  });

  it("is sent in JSON except for NUL and lone surrogates, which no reader can store", () => {
    const name = "a\u0000b\ud800c\uffff";
    for (const encoding of ENCODINGS) {
      const read = again("regions", { regions: [{ id: 1, name }] }, { format: "json", encoding });
      expect(read.value.regions[0]?.name).toBe("ab\ufffdc\uffff");
    }
  });
});

describe("unknown fields of a timer", () => {
  const EXTRAS = {
    text: "kept",
    number: 5,
    truth: true,
    nested: { a: [1] },
    nothing: null,
    "no name": "x",
    naïve: "y",
    constructor: "z",
  };

  it("are kept unchanged in JSON", () => {
    const read = again("timers", { timers: [{ ...TIMER, ...EXTRAS }] }, { format: "json" });
    expect(read.value.timers[0]).toEqual({ ...TIMER, ...EXTRAS });
  });

  it("are kept as text in XML if an attribute can contain them", () => {
    const read = again("timers", { timers: [{ ...TIMER, ...EXTRAS }] }, { format: "xml" });
    expect(read.value.timers[0]).toStrictEqual({ ...TIMER, text: "kept", number: "5", truth: "true" });
  });
});

describe("the wire forms", () => {
  const ORDER = { uid: "00:11", label: "Lounge", type_id: 4 };
  const text = (...args: Parameters<typeof encodeDocument>) =>
    encodeDocument(...args).body.toString("latin1");

  it("of device-add in JSON are both written and read", () => {
    const list = text("device-add", { devices: [ORDER] }, { format: "json" });
    const single = text("device-add", { devices: [ORDER] }, { format: "json", jsonForm: "single" });
    expect([list, single]).toEqual([JSON.stringify({ devices: [ORDER] }), JSON.stringify(ORDER)]);
    for (const body of [list, single]) {
      expect(decodeDocument("device-add", Buffer.from(body)).value).toEqual({ devices: [ORDER] });
    }
  });

  it("of timer-set in JSON are both written and read", () => {
    const list = text("timer-set", { state: "running" }, { format: "json", jsonForm: "list" });
    const single = text("timer-set", { state: "running" }, { format: "json" });
    expect([list, single]).toEqual(['{"timers":[{"state":"running"}]}', '{"state":"running"}']);
    for (const body of [list, single]) {
      expect(decodeDocument("timer-set", Buffer.from(body)).value).toEqual({ state: "running" });
    }
  });

  it("of XML have the documented roots, records with attributes, and dvb as elements", () => {
    const value = {
      regions: [{ id: 1, name: "Sydney" }],
      channels: [
        {
          id: 2,
          name: "A & B",
          dvb: [{ original_network_id: 4112, transport_stream_id: 545, service_id: 544 }],
        },
      ],
    };
    expect(text("channels", value, { format: "xml" })).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<regions>",
        '  <region id="1" name="Sydney"/>',
        '  <channel id="2" name="A &amp; B">',
        '    <dvb original_network_id="4112" transport_stream_id="545" service_id="544"/>',
        "  </channel>",
        "</regions>",
        "",
      ].join("\n"),
    );
  });

  it("of a channel in JSON also have the triplets under the common name", () => {
    const dvb = [{ original_network_id: 1, transport_stream_id: 2, service_id: 3 }];
    const body = text("channels", { regions: [], channels: [{ id: 2, name: "A", dvb }] }, { format: "json" });
    expect(JSON.parse(body)).toEqual({
      regions: [],
      channels: [{ id: 2, name: "A", dvb, dvb_triplets: dvb }],
    });
  });

  it("of an error are one element in XML, and in JSON the object that set-top clients expect", () => {
    const value = {
      error: {
        status: 406,
        code: "not_acceptable",
        message: "duration_minutes must be positive",
        field: "duration_minutes",
      },
    };
    expect(text("error", value, { format: "xml" })).toContain(
      '<error status="406" code="not_acceptable" field="duration_minutes">duration_minutes must be positive</error>',
    );
    expect(JSON.parse(text("error", value, { format: "json" }))).toEqual({
      ...value,
      errors: [{ error_msg: "duration_minutes must be positive", error_code: 406 }],
    });
  });

  it("of a popularity ratio have two decimals in XML", () => {
    const entry = (popularity_ratio: number) => ({ series_id: "1", num_votes: 2, popularity_ratio });
    const value = { series_info: [], most_popular: [1, 0.5, 0.333].map(entry) };
    const ratios = text("popular", value, { format: "xml" }).match(/(?<=popularity_ratio=")[^"]*/g);
    expect(ratios).toEqual(["1.00", "0.50", "0.333"]);
  });

  it("of XML escape the white space that a reader may normalise", () => {
    const series = [{ id: "1", title: " a\r\nb ", "star-rating": "\t" }];
    const body = text("popular", { series_info: series, most_popular: [] }, { format: "xml" });
    expect(body).toContain("<title>&#32;a&#13;\nb&#32;</title>");
    expect(body).toContain("<value>&#9;</value>");
    expect(text("regions", { regions: [{ id: 1, name: "a\n\tb" }] }, { format: "xml" })).toContain(
      'name="a&#10;&#9;b"',
    );
  });

  it("of ISO-8859-1 use one byte where possible and character references elsewhere", () => {
    const body = encodeDocument(
      "regions",
      { regions: [{ id: 1, name: "é ž 😀" }] },
      { format: "xml", encoding: "ISO-8859-1" },
    ).body;
    expect(body.toString("latin1")).toContain('encoding="ISO-8859-1"');
    expect(body.toString("latin1")).toContain('name="\u00e9 &#382; &#128512;"');
  });
});
