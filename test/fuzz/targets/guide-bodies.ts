import { decodeDocument, encodeDocument } from "../../../src/guide-wire/codec.ts";
import { DOCUMENTS, type DocumentKind } from "../../../src/guide-wire/documents.ts";
import { BUDGET, law, same, type Target, unlessRefused } from "../target.ts";

const KINDS = Object.keys(DOCUMENTS) as readonly DocumentKind[];
const TYPES = [
  "",
  "application/json",
  "application/xml",
  "text/html",
  "application/xml; charset=ISO-8859-1",
  "application/json; charset=utf-16le",
  "text/xml; charset=shift_jis",
];

/** Requests and answers of the guide protocol: bytes that name kind and content type, and a body. */
export const guideBodies: Target = {
  name: "guide-bodies",
  bytesMax: 32 * 1024,
  budget: BUDGET,
  seeds: () => KINDS.flatMap((kind) => [XML, JSON_TEXT].map((text) => body(kind, 0, text))),
  run(input) {
    const type = TYPES[(input[1] ?? 0) % TYPES.length] ?? "";
    return read(input, type);
  },
};

/** The same with JSON alone, which most answers are. */
export const guideJson: Target = {
  name: "guide-json",
  bytesMax: 32 * 1024,
  budget: BUDGET,
  seeds: () => KINDS.map((kind) => body(kind, 1, JSON_TEXT)),
  run: (input) => read(input, "application/json"),
};

function read(input: Uint8Array, contentType: string): unknown {
  const kind = KINDS[(input[0] ?? 0) % KINDS.length] ?? "timers";
  const decoded = unlessRefused(() => decodeDocument(kind, input.subarray(2), { contentType }));
  if (typeof decoded === "string") {
    law("a document is refused for what it is", decoded.startsWith("GUIDE_DOCUMENT_"));
    return decoded;
  }
  // The list may be empty without its malformed entries, and an empty list is no valid document.
  if (kind === "device-add" && decoded.malformed.length > 0) return decoded;
  const json = encodeDocument(kind, decoded.value, { format: "json" });
  same("JSON is read as it was written", decoded.value, decodeDocument(kind, json.body, json).value);
  const xml = encodeDocument(kind, decoded.value, { format: "xml", encoding: "ISO-8859-1" });
  law("XML that was written is read", unlessRefused(() => decodeDocument(kind, xml.body, xml)) !== "refused");
  return decoded;
}

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<timers><min_hit_minutes>5</min_hit_minutes><timer id="12" deleted="0"><id>12</id><show_id>5</show_id>
<channel_id>3</channel_id><title lang="en">News &amp; &#228; <![CDATA[<b>]]></title><start>1793000000</start>
<stop>1793003600</stop></timer></timers>`;
const JSON_TEXT = `{"timers":[{"id":12,"show_id":"5","channel_id":3,"title":"News \\u00e4","start":1793000000,
"stop":"2026-10-25T01:00:00Z","deleted":false}],"shows":[{"id":5}],"channels":[],"regions":[]}`;

function body(kind: DocumentKind, type: number, text: string): Uint8Array {
  return Buffer.concat([Buffer.from([KINDS.indexOf(kind), type]), Buffer.from(text)]);
}
