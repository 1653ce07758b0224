import { readdirSync, readFileSync } from "node:fs";
import { type Complaint, createXmltvReader } from "../../../src/guide-server/xmltv/reader.ts";
import { XmlFlaw } from "../../../src/kit/xml/xml-stream.ts";
import { BUDGET, inTwo, same, type Target } from "../target.ts";

const FOLDER = "test/fixtures/xmltv";

export const xmltv: Target = {
  name: "xmltv",
  bytesMax: 64 * 1024,
  budget: BUDGET,
  seeds: () =>
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".xml"))
      .map((name) => readFileSync(`${FOLDER}/${name}`)),
  run(input) {
    const whole = read([input]);
    same("portions change nothing", whole, read(inTwo(input)));
    return whole;
  },
};

/** Reports about a document do not count once it turns out to have a flaw. */
function read(portions: readonly Uint8Array[]): readonly object[] {
  const said: object[] = [];
  const complaints: Complaint[] = [];
  const say = (what: object) => {
    said.push(what);
  };
  const reader = createXmltvReader(
    { channel: say, programme: say, complain: (complaint) => complaints.push(complaint) },
    { zone: "UTC", isForAll: false },
  );
  try {
    for (const portion of portions) reader.write(portion);
    reader.end();
    // Repairs come before what is read of the same portion: their order among all depends on the portions.
    return [...said, ...complaints.toSorted((a, b) => a.line - b.line || a.kind.localeCompare(b.kind))];
  } catch (error) {
    if (error instanceof XmlFlaw) return [];
    throw error;
  }
}
