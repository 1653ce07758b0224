import { readFileSync } from "node:fs";
import { TEXT_TABLES, type TextTable } from "../../../src/model/network.ts";
import { descriptors } from "../../../src/mpeg-ts/tables/descriptors.ts";
import { readEventTexts } from "../../../src/mpeg-ts/tables/event-texts.ts";
import { decodeText } from "../../../src/mpeg-ts/text/text.ts";
import { BUDGET, law, type Target } from "../target.ts";

/** One code of ARIB may repeat a character 63 times. */
const CHARACTERS_PER_BYTE = 64;
/** Text is of one descriptor, or of all extended ones of an event. */
const TEXT_BYTES_MAX = 4096;

/** Texts of DVB and ARIB: a byte that names the table of the network, and a text or descriptors. */
export const eventTexts: Target = {
  name: "event-texts",
  bytesMax: TEXT_BYTES_MAX,
  budget: BUDGET,
  seeds: () => [...samples(), Buffer.from([0, 0x4d, 9, 0x65, 0x6e, 0x67, 3, 0x41, 0x42, 0x43, 1, 0x44])],
  run(input) {
    // Beyond the tables: none is known.
    const table: TextTable | undefined = TEXT_TABLES[(input[0] ?? 0) % (TEXT_TABLES.length + 1)];
    const bytes = input.subarray(1);
    const text = decodeText(bytes, table);
    law("no control characters but line ends", !/[^\P{Cc}\n]/u.test(text));
    law("no halves of characters", text.isWellFormed());
    law("no text out of nothing", text.length <= bytes.length * CHARACTERS_PER_BYTE);
    const event = readEventTexts(descriptors(bytes, { firstAt: 0, endAt: bytes.length }), table);
    law("a title has one line", !/[^\P{Cc}]/u.test(event.title));
    return [text, event];
  },
};

function samples(): readonly Uint8Array[] {
  const lines = readFileSync("test/fixtures/text/arib.tsv", "utf8").split("\n").slice(0, 40);
  const arib = TEXT_TABLES.indexOf("arib");
  const hex = lines.map(
    (line) => line.split("\t").find((field) => /^([0-9a-f]{2} ?){2,}$/i.test(field)) ?? "",
  );
  const texts = hex.map((digits) => Buffer.from(digits.replaceAll(" ", ""), "hex"));
  return TEXT_TABLES.flatMap((_, index) => [
    Buffer.concat([Buffer.from([index]), Buffer.from("Größe: Ca\u0301fe, 映画")]),
    ...(index < arib ? [] : texts.map((text) => Buffer.concat([Buffer.from([index]), text]))),
  ]);
}
