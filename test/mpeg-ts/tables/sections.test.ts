import { describe, expect, it } from "vitest";
import { crc32, SectionAssembler, sectionHeader } from "../../../src/mpeg-ts/tables/sections.ts";
import { ascii, join, PidWriter, payload, section } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

function assembled(packets: readonly Uint8Array[]): readonly Uint8Array[] {
  const sections: Uint8Array[] = [];
  const assembler = new SectionAssembler((bytes) => sections.push(Uint8Array.from(bytes)));
  for (const each of packets) assembler.packet(each, 0);
  return sections;
}

const bodies = fc.array(fc.array(fc.nat(255), { maxLength: 900 }), { minLength: 1, maxLength: 6 });
const numbered = (body: readonly number[], number: number) =>
  section({ tableId: 0x42, extension: 7, number, body });

describe("sections", () => {
  it("are read as written, several in a packet or one over several packets", () => {
    fc.assert(
      fc.property(bodies, (contents) => {
        const sections = contents.map(numbered);
        const back = assembled(new PidWriter(0x11).sections(...sections));
        return Buffer.compare(join(back), join(sections)) === 0 && back.length === sections.length;
      }),
    );
  });

  it("are dropped after the loss of one of their packets, and the next one is read", () => {
    const long = section({ tableId: 0x42, extension: 1, body: Array.from({ length: 500 }, () => 1) });
    const next = section({ tableId: 0x42, extension: 2, body: [1, 2, 3] });
    const writer = new PidWriter(0x11);
    const [first, , third, fourth] = writer.sections(long, next);
    const sections: Uint8Array[] = [];
    const assembler = new SectionAssembler((bytes) => sections.push(Uint8Array.from(bytes)));
    if (first !== undefined) assembler.packet(first, 0);
    assembler.drop();
    for (const each of [third, fourth]) if (each !== undefined) assembler.packet(each, 0);
    expect(sections).toEqual([next]);
  });

  it("are dropped if a new start leaves them incomplete", () => {
    const long = section({ tableId: 0x42, extension: 1, body: Array.from({ length: 300 }, () => 1) });
    const writer = new PidWriter(0x11);
    const [first, second] = writer.sections(long);
    const onlyStuffing = new Uint8Array(184).fill(0xff);
    onlyStuffing[0] = 0;
    const start = writer.next({ starts: true, payload: onlyStuffing });
    expect(assembled([first, start, second].filter((each) => each !== undefined))).toEqual([]);
  });

  it("may be empty, or claim an impossible length, without harm", () => {
    const writer = new PidWriter(0x11);
    const empty = Uint8Array.from([0, 0x70, 0x00, 0x00, 0x71, 0x00, 0x00]);
    const filled = new Uint8Array(184).fill(0xff);
    filled.set(empty);
    expect(assembled([writer.next({ starts: true, payload: filled })])).toHaveLength(2);
    const tooLong = new Uint8Array(184).fill(0x01);
    tooLong.set([0, 0x42, 0xff, 0xff]);
    const rest = Array.from({ length: 40 }, (_, index) => writer.next({ payload: payload(index) }));
    expect(assembled([writer.next({ starts: true, payload: tooLong }), ...rest])).toEqual([]);
  });

  it("are checked by their CRC-32", () => {
    const right = section({ tableId: 0x42, extension: 1, version: 3, number: 2, body: [1, 2, 3, 4] });
    const crc = new DataView(right.buffer).getUint32(12);
    expect(sectionHeader(right)).toEqual({
      tableId: 0x42,
      extension: 1,
      version: 3,
      number: 2,
      crc,
      end: 12,
    });
    for (const at of right.keys()) {
      const wrong = Uint8Array.from(right, (byte, index) => (index === at ? byte ^ 0x10 : byte));
      expect(sectionHeader(wrong)).toBeUndefined();
    }
  });

  it("have the CRC-32 of the standard", () => {
    // The check value of CRC-32/MPEG-2.
    expect(crc32(Uint8Array.from(ascii("123456789")))).toBe(0x0376e6e7);
  });

  it("are ignored until they are in force", () => {
    const next = Uint8Array.from([0x42, 0xb0, 0x09, 0, 1, 0xc0, 0, 0, 0, 0, 0, 0]);
    expect(sectionHeader(next)).toBeUndefined();
  });
});
