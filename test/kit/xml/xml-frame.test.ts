import { describe, expect, it } from "vitest";
import { XmlFrame } from "../../../src/kit/xml/xml-frame.ts";
import { createXmlStream } from "../../../src/kit/xml/xml-stream.ts";

/** The document as a parser has it, given in pieces of so many bytes. */
function read(document: string, chunkBytes: number) {
  let text = "";
  const repairs: string[] = [];
  const stream = createXmlStream(
    {
      open: (name, _, line) => (text += `<${name}@${line}>`),
      text: (piece) => (text += piece.trim()),
      close: (name) => (text += `</${name}>`),
    },
    { depth: 5, tokenBytes: 1000 },
    {
      onRepair: ({ line, reason }) => repairs.push(`${line}: ${reason}`),
      nesting: { texts: new Set(["t"]) },
    },
  );
  const bytes = Buffer.from(document);
  for (let at = 0; at < bytes.length; at += chunkBytes) stream.write(bytes.subarray(at, at + chunkBytes));
  stream.end();
  return { text, repairs };
}

/** The text that the frame alone passes on: the decoder of a stream waits for the first bytes. */
function framed(document: string, chunkLength: number) {
  const repairs: string[] = [];
  const frame = new XmlFrame({
    onRepair: ({ line, reason }) => repairs.push(`${line}: ${reason}`),
    tagLength: 1000,
  });
  let text = "";
  for (let at = 0; at < document.length; at += chunkLength)
    text += frame.take(document.slice(at, at + chunkLength), false);
  return { text: text + frame.take("", true), repairs };
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const BEFORE = "text before the document is left out";
const AFTER = "text after the document is left out";
const ANOTHER = "another document follows: its content is read too";

describe("a document with something around it", () => {
  it.each([
    ["space before its declaration", `\n\n  ${DECLARATION}\n<r>a</r>`, "<r@4>a</r>", []],
    [
      "a program's words before it",
      `Fetching 1 < 2...\r\n${DECLARATION}<r>a</r>`,
      "<r@2>a</r>",
      [`1: ${BEFORE}`],
    ],
    [
      "a warning of PHP before it",
      `<br />\n<b>Warning</b>:  x() in <b>a.php</b> on line 3<br />\n${DECLARATION}\n<r>a</r>`,
      "<r@4>a</r>",
      [`1: ${BEFORE}`],
    ],
    ["a script behind it", "<r>a</r>\n<script src='x'></script>", "<r@1>a</r>", [`2: ${AFTER}`]],
    ["words before it, without a declaration", "Done: <r>a</r>", "<r@1>a</r>", [`1: ${BEFORE}`]],
    ["words behind it", "<r>a</r>\nDone & <dusted.\n", "<r@1>a</r>", [`2: ${AFTER}`]],
    ["a comment and an instruction behind it", "<r>a</r><!-- </r> 3 s --><?x y?>\n", "<r@1>a</r>", []],
    ["its end tag twice", "<r>a</r>\n</r>", "<r@1>a</r>", [`2: ${AFTER}`]],
    [
      "another of its kind behind it",
      `${DECLARATION}\n<r a=">"><t>a</t></r>\n${DECLARATION}\n<!DOCTYPE r SYSTEM "r.dtd">\n<r b='>'>\n<t>b</t></r>`,
      "<r@2><t@2>a</t><t@6>b</t></r>",
      [`5: ${ANOTHER}`],
    ],
    [
      "its head twice",
      `${DECLARATION}\n<!DOCTYPE r SYSTEM "r.dtd">\n${DECLARATION}\n<!DOCTYPE r>\n<r>a</r>`,
      "<r@5>a</r>",
      [],
    ],
    ["a longer name of the root inside", "<r><rr>a</rr ><t>b</t></r>", "<r@1><rr@1>a</rr><t@1>b</t></r>", []],
    ["nothing", `<!-- x --><!DOCTYPE r><r/>`, "<r@1></r>", []],
    [
      "declarations, and text behind it",
      `<!DOCTYPE r [<!ENTITY x "]>y">\n<!-- ' ]> --><?z ]>?>] >\n<r a='&x;'>&x;</r>\n5 s`,
      "<r@3>]>y</r>",
      [`4: ${AFTER}`],
    ],
  ])("is read although it has %s", (_, document, text, repairs) => {
    expect(read(document, 1000)).toEqual({ text, repairs });
    const whole = framed(document, 1000);
    expect(whole.text.split("\n")).toHaveLength(document.split("\n").length);
    for (const chunk of [1, 2, 3, 7]) expect(framed(document, chunk)).toEqual(whole);
  });

  it.each([
    ["", /root element/],
    ["no markup at all", /root element/],
    ["<r>a</r><other/>", /./],
    ["<r/><r/>", /./],
    ["<r>a", /unclosed/],
    ["<r", /./],
    ["</r>", /./],
    ['<!DOCTYPE r [<!ENTITY x "y"><r>&x;</r>', /./],
    [`<!DOCTYPE r [${"<!--".repeat(500)}`, /./],
    [`<r>a</r><r ${"a".repeat(2000)}`, /./],
    [`<r ${"a".repeat(2000)}`, /./],
  ])("is refused: %j", (document, reason) => {
    expect(() => read(document, 1000)).toThrow(reason);
  });
});
