import { formatXml, parseXml, type XmlElement } from "../../../src/kit/xml/xml.ts";
import { createXmlStream, XmlFlaw } from "../../../src/kit/xml/xml-stream.ts";
import { BUDGET, inTwo, law, same, type Target } from "../target.ts";

const LIMITS = { depth: 64, elements: 1000, attributes: 20_000, tagAttributes: 1000, tokenLength: 1 << 20 };

/** Any XML: read as a whole, as it comes, and again as it was written. */
export const xml: Target = {
  name: "xml",
  bytesMax: 64 * 1024,
  budget: BUDGET,
  seeds: () => [
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE a SYSTEM "x.dtd"><a b="c&lt;&#x41;"><!-- d --><e/>f<![CDATA[<g>]]></a>`,
    ),
    Buffer.from(`<a xmlns:b="c"><b:d>  x &amp; y </b:d><?pi z?></a>`),
    Buffer.from(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`),
  ],
  run(input) {
    const whole = parseXml(Buffer.from(input).toString("utf8"), LIMITS);
    if (whole.kind === "document") {
      law("no more elements than are allowed", elementsIn(whole.root) <= LIMITS.elements);
      const written = formatXml(whole.root, "UTF-8");
      const again = parseXml(written, { ...LIMITS, tokenLength: LIMITS.tokenLength * 8 });
      law("what was written is read", again.kind === "document");
      if (again.kind === "document")
        same("twice written is once written", written, formatXml(again.root, "UTF-8"));
    }
    const streamed = events([input]);
    same("portions change nothing", streamed, events(inTwo(input)));
    return [whole, streamed];
  },
};

/** Pieces of text between two tags count as one. */
function events(portions: readonly Uint8Array[]): readonly string[] {
  const seen: string[] = [];
  let text = "";
  const put = (event: string) => {
    if (text !== "") seen.push(text);
    text = "";
    seen.push(event);
  };
  const stream = createXmlStream(
    {
      open: (name, attributes) => put(`<${name} ${JSON.stringify(attributes)}`),
      text: (piece) => {
        text += piece;
      },
      close: (name) => put(`>${name}`),
    },
    { depth: 16, tokenBytes: 1 << 20 },
  );
  try {
    for (const portion of portions) stream.write(portion);
    stream.end();
    return [...seen, "end"];
  } catch (error) {
    if (error instanceof XmlFlaw) return ["flaw"];
    throw error;
  }
}

function elementsIn({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + elementsIn(child), 1);
}
