import { readFileSync } from "node:fs";
import { GuideSections } from "../../../src/mpeg-ts/tables/broadcast-guide.ts";
import { GuideTables } from "../../../src/mpeg-ts/tables/guide-tables.ts";
import { crc32 } from "../../../src/mpeg-ts/tables/sections.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { join, PidWriter, pat, pmt } from "../../kit/ts-builder.ts";
import { asRecords, BUDGET, records, type Target } from "../target.ts";

/** PAT, NIT, SDT, EIT, TDT, and the PMT that the first seed's PAT names. */
const PIDS = [0x00, 0x10, 0x11, 0x12, 0x14, 0x20] as const;
/** In the byte that names the PID: the section is sent as it is, wrong length and checksum included. */
const AS_IT_IS = 0x80;
const SEEDS_MAX = 60;

/**
 * PSI and SI sections: records of a byte that names the PID, and a section. Length and CRC_32 are put right, without which no
 * content would be read.
 */
export const sections: Target = {
  name: "sections",
  bytesMax: 32 * 1024,
  budget: BUDGET,
  seeds: () => [asRecords([of(0, programmes()), of(5, map())]), ...broadcast()],
  run(input) {
    const stream = multiplexed(input);
    const inspector = new Inspector(undefined);
    const tables = new GuideTables();
    const guide = new GuideSections((pid, section) => tables.section(pid, section));
    for (const reader of [inspector, guide]) {
      reader.push(stream);
      reader.settle();
    }
    return [inspector.inspection(), tables.guide()];
  },
};

function multiplexed(input: Uint8Array): Uint8Array {
  const writers = PIDS.map((pid) => new PidWriter(pid));
  const packets = [...records(input)].flatMap((record) => {
    const [selector = 0] = record;
    const section = record.subarray(1, 4097);
    const sent = (selector & AS_IT_IS) !== 0 ? section : corrected(section);
    return sent.length === 0 ? [] : (writers[(selector & 0x7f) % PIDS.length]?.sections(sent) ?? []);
  });
  return join(packets);
}

function corrected(section: Uint8Array): Uint8Array {
  if (section.length < 8) return section;
  const bytes = Buffer.concat([section.subarray(0, 4092), Buffer.alloc(4)]);
  const length = bytes.length - 3;
  bytes.writeUInt16BE(0xb000 | length, 1);
  bytes.writeUInt8(bytes.readUInt8(5) | 1, 5);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function of(selector: number, section: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([selector]), section.subarray(0, -4)]);
}

const programmes = () => pat(1, { programmes: [[1, 0x20]] });
const map = () => pmt({ sid: 1, pcrPid: 0x100, streams: [{ type: 0x1b, pid: 0x100 }] });

/** Sections that were on the air. */
function broadcast(): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  const guide = new GuideSections((pid, section) => {
    const selector = (PIDS as readonly number[]).indexOf(pid);
    if (found.length < SEEDS_MAX) found.push(asRecords([of(selector, Uint8Array.from(section))]));
  });
  guide.push(readFileSync("test/fixtures/ts/french-dvbt-si.ts"));
  return found;
}
