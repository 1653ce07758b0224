import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument, type WireFormat } from "../../src/guide-wire/codec.ts";
import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { inLong } from "../lane.ts";
import { TIMER } from "./loopback.ts";

const FORMATS: readonly WireFormat[] = ["json", "xml"];

function failureOf(kind: DocumentKind, body: string | Uint8Array, contentType?: string): RecorderdError {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  try {
    const { value } = decodeDocument(kind, bytes, contentType === undefined ? {} : { contentType });
    return expect.fail(`read: ${JSON.stringify(value).slice(0, 200)}`);
  } catch (error) {
    if (error instanceof RecorderdError) return error;
    throw error;
  }
}

const INVALID = { code: "GUIDE_DOCUMENT_INVALID" };
const TORN = { code: "GUIDE_DOCUMENT_TORN" };

const TIMERS: Document<"timers"> = {
  timers: ["1", "2", "3"].map((id) => ({
    ...TIMER,
    id,
    name: `Näws "${id}" & <more> 😀`,
    message: "a ] } > b",
  })),
};

const CHANNELS: Document<"channels"> = {
  regions: [{ id: 1, name: "Sydney" }],
  channels: [
    {
      id: 2,
      name: "Ärger",
      dvb: [{ original_network_id: 1, transport_stream_id: 2, service_id: 3 }],
      known_names: ["x"],
    },
  ],
};

describe("a document cut at any byte", () => {
  const samples = FORMATS.flatMap((format) =>
    (["UTF-8", "ISO-8859-1"] as const).flatMap((encoding) => [
      { kind: "timers" as const, format, encoding, value: TIMERS },
      { kind: "channels" as const, format, encoding, value: CHANNELS },
    ]),
  );

  it.each(samples)("is truncated or whole, never partial: $kind, $format, $encoding", (sample) => {
    const { kind, format, encoding, value } = sample;
    const { body, contentType } = encodeDocument<"timers" | "channels">(kind, value, { format, encoding });
    const whole = body.toString("latin1").trimEnd().length;
    for (let length = 0; length < whole; length += 1) {
      for (const options of [{ contentType }, {}]) {
        const cut = body.subarray(0, length);
        expect(() => decodeDocument(kind, cut, options), `${length} bytes`).toThrow(
          expect.objectContaining(TORN),
        );
      }
    }
    for (let length = whole; length <= body.length; length += 1) {
      const read = decodeDocument(kind, body.subarray(0, length), { contentType });
      expect(isDeepStrictEqual(read.value, value)).toBe(true);
    }
  });

  it("counts as truncated even with a declaration, a DOCTYPE, comments and CDATA", () => {
    const xml =
      '<?xml version="1.0"?>\n<!DOCTYPE shows SYSTEM "http://x.invalid/a.dtd">\n<!-- a > b -->\n' +
      '<shows><timer id="1" device_id="1" channel_id="2" start_time="x" duration_minutes="3" action="record"><name><![CDATA[a <b> ]] c]]></name></timer><!-- > --></shows>';
    for (let length = 0; length < xml.length; length += 1) {
      expect(failureOf("timers", xml.slice(0, length)), xml.slice(0, length)).toMatchObject(TORN);
    }
    expect(decodeDocument("timers", Buffer.from(xml)).value.timers[0]?.name).toBe("a <b> ]] c");
  });

  it("counts as truncated if it is empty or blank, whatever its type", () => {
    for (const type of [undefined, "application/json", "text/xml", "text/plain"]) {
      for (const body of ["", "  \r\n", "\ufeff"])
        expect(failureOf("timers", body, type)).toMatchObject(TORN);
    }
  });
});

describe("an entity", () => {
  it("of a billion laughs is refused before any expansion", () => {
    const levels = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
    const xml = `<?xml version="1.0"?><!DOCTYPE shows [<!ENTITY l0 "ha">${levels.join("")}]><shows><timer id="&l9;"/></shows>`;
    expect(failureOf("timers", xml)).toMatchObject({
      ...INVALID,
      message: expect.stringContaining("DOCTYPE"),
    });
  });

  it("of an internal subset is refused at any place and in any spelling", () => {
    for (const xml of [
      '<!DOCTYPE shows [<!ENTITY e SYSTEM "file:///etc/passwd">]><shows><timer id="&e;"/></shows>',
      '<!DOCTYPE shows SYSTEM "a[b" [ <!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p; ]><shows/>',
      '<!DOCTYPE shows PUBLIC "-//x" "y"\n[\n]><shows/>',
      '<shows><!DOCTYPE shows [<!ENTITY e "x">]></shows>',
    ]) {
      expect(failureOf("timers", xml)).toMatchObject(INVALID);
    }
  });

  it("of an external DTD stays as written; predefined ones and character references are resolved", () => {
    const xml =
      '<!DOCTYPE regions SYSTEM "http://127.0.0.1:1/guide.dtd"><regions><region id="1" name="&eacute;&amp;lt;&#233;&#x1F600;&lt;&gt;&quot;&apos;&#0;&#xD800;"/></regions>';
    const read = decodeDocument("regions", Buffer.from(xml));
    expect(read.value.regions[0]?.name).toBe("&eacute;&lt;é😀<>\"'&#0;&#xD800;");
  });
});

describe("excessive nesting or size", () => {
  it("is refused for 10,000 elements", () => {
    const xml = `<shows>${"<timer>".repeat(10_000)}${"</timer>".repeat(10_000)}</shows>`;
    expect(failureOf("timers", xml)).toMatchObject({
      ...INVALID,
      message: expect.stringContaining(String(GUIDE_WIRE_LIMITS.depth)),
    });
  });

  it("is refused for 10,000 arrays or objects", () => {
    const arrays = `{"timers":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    const objects = `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    for (const json of [arrays, objects]) expect(failureOf("timers", json)).toMatchObject(INVALID);
  });

  inLong("is refused before allocation for more values or elements than any guide has", () => {
    const json = `{"timers":[${"[],".repeat(GUIDE_WIRE_LIMITS.jsonValues / 2)}[]]}`;
    expect(failureOf("timers", json)).toMatchObject(INVALID);
    const xml = `<shows>${"<a/>".repeat(GUIDE_WIRE_LIMITS.xmlElements)}</shows>`;
    expect(failureOf("timers", xml)).toMatchObject(INVALID);
  });

  it("is refused for one tag", () => {
    const attributes = Array.from({ length: 20_000 }, (_, n) => `a${n}="1"`).join(" ");
    expect(failureOf("timers", `<shows><timer ${attributes}/></shows>`)).toMatchObject(INVALID);
  });

  inLong("is refused for attributes, for one text and for one list", () => {
    const timer = `<timer ${Array.from({ length: 5000 }, (_, n) => `a${n}="1"`).join(" ")}/>`;
    const many = `<shows>${timer.repeat(GUIDE_WIRE_LIMITS.xmlAttributes / 5000 + 1)}</shows>`;
    const long = "&amp;".repeat(GUIDE_WIRE_LIMITS.xmlPieceLength / 4);
    const list = `{"timers":[${"0,".repeat(GUIDE_WIRE_LIMITS.listEntries)}0]}`;
    for (const body of [many, `<shows>${long}</shows>`, `<shows><![CDATA[${long}]]></shows>`, list]) {
      expect(failureOf("timers", body)).toMatchObject({
        ...INVALID,
        message: expect.stringContaining("more than"),
      });
    }
  });

  it("sets every bad entry aside, even if all are bad", () => {
    const json = `{"timers":[${"0,".repeat(150_000)}0]}`;
    const { value, malformed } = decodeDocument("timers", Buffer.from(json));
    expect([value.timers.length, malformed.length]).toEqual([0, 150_001]);
  });

  it("ignores brackets within strings", () => {
    const timers = [{ ...TIMERS.timers[0], message: '["\\'.repeat(5000) }];
    const read = decodeDocument("timers", Buffer.from(JSON.stringify({ timers })));
    expect(read.value.timers).toHaveLength(1);
  });
});

describe("names that JavaScript treats specially", () => {
  const timer = `"id":"1","name":"n","device_id":1,"channel_id":2,"start_time":"x","duration_minutes":3,"action":"record","state":"new"`;

  it("are harmless in JSON, in any spelling and at any place", () => {
    for (const key of ["__proto__", "\\u005f\\u005fproto__", "__proto\\u005F_"]) {
      const json = `{"${key}":{"polluted":1},"timers":[{${timer},"${key}":{"polluted":1},"more":{"${key}":{"polluted":1}},"constructor":{"prototype":{"polluted":1}}}]}`;
      const [read] = decodeDocument("timers", Buffer.from(json)).value.timers;
      expect(read).toMatchObject({ id: "1", more: {} });
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      expect(Object.getPrototypeOf(read?.["more"])).toBe(Object.prototype);
      expect(Object.hasOwn(read?.["more"] as object, "__proto__")).toBe(false);
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    }
  });

  it("are refused in XML", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      for (const xml of [
        `<shows><timer id="1" ${name}="x"/></shows>`,
        `<shows><timer id="1"><${name}>x</${name}></timer></shows>`,
        `<shows><${name}/></shows>`,
        `<${name}><timer id="1"/></${name}>`,
      ]) {
        expect(failureOf("timers", xml)).toMatchObject(INVALID);
      }
    }
  });

  it("are accepted in XML if they are only names of methods", () => {
    const [id, device, channel] = ['id="1"', 'device_id="1"', 'channel_id="2"'];
    const xml = `<shows><timer ${id} ${device} ${channel} start_time="x" duration_minutes="3" action="record" toString="x" valueOf="y"><hasOwnProperty>z</hasOwnProperty></timer><toString/></shows>`;
    const { value, malformed } = decodeDocument("timers", Buffer.from(xml));
    expect([value.timers.map((timer) => timer.id), malformed]).toEqual([["1"], []]);
    expect(String({})).toBe("[object Object]");
  });
});

describe("a document of another type", () => {
  it("is named as such if it is an HTML page", () => {
    for (const html of [
      "<!DOCTYPE html><html><body>Sign in to the hotel's network</body></html>",
      "\n\n<HTML><br></HTML>",
      "<html",
    ]) {
      for (const type of [undefined, "text/html; charset=utf-8", "application/json"]) {
        expect(failureOf("timers", html, type)).toMatchObject({
          ...INVALID,
          message: expect.stringContaining("HTML page"),
          facts: { html: true },
        });
      }
    }
    expect(failureOf("timers", "Service down for maintenance", "text/html")).toMatchObject(INVALID);
  });

  it("is told apart in time that grows with its length, behind any number of comments and declarations", () => {
    for (const ahead of ["<!---->", "<!-- -->\n", "<?a?>", "<!--", "<?"]) {
      expect(failureOf("timers", `${ahead.repeat(50_000)}x`).facts["html"]).toBeUndefined();
    }
    expect(failureOf("timers", `${"<?a?>\n<!-- > -->".repeat(10_000)}<HTML>`)).toMatchObject({
      facts: { html: true },
    });
  });

  it.each([
    ["another root", "<series/>"],
    ["two roots", "<shows/><shows/>"],
    ["overlapping tags", "<shows><a><b></a></b></shows>"],
    ["a duplicate attribute", '<shows><timer id="1" id="2"/></shows>'],
    ["an unquoted attribute", "<shows><timer id=1/></shows>"],
    ["a list alone", "[]"],
    ["a number", "5"],
    ["null", "null"],
    ["no list", "{}"],
    ["an extra comma", '{"timers":[],}'],
    ["two values", '{"timers":[]}{"timers":[]}'],
    ["words", "hello"],
  ])("is refused: %s", (_, body) => {
    const type = /^[<{[]/.test(body) ? undefined : "application/json";
    expect(failureOf("timers", body, type)).toMatchObject(INVALID);
  });

  it("is not quoted in the error (R-39)", () => {
    const secret = "s3cr3t-token";
    for (const body of [
      `{"member":{"token":"${secret}"},}`,
      `{"member":{"token":"${secret}","id":[]}}`,
      `{"member":{"id":"1","email_address":"a","token":"${secret}`,
      `<login><member token="${secret}" ${secret}></login>`,
      `<${secret}/>`.replace("-", ":"),
      `<login><member token="${secret}"/></login>`,
    ]) {
      const error = failureOf("login", body);
      expect(`${error.stack} ${JSON.stringify(error.facts)} ${String(error.cause)}`).not.toContain(secret);
    }
  });
});
