import { describe, expect, it } from "vitest";
import { decodeDocument } from "../../src/guide-wire/codec.ts";
import type { DocumentKind } from "../../src/guide-wire/documents.ts";
import { TIMER } from "./loopback.ts";

function read<K extends DocumentKind>(kind: K, body: unknown, contentType?: string) {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return decodeDocument(kind, bytes, contentType === undefined ? {} : { contentType });
}

describe("the reader of guide documents", () => {
  it("accepts numbers as strings and strings as numbers", () => {
    const swapped = {
      ...TIMER,
      id: 7,
      device_id: "1",
      channel_id: " 2 ",
      show_id: "3",
      duration_minutes: "30.0",
      name: 7.3,
    };
    expect(read("timers", { timers: [swapped] }).value.timers).toEqual([{ ...TIMER, name: "7.3" }]);
  });

  it("does not convert texts to numbers", () => {
    const xml =
      '<regions><region id="1" name="7.30"/><region id="2" name="0x1F"/><region id="3" name="0123"/></regions>';
    expect(read("regions", xml).value.regions.map(({ name }) => name)).toEqual(["7.30", "0x1F", "0123"]);
  });

  it("accepts the triplets under each of their three names", () => {
    const dvb = [{ original_network_id: "4112", transport_stream_id: 545, service_id: "544" }];
    const wanted = [{ original_network_id: 4112, transport_stream_id: 545, service_id: 544 }];
    for (const name of ["dvb", "dvb_triplets", "dvbt_info"]) {
      const channels = [{ id: 2, name: "ABC", [name]: dvb }];
      expect(read("channels", { channels }).value.channels).toEqual([{ id: 2, name: "ABC", dvb: wanted }]);
      const xml = `<regions><channel id="2" name="ABC"><${name} original_network_id="4112" transport_stream_id="545" service_id="544"/></channel></regions>`;
      expect(read("channels", xml).value.channels).toEqual([{ id: 2, name: "ABC", dvb: wanted }]);
    }
  });

  it("prefers the documented name if it has a value", () => {
    const one = { original_network_id: 1, transport_stream_id: 1, service_id: 1 };
    const two = { ...one, service_id: 2 };
    const channels = [
      { id: 1, name: "A", dvb: [one], dvb_triplets: [two] },
      { id: 2, name: "B", dvb: [], dvb_triplets: [two] },
    ];
    const found = read("channels", { channels }).value.channels.map(({ dvb }) => dvb);
    expect(found).toEqual([[one], [two]]);
  });

  it("accepts channels without triplets, in every notation", () => {
    const channels = [{ dvb: [] }, { dvb: null }, { dvb: "" }, {}].map((dvb, id) => ({
      id,
      name: "A",
      ...dvb,
    }));
    for (const { dvb } of read("channels", { channels }).value.channels) expect(dvb).toBeUndefined();
    const xml = '<regions><channel id="1" name="A"/><channel id="2" name="B"><dvb/></channel></regions>';
    for (const { dvb } of read("channels", xml).value.channels) expect(dvb).toBeUndefined();
  });

  it("keeps a channel with some bad triplets, and sets those aside", () => {
    const good = { original_network_id: 1, transport_stream_id: 2, service_id: 3 };
    const channels = [
      { id: 5, name: "A", dvb: [{ ...good, service_id: 70_000 }, good] },
      { id: 6, name: "B", dvb: [{ service_id: 3 }] },
    ];
    const { value, malformed } = read("channels", { channels });
    expect(value.channels).toEqual([
      { id: 5, name: "A", dvb: [good] },
      { id: 6, name: "B" },
    ]);
    expect(malformed).toMatchObject([
      { collection: "dvb", id: "5", field: "dvb.0.service_id" },
      { collection: "dvb", id: "6", field: "dvb.0.original_network_id" },
    ]);
  });

  it("keeps a channel and a timer without an optional field that cannot be read, and says which", () => {
    const dvb = [{ original_network_id: 1, transport_stream_id: 2, service_id: 3 }];
    const odd = {
      is_hd: "yes",
      icon_width: "auto",
      network_id: "ABC",
      region_id: { a: 1 },
      icon_src: { src: "x" },
      known_names: [{ name: "x" }, 5],
    };
    for (const [field, value] of Object.entries(odd)) {
      const found = read("channels", { channels: [{ id: 5, name: "A", dvb, [field]: value }] });
      expect(found.value.channels).toEqual([{ id: 5, name: "A", dvb }]);
      expect(found.malformed).toMatchObject([{ collection: "channels", id: "5", isUsed: true }]);
      expect(found.malformed[0]?.field).toMatch(new RegExp(`^${field}`));
    }
    const timers = [
      { ...TIMER, series_recording_id: "abc", eit_id: "x", message: { a: 1 }, "pre-padding": "five" },
      { ...TIMER, device_id: null, message: {} },
    ];
    const { value, malformed } = read("timers", { timers });
    expect(value.timers).toHaveLength(1);
    expect(value.timers[0]).toMatchObject({ id: TIMER.id, name: TIMER.name });
    expect(malformed.map(({ isUsed }) => isUsed)).toEqual([true, undefined]);
  });

  it("accepts a channel without a name, and a timer without an action", () => {
    for (const name of [undefined, null])
      expect(read("channels", { channels: [{ id: 5, name }] }).value.channels).toEqual([{ id: 5, name: "" }]);
    expect(read("channels", { channels: [{ id: 5, name_short: "A" }] }).value.channels[0]?.name).toBe("A");
    const { action: _, ...timer } = TIMER;
    expect(read("timers", { timers: [timer] }).value.timers[0]?.action).toBe("record");
  });

  it("accepts a list as converters from XML write it", () => {
    expect(read("timers", { timers: { timer: [TIMER] } }).value.timers).toHaveLength(1);
    expect(read("timers", { timers: { timer: TIMER } }).value.timers).toHaveLength(1);
  });

  it("accepts the manufacturer's name under both names", () => {
    const manufacturers = [
      { id: 1, name: "Acme", url: "" },
      { id: "2", manufacturer_name: "Bolt" },
    ];
    expect(read("manufacturers", { manufacturers }).value.manufacturers).toEqual([
      { id: "1", name: "Acme", url: "" },
      { id: "2", name: "Bolt" },
    ]);
  });

  it("accepts records whose optional fields are missing, null or empty", () => {
    const { id, device_id, channel_id, start_time, duration_minutes, action } = TIMER;
    const bare = { id, device_id, channel_id, start_time, duration_minutes, action };
    const holes = { ...bare, name: null, state: null, show_id: "", keyword_id: null, message: null };
    const filled = { ...bare, name: "", state: "" };
    expect(read("timers", { timers: [bare, holes] }).value.timers).toEqual([filled, filled]);
  });

  it("keeps times, states and actions as sent, known or not", () => {
    for (const start_time of ["2026-11-20T09:30:00Z", "2026-11-20T20:30:00.5+11:00", "soon"]) {
      const timer = { ...TIMER, start_time, state: "postponed", action: "rewind" };
      expect(read("timers", { timers: [timer] }).value.timers).toEqual([timer]);
    }
  });

  it("accepts one object as a list of one", () => {
    expect(read("timers", { timers: TIMER }).value.timers).toEqual([TIMER]);
  });

  it("accepts fields as child elements and as attributes", () => {
    const fields = Object.entries(TIMER).map(([key, value]) => `<${key}>${value}</${key}>`);
    expect(read("timers", `<shows><timer>${fields.join("")}</timer></shows>`).value.timers).toEqual([TIMER]);
  });

  it("trusts the first character more than the content type", () => {
    expect(read("timers", "<shows/>", "application/json").format).toBe("xml");
    expect(read("timers", '{"timers":[]}', "text/xml").format).toBe("json");
  });

  it("accepts series summaries as XML of the documented form", () => {
    const xml = `<series>
      <series_info id="9" episode_count="3">
        <title lang="en">Land &amp; Sea</title><desc>Fish.</desc>
        <credits><director>D</director><actor role="x">A</actor><actor>B</actor></credits>
        <date>2014</date><category lang="en" eit="0x10">Drama</category><category>Nature</category>
        <language>en</language><country>AU</country><video><aspect>16:9</aspect></video>
        <rating system="AU"><value>PG</value></rating><star-rating><value>3/5</value></star-rating>
        <subtitles type="teletext"/>
      </series_info>
      <series_info id="10"><title/><credits/><video/></series_info>
      <popular series_id="9" num_votes="12" popularity_ratio="1.00"/>
    </series>`;
    const { value, malformed } = read("popular", xml);
    expect(malformed).toEqual([]);
    expect(value).toEqual({
      series_info: [
        {
          id: "9",
          episode_count: 3,
          title: { value: "Land & Sea", lang: "en" },
          desc: "Fish.",
          credits: { actors: ["A", "B"], director: ["D"] },
          date: "2014",
          category: [{ name: "Drama", eit: "0x10" }, { name: "Nature" }],
          language: "en",
          country: "AU",
          video: { aspect: "16:9" },
          rating: "PG",
          "star-rating": "3/5",
          subtitles: ["teletext"],
        },
        { id: "10", title: "" },
      ],
      most_popular: [{ series_id: "9", num_votes: 12, popularity_ratio: 1 }],
    });
  });

  it("accepts series summaries as JSON with plain category names", () => {
    const info = {
      id: 9,
      title: "Land",
      date: 2014,
      category: ["Drama"],
      subtitles: { teletex: 1, onscreen: 0 },
    };
    const body = { series_info: [info], new_shows: [{ series_id: 9, start_date: "" }, { series_id: 10 }] };
    expect(read("new-shows", body).value).toEqual({
      series_info: [
        { id: "9", title: "Land", date: "2014", category: [{ name: "Drama" }], subtitles: ["teletex"] },
      ],
      new_shows: [
        { series_id: "9", start_date: "" },
        { series_id: "10", start_date: "" },
      ],
    });
  });
});

describe("R-15 a malformed record in a list", () => {
  const bad = { ...TIMER, id: "8", duration_minutes: "half an hour" };

  it("is set aside with its place, its id, its field and a reason; the others are read", () => {
    const nameless = { name: "no id" };
    const { value, malformed } = read("timers", { timers: [TIMER, bad, nameless, 5, { ...TIMER, id: "9" }] });
    expect(value.timers.map(({ id }) => id)).toEqual(["7", "9"]);
    expect(malformed).toEqual([
      {
        collection: "timers",
        place: 2,
        id: "8",
        field: "duration_minutes",
        reason: "its field duration_minutes is not a number",
        raw: bad,
      },
      expect.objectContaining({ collection: "timers", place: 3, field: "id" }),
      { collection: "timers", place: 4, reason: "it is not an object of fields", raw: 5 },
    ]);
  });

  it("is set aside in XML, too", () => {
    const attributes = (timer: object) =>
      Object.entries(timer)
        .map(([key, value]) => `${key}="${value}"`)
        .join(" ");
    const xml = `<shows><timer ${attributes(bad)}/><timer ${attributes(TIMER)}/></shows>`;
    const { value, malformed } = read("timers", xml);
    expect(value.timers).toEqual([TIMER]);
    expect(malformed).toMatchObject([{ collection: "timers", id: "8", field: "duration_minutes" }]);
  });

  it("may be an identifier that lost digits on the way", () => {
    const { value, malformed } = read("timers", `{"timers":[{"id":12345678901234567890}]}`);
    expect([value.timers, malformed.length]).toEqual([[], 1]);
  });

  it("names the line and the column where JSON ends to be JSON, also behind long numbers", () => {
    for (const [text, line, column] of [
      ["{'show_id':5}", 1, 2],
      ['{"show_id":5,\n "device_id":1,}', 2, 16],
      ['{"a":12345678901234567890,\n"b":1,}', 2, 7],
    ] as const) {
      const message = `The timer-add document cannot be used: it is not valid JSON at line ${line}, column ${column}`;
      expect(() => read("timer-add", text)).toThrow(expect.objectContaining({ message }));
    }
  });

  it("names the field in a body of one record", () => {
    const invalid = {
      code: "GUIDE_DOCUMENT_INVALID",
      facts: expect.objectContaining({ field: "device_id" }),
    };
    expect(() => read("timer-add", { show_id: 5 })).toThrow(expect.objectContaining(invalid));
    expect(() => read("timer-add", '<shows><timer show_id="5"/></shows>')).toThrow(
      expect.objectContaining(invalid),
    );
  });

  it("is refused if exactly one record is expected", () => {
    for (const body of [{ timers: [] }, { timers: [TIMER, TIMER] }, "<shows/>"]) {
      expect(() => read("timer-set", body)).toThrow(
        expect.objectContaining({
          code: "GUIDE_DOCUMENT_INVALID",
          facts: expect.objectContaining({ field: "timers" }),
        }),
      );
    }
    expect(() => read("device-add", { devices: [] })).toThrow(/empty/);
  });
});

describe("the encoding of a body", () => {
  const named = (declaration: string, name: Uint8Array) =>
    Buffer.concat([
      Buffer.from(`${declaration}<regions><region id="1" name="`),
      name,
      Buffer.from('"/></regions>'),
    ]);
  const nameIn = (body: Uint8Array, contentType?: string) =>
    read("regions", body, contentType).value.regions[0]?.name;
  const UTF8 = '<?xml version="1.0" encoding="UTF-8"?>';
  const LATIN1 = '<?xml version="1.0" encoding="ISO-8859-1"?>';

  it("is as declared if that is correct", () => {
    expect(nameIn(named(UTF8, Buffer.from("Grüße 😀")))).toBe("Grüße 😀");
    expect(nameIn(named(LATIN1, Buffer.from("Grüße", "latin1")))).toBe("Grüße");
    expect(nameIn(named("", Buffer.from("Grüße", "latin1")), "text/xml; charset=ISO-8859-1")).toBe("Grüße");
  });

  it("is corrected if UTF-8 is declared but not used", () => {
    expect(nameIn(named(UTF8, Buffer.from("Grüße", "latin1")))).toBe("Grüße");
    const quotes = Buffer.from([0x93, 0x41, 0x94, 0x80, 0x85]);
    expect(nameIn(named(UTF8, quotes), "text/xml; charset=utf-8")).toBe("\u201cA\u201d\u20ac\u2026");
  });

  it("is corrected if ISO-8859-1 is declared but UTF-8 is used", () => {
    expect(nameIn(named(LATIN1, Buffer.from("Grüße שלום 😀")))).toBe("Grüße שלום 😀");
    expect(nameIn(named(LATIN1, Buffer.from("Grüße")), "text/xml; charset=ISO-8859-1")).toBe("Grüße");
  });

  it("is corrected in JSON", () => {
    const json = Buffer.from('{"regions":[{"id":1,"name":"Grüße"}]}', "latin1");
    expect(nameIn(json, "application/json; charset=utf-8")).toBe("Grüße");
  });

  it("follows a byte order mark first", () => {
    const text = `${LATIN1}<regions><region id="1" name="Grüße"/></regions>`;
    expect(nameIn(Buffer.from(`\ufeff${text}`))).toBe("Grüße");
    expect(nameIn(Buffer.from(`\ufeff${text}`, "utf16le"))).toBe("Grüße");
    expect(nameIn(Buffer.from(`\ufeff${text}`, "utf16le").swap16())).toBe("Grüße");
  });

  it("may be any other known encoding", () => {
    const declared = '<?xml version="1.0" encoding="ISO-8859-2"?>';
    expect(nameIn(named(declared, Buffer.from([0xb3])))).toBe("ł");
  });
});
