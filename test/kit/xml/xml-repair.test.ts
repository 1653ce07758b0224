import { describe, expect, it } from "vitest";
import { type XmlRepair, XmlRepairer } from "../../../src/kit/xml/xml-repair.ts";
import { createXmlStream } from "../../../src/kit/xml/xml-stream.ts";
import { inLong } from "../../lane.ts";
import { fc } from "../../properties.ts";

function repaired(text: string, chunkLength = text.length || 1) {
  const written: string[] = [];
  const repairs: string[] = [];
  const repairer = new XmlRepairer({
    write: (piece) => written.push(piece),
    onRepair: ({ kind, line }) => repairs.push(`${line} ${kind}`),
    refuse: (line, reason) => {
      throw new Error(`${line}: ${reason}`);
    },
    tagLength: 1000,
  });
  for (let at = 0; at < text.length; at += chunkLength)
    repairer.write(text.slice(at, at + chunkLength), false);
  repairer.write("", true);
  return { text: written.join(""), repairs };
}

/** The text of a document as a parser has it, given in pieces of so many bytes. */
function read(bytes: Buffer, chunkBytes = 7) {
  let text = "";
  const repairs: XmlRepair[] = [];
  const stream = createXmlStream(
    { open: () => {}, text: (piece) => (text += piece), close: () => {} },
    { depth: 5, tokenBytes: 1_000_000 },
    { onRepair: (repair) => repairs.push(repair), nesting: { texts: new Set(["t"]) } },
  );
  for (let at = 0; at < bytes.length; at += chunkBytes) stream.write(bytes.subarray(at, at + chunkBytes));
  stream.end();
  return { text, repairs: repairs.map(({ line, reason }) => `${line}: ${reason}`) };
}

describe("a repair of unambiguous faults", () => {
  it.each([
    ["a & b", "a &amp; b", ["1 ampersand"]],
    ["\n\nAT&T; R&amp;B &lt;", "\n\nAT&amp;T; R&amp;B &lt;", ["3 ampersand"]],
    ["Caf&eacute;\n&hellip;&nbsp;", "Caf&#233;\n&#8230;&#160;", ["1 entity", "2 entity", "2 entity"]],
    ["&#0; &#xD800; &#X41; &#66;", "    &#65; &#66;", ["1 character", "1 character"]],
    ["a\u0001b\n\u000c", "a b\n ", ["1 character", "2 character"]],
    ["<t>I <3 you < me</t>", "<t>I &lt;3 you &lt; me</t>", ["1 less-than", "1 less-than"]],
    ["<t>the <best show</t>", "<t>the &lt;best show</t>", ["1 less-than"]],
    ["<t>the <best show> on</t>", "<t>the &lt;best show> on</t>", ["1 less-than"]],
    ['<i\n src="a?b=1&c=<d"/>', '<i\n src="a?b=1&amp;c=&lt;d"/>', ["2 ampersand", "2 less-than"]],
    ["<t lang=de>a</t>", '<t lang="de">a</t>', ["1 tag"]],
    ["<i src=a/b?c&d/>", '<i src="a/b?c&amp;d"/>', ["1 tag", "1 ampersand"]],
    ["<t at=20261121200000 +0100 to='b'>a</t>", '<t at="20261121200000 +0100" to="b">a</t>', ["1 tag"]],
    ['<t a=\'x "y"\'b="c">a</t>', '<t a="x &quot;y&quot;" b="c">a</t>', ["1 tag"]],
    ["<t a='b' a='c'>a</t>", '<t a="b">a</t>', ["1 tag"]],
    ["<i a='b'\nhidden c=d\n/>", '<i a="b" c="d"/>\n\n', ["1 tag"]],
    ["<i a = \"b\"\n  c='d' />", "<i a = \"b\"\n  c='d' />", []],
    ["a ]]> b", "a ]]&gt; b", []],
    ["<!-- a & b < c --><t/>", "<t/>", []],
    ["a<!---- page 1 -- of\n 2 --->b<!-- -->", "a\nb", []],
  ])("turns %j into %j", (text, wanted, repairs) => {
    for (const length of [1, 2, 5, 100]) expect(repaired(text, length)).toEqual({ text: wanted, repairs });
  });

  it.each([
    "<?p & <?><![CDATA[ a & < b ]]]]><t/>",
    '<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv a=\'1\' b="&quot;&#10;"><t lang="en" /></tv>',
    "<unknown:one x.y='z'>text</unknown:one>",
    "<t torn",
  ])("leaves %j", (text) => {
    for (const length of [1, 2, 5, 100]) expect(repaired(text, length)).toEqual({ text, repairs: [] });
  });

  it("gives the same result wherever the text is split, with as many lines as before", () => {
    const pieces = [
      "&",
      "<",
      ">",
      "]]>",
      "a",
      "\n",
      "\r\n",
      '"',
      "=",
      "<a>",
      "</a>",
      "<!--",
      "-->",
      "&amp;",
      "&#",
      ";",
      "<![CDATA[",
      " ",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (all, length) => {
          const text = all.join("");
          const whole = repaired(text);
          const cut = repaired(text, length);
          const lines = text.replace(/\r\n/g, "\n").split("\n").length;
          return JSON.stringify(whole) === JSON.stringify(cut) && whole.text.split("\n").length === lines;
        },
      ),
    );
  });

  inLong("takes time in proportion to the document, even a hostile one", () => {
    const milliseconds = (text: string) => {
      const begin = process.cpuUsage();
      repaired(text, 65_536);
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1000;
    };
    const flawed = ["&", "<", "&a", "<a ", '<a "', "<a b=c d "].map((piece) => `${piece.repeat(900)}<t>`);
    for (const piece of [...flawed, "]]"]) {
      // A quadratic one takes minutes.
      expect(milliseconds(piece.repeat(2_000_000 / piece.length))).toBeLessThan(20_000);
    }
  });
});

describe("a tag within a text", () => {
  /** Elements and text as a parser has them. */
  function parsed(text: string, chunkBytes: number) {
    const out: string[] = [];
    const repairs: string[] = [];
    const stream = createXmlStream(
      {
        open: (name) => out.push(`<${name}>`),
        text: (piece) => out.push(piece),
        close: (name) => out.push(`</${name}>`),
      },
      { depth: 9, tokenBytes: 1_000_000 },
      {
        onRepair: ({ kind, line, reason }) => repairs.push(`${line} ${kind}: ${reason}`),
        nesting: { texts: new Set(["t", "s"]), empty: new Set(["i"]), entries: new Set(["e"]) },
      },
    );
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += chunkBytes) stream.write(bytes.subarray(at, at + chunkBytes));
    stream.end();
    return { text: out.join(""), repairs };
  }

  it.each([
    [
      "<r>\n<t>a <b>bold\n<i>end</t></r>",
      "<r>\n<t>a <b>bold\n<i>end</i></b></t></r>",
      ["2 tag: <b> is never closed: closed at </t>", "3 tag: <i> is never closed: closed at </t>"],
    ],
    ["<t>a</b> c</t>", "<t>a c</t>", ["1 tag: </b> closes nothing: ignored"]],
    ["<r><u>a</u>\n</u></r>", "<r><u>a</u>\n</r>", ["2 tag: </u> closes nothing: ignored"]],
    [
      "<t><b><i>x</b></i></t>",
      "<t><b><i>x</i></b></t>",
      ["1 tag: <i> is never closed: closed at </b>", "1 tag: </i> closes nothing: ignored"],
    ],
    [
      '<t>a<br>b<BR clear="all">c</t>',
      "<t>a<br></br>b<BR></BR>c</t>",
      [
        "1 tag: <br> is never closed: closed immediately",
        '1 tag: <BR clear="all"> is never closed: closed immediately',
      ],
    ],
    [
      "<r><e><i><t>a</t>\n<i></i><i></e></r>",
      "<r><e><i></i><t>a</t>\n<i></i><i></i></e></r>",
      ["1 tag: <i> is never closed: closed at <t>", "2 tag: <i> is never closed: closed at </e>"],
    ],
    [
      "<r><e><t>a<s>b</s><u><t>c</t></e><e><t>d<e></e><e><u></r>",
      "<r><e><t>a</t><s>b</s><u><t>c</t></u></e><e><t>d</t></e><e></e><e><u></u></e></r>",
      [
        "1 tag: <t> is never closed: closed at <s>",
        "1 tag: <u> is never closed: closed at </e>",
        "1 tag: <e> is never closed: closed at <e>",
        "1 tag: <t> is never closed: closed at <e>",
        "1 tag: <e> is never closed: closed at </r>",
        "1 tag: <u> is never closed: closed at </r>",
      ],
    ],
    ["<r><t>a <t>b</t> <b/>c</t><u><b>d</b></u></r>", "<r><t>a <t>b</t> <b></b>c</t><u><b>d</b></u></r>", []],
  ])("%j is read as %j", (text, wanted, repairs) => {
    for (const chunkBytes of [1, 5, 1000])
      expect(parsed(text, chunkBytes)).toEqual({ text: wanted, repairs });
  });

  it.each(["<r><u><b>a</u></r>", "<r><t>a</r>", "<r><t>a", "<r><e><t>a</t></e>"])("%j is refused", (text) => {
    expect(() => parsed(text, 1000)).toThrow(/unclosed tag|unexpected close tag|unmatched closing tag/);
  });
});

it.each(["&", "<", "&nbsp;"])("a document is refused beyond a thousand of %s between two tags", (piece) => {
  for (const length of [1, 100_000]) {
    expect(repaired(`<t>${piece.repeat(1000)}</t><t>${piece}</t>`, length).repairs).toHaveLength(1001);
    expect(() => repaired(`<t>\n${piece.repeat(1001)}</t>`, length)).toThrow(
      "2: more than 1000 errors between two tags",
    );
  }
});

describe("an encoding that differs from the declaration", () => {
  const document = (encoding: string | undefined, text: string) =>
    `<?xml version="1.0"${encoding === undefined ? "" : ` encoding="${encoding}"`}?>\n<t>\n${text}\n</t>`;

  it.each([undefined, "UTF-8", "utf-8"])(
    "is read byte by byte if %s is declared and Latin-1 is used",
    (said) => {
      const bytes = Buffer.from(document(said, "Été\nà la carte, “no”"), "latin1");
      for (const length of [1, 7, 100_000]) {
        const { text, repairs } = read(bytes, length);
        expect(text).toContain("Été\nà la carte");
        expect(repairs.slice(0, 3)).toEqual([
          "3: a byte that is not UTF-8 is read as Windows-1252",
          "3: a byte that is not UTF-8 is read as Windows-1252",
          "4: a byte that is not UTF-8 is read as Windows-1252",
        ]);
      }
    },
  );

  it("is read as both if a document mixes both", () => {
    const bytes = Buffer.concat([
      Buffer.from("<t>Été "),
      Buffer.from([0xc9, 0x74, 0xe9, 0x80]),
      Buffer.from("</t>"),
    ]);
    expect(read(bytes, 1).text).toBe("Été Été€");
  });

  it.each(["ISO-8859-1", "windows-1252", "gb2312", "Shift_JIS"])(
    "is UTF-8 if %s is declared and all of it is UTF-8",
    (said) => {
      const bytes = Buffer.from(document(said, "Été — ok"));
      for (const length of [1, 7, 100_000]) {
        const { text, repairs } = read(bytes, length);
        expect(text.trim()).toBe("Été — ok");
        expect(repairs).toEqual([`3: the document declares ${said}, but is UTF-8`]);
      }
    },
  );

  it("costs only the characters that are wrong", () => {
    const text = Buffer.from(document("gb18030", "A\xd0\xc2\n\xff\xce\xc5"), "latin1");
    for (const length of [1, 7, 100_000]) {
      expect(read(text, length)).toEqual({
        text: "\n\nA新\n\ufffd闻\n",
        repairs: ["4: a character is not valid gb18030: read as \ufffd"],
      });
    }
  });

  it("is the declared one if that is correct", () => {
    const said = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<t>Été à</t>';
    const { text, repairs } = read(Buffer.from(said, "latin1"));
    expect([text.trim(), repairs]).toEqual(["Été à", []]);
    const windows = Buffer.from(
      '<?xml version="1.0" encoding="windows-1252"?><t>\x80 \x93\xe9\x94</t>',
      "latin1",
    );
    expect(read(windows)).toEqual({ text: "€ “é”", repairs: [] });
    expect(read(Buffer.from("\ufeff<t>Été</t>"), 1)).toEqual({ text: "Été", repairs: [] });
    const japanese = '<?xml version="1.0" encoding="iso-2022-jp"?><t>\u001b$BF|\u001b(B</t>';
    expect(read(Buffer.from(japanese, "latin1"))).toEqual({ text: "日", repairs: [] });
    const utf16 = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><t>Été</t>', "utf16le");
    expect(read(utf16)).toEqual({ text: "Été", repairs: [] });
  });

  it.each([
    ["UTF-16", "1: the document declares UTF-16, but is not: read as UTF-8"],
    ["klingon", "1: its encoding klingon is unknown: read as UTF-8"],
  ])("is UTF-8 for the declaration %s", (said, reason) => {
    const { text, repairs } = read(Buffer.from(document(said, "Été")));
    expect([text.trim(), repairs]).toEqual(["Été", [reason]]);
  });
});
