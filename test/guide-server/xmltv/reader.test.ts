import { describe, expect, it } from "vitest";
import { identityOf, type ProgrammeFacts } from "../../../src/guide-server/xmltv/identity.ts";
import {
  type Complaint,
  createXmltvReader,
  type ListedChannel,
  type ListedProgramme,
} from "../../../src/guide-server/xmltv/reader.ts";
import { parseXmltvTime } from "../../../src/guide-server/xmltv/times.ts";
import { XmlFlaw } from "../../../src/kit/xml/xml-stream.ts";
import { listing } from "./listing.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** The content of a listing that arrives in chunks of so many bytes. */
function read(text: string | Buffer, chunkBytes = 7) {
  const channels: ListedChannel[] = [];
  const programmes: ListedProgramme[] = [];
  const complaints: Complaint[] = [];
  const reader = createXmltvReader(
    {
      channel: (channel) => channels.push(channel),
      programme: (programme) => programmes.push(programme),
      complain: (complaint) => complaints.push(complaint),
    },
    { zone: "UTC", isForAll: false },
  );
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.write(bytes.subarray(at, at + chunkBytes));
  reader.end();
  return { channels, programmes, complaints: complaints.map(({ line, reason }) => `${line}: ${reason}`) };
}

function flawOf(text: string | Buffer): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof XmlFlaw) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("the reader of listings", () => {
  it("gives the same result, wherever the bytes are split", () => {
    const text = listing(
      { "tv.101002210220": "<display-name>Hafen &amp; Küste</display-name><display-name>2</display-name>" },
      [
        {
          channel: "tv.101002210220",
          start: NOON,
          minutes: 30,
          title: "Été &lt;eins&gt;",
          subtitle: "<![CDATA[A & B]]>",
          more:
            "<desc>Two\n lines</desc><date>20190102</date><category>Drama</category>" +
            '<episode-num system="xmltv_ns">1.4.</episode-num><rating system="x"><value>PG</value></rating>',
        },
      ],
    );
    const wanted = {
      channels: [{ id: "tv.101002210220", names: ["Hafen & Küste"], lcns: ["2"] }],
      programmes: [
        {
          channelId: "tv.101002210220",
          start: NOON,
          stop: NOON + 1_800_000,
          title: "Été <eins>",
          subtitle: "A & B",
          desc: "Two lines",
          categories: ["Drama"],
          numbers: [{ system: "xmltv_ns", value: "1.4." }],
          year: "2019",
          rating: "PG",
          line: 5,
        },
      ],
      complaints: [],
    };
    for (const chunkBytes of [1, 2, 13, 64 * 1024]) expect(read(text, chunkBytes)).toEqual(wanted);
  });

  it("uses the declared encoding, or the detected one", () => {
    const head = '<?xml version="1.0" encoding="ISO-8859-1"?>';
    const slots = [{ channel: "a", start: NOON, minutes: 5, title: "Été" }];
    const latin1 = Buffer.from(listing({ a: "A" }, slots, head), "latin1");
    expect(read(latin1).programmes[0]?.title).toBe("Été");
    const lie = Buffer.from(listing({ a: "A" }, slots), "latin1");
    expect(read(lie).programmes[0]?.title).toBe("Été");
    expect(read(lie).complaints).toContainEqual(expect.stringContaining("is read as Windows-1252"));
  });

  it.each([
    ["torn", listing({ a: "A" }, []).slice(0, -6), /^5: unclosed tag: tv/],
    ["another document", "<rss>\n<channel/></rss>", /^1: the document is <rss>, not <tv>/],
    ["wrongly nested", "<tv>\n<group>\n</tv>", /^3: unexpected close tag/],
    [
      "of entities that stand for too much",
      `<!DOCTYPE tv [<!ENTITY a "${"lol".repeat(300)}">]>\n<tv>${`<x>${"&a;".repeat(1000)}</x>\n`.repeat(11)}</tv>`,
      /^\d+: its entities stand for more than 8388608 characters/,
    ],
    ["nested without end", "<tv>".repeat(20), /nested more than 16 deep/],
    ["of one endless text", `<tv>${"x".repeat(1_100_000)}`, /longer than 1048576/],
    ["empty", "", /^1: it is empty, not a listing/],
  ])("refuses a document that is %s, with the position", (_, text, reason) => {
    expect(flawOf(text)).toMatch(reason);
  });

  it.each([
    ["<!doctype html><html><body>Back soon</body></html>", "a web page"],
    ["\ufeff\n<HTML><head><meta></head>", "a web page"],
    ['{"error":"invalid key"}', "JSON"],
    ["#EXTM3U\n#EXTINF:-1,One\n", "a playlist"],
    ["Your subscription has expired.", "text without any element"],
  ])("says what %j is instead", (text, kind) => {
    const whole = Buffer.byteLength(text);
    expect(() => read(text, whole)).toThrow(`it is ${kind}, not a listing`);
  });

  it("reads names in capitals, and entities that it declares itself", () => {
    const text = `<!DOCTYPE TV [
<!-- <!ENTITY net "no"> --><!ELEMENT TV ANY><!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;
<!ENTITY net 'Sea &#38; "Sky"'><!ENTITY net "other"><!ENTITY long.name_of-it "&net; &eacute;&later;">
<!ENTITY later "no"><!ENTITY file SYSTEM "file:///etc/passwd">]>
<TV><CHANNEL ID="a"><DISPLAY-NAME>&net;</DISPLAY-NAME><LCN>2</LCN></CHANNEL>
<PROGRAMME Start="20261121100000 +0000" STOP="20261121103000 +0000" CHANNEL="a"><TITLE>&long.name_of-it;</TITLE>
<DESC>A <B>bold<BR>&file;</DESC></PROGRAMME>
<programme start="20261121110000 +0000" START="bad" channel="a"><title>A &amp;amp; &amp;#39;B</title></programme></TV>`;
    for (const chunkBytes of [1, 7, 64 * 1024]) {
      const { channels, programmes } = read(text, chunkBytes);
      expect(channels).toEqual([{ id: "a", names: ['Sea & "Sky"'], lcns: ["2"] }]);
      expect(programmes).toMatchObject([
        { title: 'Sea & "Sky" é&later;', desc: "A bold &file;", line: 6 },
        { title: "A & 'B" },
      ]);
    }
  });

  it("keeps a programme whose description has unclosed tags, with the position", () => {
    const text = `<tv>
<channel id="a"><display-name>A</display-name></channel>
<programme start="20261121100000 +0000" stop="20261121103000 +0000" channel="a"><title>one</title>
<desc>A <b>bold tale<br>of the sea</i></desc></programme>
<programme start="20261121110000 +0000" stop="20261121113000 +0000" channel="a"><title>two</title></programme>
</tv>`;
    const { complaints, programmes } = read(text);
    expect(programmes).toMatchObject([{ title: "one", desc: "A bold tale of the sea" }, { title: "two" }]);
    expect(complaints).toEqual(
      expect.arrayContaining([
        "4: <b> is never closed: closed at </desc>",
        "4: <br> is never closed: closed immediately",
        "4: </i> closes nothing: ignored",
      ]),
    );
  });

  it("reports line and reason of each violation of the DTD, and continues", () => {
    const text = `<tv>
<channel id="a"><display-name>A</display-name><lcn>2</lcn></channel>
<channel id="b"><icon src="i"/></channel>
<channel><display-name>C</display-name></channel>
<programme start="20261121100000 +0000" stop="20261121103000 +0000" channel="a"><desc>x</desc><title>late</title></programme>
<programme start="20261121110000 +0000" stop="20261121113000 +0000" channel="a" colour="red"><title>t</title>text</programme>
<programme start="20261121120000 +0000" stop="20261121123000 +0000" channel="a"><title>t</title><length>30</length><new/><new/></programme>
<programme start="20261121130000 +0000" stop="20261121133000 +0000" channel="a"><title>t</title><subtitles type="sung"/></programme>
</tv>`;
    const { complaints, channels, programmes } = read(text);
    expect(complaints).toEqual([
      "2: <lcn> does not belong in <channel>",
      "3: <channel> has no <display-name>",
      '3: the icon "i" is not an address that begins with http:// or https://',
      "4: <channel> has no id",
      "4: a channel without an id",
      "5: <title> comes too late in <programme>",
      "6: <programme> does not have the attribute colour",
      "6: <programme> contains text",
      "7: <length> has no units",
      "7: <programme> has more than one <new>",
      "8: type of <subtitles> is not one of teletext, onscreen, deaf-signed",
    ]);
    expect([channels.length, programmes.length]).toEqual([2, 4]);
  });

  it("takes an icon only from the web", () => {
    const icons = [
      "https://a.example/é?b=1",
      "http://a.example/b c.png",
      "file:///etc/passwd",
      "javascript:alert(1)",
    ];
    const more = [
      "data:image/png;base64,AA",
      "//a.example/b.png",
      "https://me:secret@a.example/",
      `http://${"a".repeat(2000)}`,
    ];
    const all = [...icons, ...more].map(
      (src, at) => `<channel id="${at}"><display-name>C</display-name><icon src="${src}"/></channel>`,
    );
    const { channels, complaints } = read(`<tv>${all.join("\n")}</tv>`);
    expect(channels.flatMap(({ icon }) => icon ?? [])).toEqual([
      "https://a.example/%C3%A9?b=1",
      "http://a.example/b%20c.png",
    ]);
    expect(complaints).toHaveLength(6);
  });

  it("skips unusable data and reports it", () => {
    const text = `<tv><channel id="a"><display-name>A</display-name></channel>
<channel id="a"><display-name>A</display-name></channel>
<programme start="soon" channel="a"><title>t</title></programme>
<programme start="20261121110000 +0000" stop="20261121120000 +0000" channel=" "><title>t</title></programme>
<programme start="20261121110000 +0000" stop="20261121120000 +0000" channel="a"><title> </title></programme>
</tv>`;
    const { complaints, programmes } = read(text);
    expect(programmes).toEqual([]);
    expect(complaints).toEqual([
      '2: the channel "a" is listed twice',
      '3: the start "soon" is not an XMLTV time',
      "4: a programme without a channel",
      "5: a programme without a title",
    ]);
  });

  it("takes the sub-title of a programme without a title; a gap is left to another listing", () => {
    const text = `<tv><channel id="a"><display-name>A</display-name></channel>
<programme start="20261121100000 +0000" stop="20261121110000 +0000" channel="a"><title/><sub-title>Tide</sub-title></programme>
<programme start="20261121110000 +0000" stop="20261121120000 +0000" channel="a"><title lang="de"/></programme>
</tv>`;
    const { complaints, programmes } = read(text);
    expect(programmes).toMatchObject([{ title: "Tide", subtitle: "" }]);
    expect(complaints).toEqual([
      "2: it has no title: its sub-title is taken",
      "3: a programme without a title",
    ]);
  });

  it("repairs data where possible and reports the line", () => {
    const text = `<tv><channel id="a"><display-name>A</display-name></channel>
<programme start="20261121100000 +0000" channel="a"><title>R & B</title></programme>
<programme start="20261121110000 +0000" stop="20261121100000 +0000" channel="a"><title>I <3 it</title></programme>
<programme start="20261121120000" stop="20261121130000" channel="b"><title>a <b>bold</b> one</title></programme>
<channel id="b"><display-name>B</display-name></channel>
</tv>`;
    const { channels, programmes, complaints } = read(text);
    expect(channels.map(({ names }) => names[0])).toEqual(["A", "b", "B"]);
    expect(programmes.map(({ title, channelId, stop = 0 }) => [channelId, title, stop > 0])).toEqual([
      ["a", "R & B", false],
      ["a", "I <3 it", false],
      ["b", "a bold one", true],
    ]);
    expect(complaints).toEqual([
      "2: a bare & is read as text",
      "3: a bare < is read as text",
      "2: it has no stop: it lasts until the next one begins",
      "3: it stops before it starts: it lasts until the next one begins",
      "4: <b> does not belong in <title>",
      '4: the channel "b" is not declared before it: taken as a channel of that name',
      "4: its time names no zone: read as UTC",
      "5: <channel> comes too late in <tv>",
    ]);
  });

  it("finds the channel of a programme by an id of another case or form, if one alone fits", () => {
    const show = (channel: string) => ({ channel, start: NOON, minutes: 5, title: channel });
    const declared = {
      "BBC1.uk": "BBC One",
      "t\u00e9l\u00e9.fr": "T\u00e9l\u00e9",
      "A.de": "A",
      "a.de": "a",
    };
    const asked = ["bbc1.UK", "bbc1.UK", "te\u0301le\u0301.fr", "a.de", "A.DE"];
    const { programmes, channels, complaints } = read(listing(declared, asked.map(show)));
    expect(programmes.map(({ channelId }) => channelId)).toEqual([
      "BBC1.uk",
      "BBC1.uk",
      "t\u00e9l\u00e9.fr",
      "a.de",
      "A.DE",
    ]);
    expect(channels).toHaveLength(5);
    expect(complaints).toEqual([
      '8: the channel "bbc1.UK" is declared as "BBC1.uk"',
      expect.stringContaining("is declared as"),
      '12: the channel "A.DE" is not declared before it: taken as a channel of that name',
    ]);
  });

  it("takes a number of ATSC for a name only where there is no other, and decodes a name encoded twice", () => {
    const names = (...all: readonly string[]) =>
      all.map((name) => `<display-name>${name}</display-name>`).join("");
    const { channels } = read(
      listing({ a: names("2.1 WCBS", "2.1", "WCBS"), b: names("2-1"), c: names("A&amp;amp;E") }, []),
    );
    expect(channels.map((channel) => channel.names)).toEqual([["2.1 WCBS", "WCBS"], ["2-1"], ["A&E"]]);
  });

  it("reads attributes without quotes, and HTML and misread UTF-8 in texts as people read them", () => {
    const text = `<tv><channel id=a.de><display-name lang=de>M\u00c3\u00bcller TV</display-name></channel>
<programme start=20261121100000 +0000 stop="20261121103000 +0000"channel=a.de><title lang=de>Caf\u00c3\u00a9 \u00e2\u20ac\u201c eins</title>
<sub-title>\u00c3 la carte: \u00c2ge d\u2019or, na\u00efve</sub-title>
<desc><![CDATA[<p>Ein <b class="x">fetter</b> Satz.</p><p>3 < 4 & 5 > 4</p>]]></desc></programme>
<programme start="20261121110000 +0000" channel="a.de"><title>&amp;lt;i&amp;gt;Zwei&amp;lt;/i&amp;gt;</title></programme></tv>`;
    for (const chunkBytes of [1, 7, 64 * 1024]) {
      const { channels, programmes, complaints } = read(text, chunkBytes);
      expect(channels).toMatchObject([{ id: "a.de", names: ["M\u00fcller TV"] }]);
      expect(programmes).toMatchObject([
        {
          ...{ channelId: "a.de", start: Date.UTC(2026, 10, 21, 10), stop: Date.UTC(2026, 10, 21, 10, 30) },
          ...{ title: "Caf\u00e9 \u2013 eins", subtitle: "\u00c3 la carte: \u00c2ge d\u2019or, na\u00efve" },
          desc: "Ein fetter Satz. 3 < 4 & 5 > 4",
        },
        { title: "Zwei" },
      ]);
      expect(complaints).toContain("2: malformed attributes are repaired");
    }
  });

  it("reads entries whose elements are not closed, and times under other names", () => {
    const text = `<tv><channel id="a"><display-name>A</display-name><icon src="http://a.example/a.png"></channel>
<programme begin="20261121100000" end="20261121103000" channel="a"><title>One<desc>Text</desc><new>
<programme start="20261121103000" channel="a"><icon src="http://a.example/1.png"><title>Two</title><length>45</length></programme></tv>`;
    const { channels, programmes } = read(text);
    expect(channels).toMatchObject([{ names: ["A"], icon: "http://a.example/a.png" }]);
    const start = Date.UTC(2026, 10, 21, 10);
    const half = start + 1_800_000;
    expect(programmes).toMatchObject([
      { title: "One", desc: "Text", start, stop: half },
      { title: "Two", start: half, lengthMs: 2_700_000 },
    ]);
  });

  it("reads the length of a programme that has no usable stop", () => {
    const text = ["30 minutes", "2 hours", "90 seconds", "1 day", "-1 hours"].map((length) => {
      const [count, units] = length.split(" ");
      return `<programme start="20261121100000 +0000" channel="a"><title>t</title><length units="${units}">${count}</length></programme>`;
    });
    const { programmes } = read(`<tv><channel id="a"/>${text.join("")}</tv>`);
    expect(programmes.map(({ lengthMs }) => lengthMs)).toEqual([
      1_800_000,
      7_200_000,
      90_000,
      undefined,
      undefined,
    ]);
  });

  it.each(["xmltv_ns", "onscreen"])(
    "is not delayed by any number of %s, however long, and treats it as missing",
    (system) => {
      const number = (begin: string) =>
        `<episode-num system="${system}">${begin}${" ".repeat(900_000)}x</episode-num>`;
      const show = { channel: "a", start: NOON, minutes: 30, title: "t" };
      const shows = [
        { ...show, more: number("1") },
        { ...show, more: number("s1") },
      ];
      const { programmes } = read(listing({ a: "<display-name>A</display-name>" }, shows), 65_536);
      for (const programme of programmes) expect(identityOf(programme).episode).toBe("");
      expect(programmes.length).toBe(2);
    },
  );

  it("refuses a programme that exceeds its memory limit, in any number of pieces", () => {
    const desc = `<desc>${"d".repeat(500_000)}</desc>`;
    const more = desc.repeat(4);
    const text = listing({ a: "<display-name>A</display-name>" }, [
      { channel: "a", start: NOON, minutes: 30, title: "t", more },
    ]);
    expect(() => read(text, 65_536)).toThrow("more than 1048576 characters in one");
  });

  it("cuts channel names like titles, and skips a channel with an invalid id", () => {
    const name = `<display-name>${"n".repeat(10_000)}</display-name>`;
    const text = listing({ a: name, ["i".repeat(10_000)]: name }, []);
    const { channels } = read(text, 65_536);
    expect(channels.map(({ id, names }) => [id, names.map(({ length }) => length)])).toEqual([["a", [300]]]);
  });
});

describe("a time of XMLTV", () => {
  it.each([
    ["20261121193000 +1100", Date.UTC(2026, 10, 21, 8, 30)],
    ["20261121193000 -0330", Date.UTC(2026, 10, 21, 23, 0)],
    ["20261121193000+01:00", Date.UTC(2026, 10, 21, 18, 30)],
    ["202611211930", Date.UTC(2026, 10, 21, 19, 30)],
    ["20261121 UTC", Date.UTC(2026, 10, 21)],
    ["20260230000000", undefined],
    ["20261121250000", undefined],
    ["200007281733 BST", Date.UTC(2000, 6, 28, 16, 33)],
    ["20261121193000 cet", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 AEDT", Date.UTC(2026, 10, 21, 8, 30)],
    ["20261121193000 EST", Date.UTC(2026, 10, 22, 0, 30)],
    ["20261121193000 IST", undefined],
    ["20261121193000 Europe/Berlin", Date.UTC(2026, 10, 21, 18, 30)],
    ["20260701193000 Europe/Berlin", Date.UTC(2026, 6, 1, 17, 30)],
    ["20261121193000 Europe/Nowhere", undefined],
    ["20261121193000 +01", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 -330", Date.UTC(2026, 10, 21, 23)],
    ["20261121193000 \u22120500", Date.UTC(2026, 10, 22, 0, 30)],
    ["20261121193000 +01000", undefined],
    ["2026-11-21T19:30:00Z", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026-11-21T19:30:00.000+11:00", Date.UTC(2026, 10, 21, 8, 30)],
    ["2026-11-21 19:30 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["2026-11-31T19:30:00Z", undefined],
    ["20261121240000 +0000", Date.UTC(2026, 10, 22)],
    ["20261121240001 +0000", undefined],
    ["20261121235960 +0000", Date.UTC(2026, 10, 21, 23, 59, 59)],
    ["20261121235961 +0000", undefined],
    ["20261121193000 0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["202611211930  0000", Date.UTC(2026, 10, 21, 19, 30)],
    ["20261121193000 +-0500", Date.UTC(2026, 10, 22, 0, 30)],
    ["20261121193000 GMT+1", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 UTC-03:00", Date.UTC(2026, 10, 21, 22, 30)],
    ["20261121193000 Etc/GMT+1", Date.UTC(2026, 10, 21, 20, 30)],
    ["20261121T193000Z", Date.UTC(2026, 10, 21, 19, 30)],
    ["20261121 1930 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["2026/11/21 19:30:00 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["1795289400", Date.UTC(2026, 10, 21, 19, 30)],
    ["1795289400000", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026112119300 0100", undefined],
    ["1795289400.25", Date.UTC(2026, 10, 21, 19, 30)],
    ["21.11.2026 19:30", Date.UTC(2026, 10, 21, 19, 30)],
    ["1.2.2026 9:30:15 +0100", Date.UTC(2026, 1, 1, 8, 30, 15)],
    ["Sa., 21.11.2026, 19.30", undefined],
    ["21/11/2026 19:30", Date.UTC(2026, 10, 21, 19, 30)],
    ["11/21/2026 07:30 PM", Date.UTC(2026, 10, 21, 19, 30)],
    ["2/1/2026 12:05 am EST", Date.UTC(2026, 1, 1, 5, 5)],
    // The first of February, or the second of January.
    ["1/2/2026 19:30", undefined],
    ["2026-11-21 7:30 p.m. +0000", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026-11-21 13:30 PM", undefined],
    ["2026.11.21 19:30", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026-11-21t19:30:00z", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026-11-21_19:30:00", Date.UTC(2026, 10, 21, 19, 30)],
    ["2026-11-21", Date.UTC(2026, 10, 21)],
    ["20261121 19:30:00 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000.000 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 + 0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 +0100 (CET)", Date.UTC(2026, 10, 21, 18, 30)],
    ["20261121193000 (CET)", Date.UTC(2026, 10, 21, 18, 30)],
    ["Sat, 21 Nov 2026 19:30:00 +0100", Date.UTC(2026, 10, 21, 18, 30)],
    ["Saturday, 21-Nov-2026 19:30:00 GMT", Date.UTC(2026, 10, 21, 19, 30)],
    ["Sat Nov 21 19:30:00 2026", Date.UTC(2026, 10, 21, 19, 30)],
    ["November 21, 2026 7:30 PM", Date.UTC(2026, 10, 21, 19, 30)],
    ["21 Brumaire 2026 19:30", undefined],
    ["2026年11月21日 19:30", Date.UTC(2026, 10, 21, 19, 30)],
    ["２０２６１１２１１９３０００ +0900", Date.UTC(2026, 10, 21, 10, 30)],
    ["31.11.2026 19:30", undefined],
    ["21.11.2026 19:30 o'clock", undefined],
    ["21.11.26 19:30", undefined],
    ["tomorrow 19:30", undefined],
    ["20261121193000 EST5EDT", Date.UTC(2026, 10, 22, 0, 30)],
    ["20260701193000 Japan", Date.UTC(2026, 6, 1, 10, 30)],
    ["20261121193000 +9930", undefined],
  ])("%s", (text, instant) => {
    expect(parseXmltvTime(text, { zone: "UTC", isForAll: false })?.at).toBe(instant);
  });

  it.each([
    ["20260701200000", Date.UTC(2026, 6, 1, 18)],
    ["20261201200000", Date.UTC(2026, 11, 1, 19)],
    ["20261201200000 +0500", Date.UTC(2026, 11, 1, 15)],
    // Clocks go back at three: two o'clock comes twice, and the first is meant.
    ["20261025013000", Date.UTC(2026, 9, 24, 23, 30)],
    ["20261025023000", Date.UTC(2026, 9, 25, 0, 30)],
    ["20261025033000", Date.UTC(2026, 9, 25, 2, 30)],
    ["20260329033000", Date.UTC(2026, 2, 29, 1, 30)],
  ])("%s in Berlin", (text, instant) => {
    expect(parseXmltvTime(text, { zone: "Europe/Berlin", isForAll: false })?.at).toBe(instant);
  });

  it("comes second in a repeated hour if it follows another of its channel", () => {
    const shows = [
      ["0100", "0200"],
      ["0200", "0230"],
      ["0230", "0200"],
      ["0200", "0230"],
      ["0230", "0300"],
      ["0300", "0400"],
      ["0100", "0200"],
      ["0200", "0200"],
      ["0200", "0300"],
    ].map(
      ([start, stop], index) =>
        `<programme start="20261025${start}00 Europe/Berlin" stop="20261025${stop}00 Europe/Berlin" channel="${index < 6 ? "a" : "b"}"><title>t</title></programme>`,
    );
    const { programmes } = read(`<tv><channel id="a"/><channel id="b"/>${shows.join("")}</tv>`);
    const hours = (at = 0) => (at - Date.UTC(2026, 9, 24, 23)) / 3_600_000;
    expect(programmes.map(({ start, stop }) => [hours(start), hours(stop)])).toEqual([
      ...[0, 1, 1.5, 2, 2.5, 3].map((start, index) => [start, [1, 1.5, 2, 2.5, 3, 4][index]]),
      ...[0, 1, 2].map((start) => [start, start + 1]),
    ]);
  });

  it("uses the configured zone, whatever zone it names", () => {
    const times = { zone: "Europe/Berlin", isForAll: true };
    for (const written of ["+0000", "IST", "Berlin"])
      expect(parseXmltvTime(`20260701200000 ${written}`, times)?.at).toBe(Date.UTC(2026, 6, 1, 18));
  });
});

describe("the number of an episode", () => {
  const described = (given: Partial<ProgrammeFacts>): ProgrammeFacts => ({
    title: "The Salt Road!",
    subtitle: "",
    categories: [],
    numbers: [],
    ...given,
  });
  it.each<[string, Partial<ProgrammeFacts>, string, readonly string[]]>([
    [
      "dd_progid",
      { numbers: [{ system: "dd_progid", value: "EP01234567.0012" }] },
      "dd:0012",
      ["dd:01234567"],
    ],
    [
      "a show of dd_progid",
      { numbers: [{ system: "dd_progid", value: "SH01234567.0000" }] },
      "",
      ["dd:01234567"],
    ],
    [
      "dd_progid without a dot",
      { numbers: [{ system: "dd_progid", value: "EP012345670012" }] },
      "dd:0012",
      ["dd:01234567"],
    ],
    [
      "a film of dd_progid",
      { numbers: [{ system: "dd_progid", value: "MV01.0000" }] },
      "dd:01.0000",
      ["dd:MV01"],
    ],
    ["a CRID", { numbers: [{ system: "crid", value: "crid://a.tv/X1" }] }, "crid:crid://a.tv/x1", []],
    ["a CRID of the series", { numbers: [{ system: "crid_series", value: "a.tv/S" }] }, "", ["crid:a.tv/s"]],
    ["xmltv_ns", { numbers: [{ system: "xmltv_ns", value: "1 . 4/10 . 0/1" }] }, "s2e5", []],
    ["xmltv_ns in parts", { numbers: [{ system: "xmltv_ns", value: ".4.1/2" }] }, "e5p2", []],
    [
      "xmltv_ns with a season alone",
      { subtitle: "Tide", numbers: [{ system: "xmltv_ns", value: "1.." }] },
      "subtitle:tide",
      [],
    ],
    ["a number on the screen", { numbers: [{ system: "onscreen", value: "S02E05" }] }, "s2e5", []],
    [
      "words on the screen",
      { numbers: [{ system: "common", value: "Season 2, Episode 5 of 10" }] },
      "s2e5",
      [],
    ],
    ...[
      "2. Staffel, Folge 5",
      "Saison 2 \u00c9pisode 5",
      "T2:E5",
      "Temporada 2, Cap\u00edtulo 5",
      "Stagione 2 Episodio 5 di 8",
      "S\u00e4song 2, avsnitt 5 av 10",
      "Sesong 2 Episode 5",
      "S\u00e6son 2, afsnit 5",
      "Seizoen 2, aflevering 5",
      "Sezon 2 odc. 5",
      "Kausi 2, jakso 5",
      "S\u00e9rie 2, d\u00edl 5",
      "2\u00aa temporada, episodio 5",
      "S02 E05 (12)",
      "Season 2 | Episode 5",
      "S2 \u2022 E5",
      "\u30b7\u30fc\u30ba\u30f32 \u7b2c5\u8a71",
    ].map((value): [string, Partial<ProgrammeFacts>, string, readonly string[]] => [
      `words of another language, ${value}`,
      { numbers: [{ system: "onscreen", value }] },
      "s2e5",
      [],
    ]),
    ...[
      "S2E5-E6",
      "S02E05E06",
      "S02E05-06",
      "S2 E5 & E6",
      "2x05-06",
      "2x05-2x06",
      "2. Staffel, Folge 5 + 6",
    ].map((value): [string, Partial<ProgrammeFacts>, string, readonly string[]] => [
      `two episodes in one, ${value}`,
      { subtitle: "Tide", numbers: [{ system: "onscreen", value }] },
      "s2e5-6",
      [],
    ]),
    [
      "two episodes in one of xmltv_ns",
      { numbers: [{ system: "xmltv_ns", value: "1 . 4-5/10 . " }] },
      "s2e5-6",
      [],
    ],
    ...["SXXEXX", "Onscreen", ""].map(
      (system): [string, Partial<ProgrammeFacts>, string, readonly string[]] => [
        `a system in another spelling, ${system}`,
        { numbers: [{ system, value: "S2/E5" }] },
        "s2e5",
        [],
      ],
    ),
    ["a season that is a year", { numbers: [{ system: "onscreen", value: "2023x101" }] }, "s2023e101", []],
    ["nothing, if the subtitle is the title", { subtitle: "The salt road" }, "", []],
    ["a film in German", { categories: ["Spielfilm"] }, "film", []],
    [
      "nothing, if the category only begins like a film",
      { categories: ["Filmmagazin", "Kurzfilme"] },
      "",
      [],
    ],
    ["a cross on the screen", { numbers: [{ system: "onscreen", value: "2x05" }] }, "s2e5", []],
    [
      "a number of the screen as xmltv_ns",
      { numbers: [{ system: "xmltv_ns", value: "S2 E5/10" }] },
      "s2e5",
      [],
    ],
    [
      "the subtitle, if the season is unknown",
      { subtitle: "Tide", numbers: [{ system: "onscreen", value: "Episode 5" }] },
      "subtitle:tide",
      [],
    ],
    ["the subtitle", { subtitle: "High  TIDE" }, "subtitle:high tide", []],
    ...["Episode 5", "Folge 5", "Ep. 5 of 8", "\u00c9pisode 5/8", "Avsnitt 5"].map(
      (subtitle): [string, Partial<ProgrammeFacts>, string, readonly string[]] => [
        `a subtitle that is only a number, ${subtitle}`,
        { subtitle },
        "e5",
        [],
      ],
    ),
    ["a subtitle that is only digits", { subtitle: "1984" }, "subtitle:1984", []],
    ["a film", { categories: ["Movie"] }, "film", []],
    ["nothing", {}, "", []],
  ])("comes from %s", (_, given, episode, ids) => {
    expect(identityOf(described(given))).toEqual({ series: { ids, title: "the salt road" }, episode });
  });
});
