import { describe, expect, it } from "vitest";
import { pmtPidIn, streamPidsIn } from "../../../src/recorder/tune/pat.ts";
import { join, PidWriter, pat, pmt, unit } from "../../kit/ts-builder.ts";

describe("the PID of a service's PMT", () => {
  const programmes = Array.from({ length: 200 }, (_, at) => [at + 1, 0x200 + at] as const);
  const packets = new PidWriter(0).sections(pat(1, { programmes }));

  it("is found in a PAT of several packets once all of them have arrived", () => {
    expect(packets.length).toBe(5);
    expect(pmtPidIn(join(packets.slice(0, 4)), 7)).toBeUndefined();
    const other = new PidWriter(0x20).next({ payload: unit(1) });
    const [first, ...rest] = packets;
    // Packets before the PAT's beginning, and packets of other PIDs, change nothing.
    const stream = join([...packets.slice(2), first ?? unit(1), other, ...rest]);
    expect([7, 200].map((sid) => pmtPidIn(stream, sid))).toEqual([0x206, 0x2c7]);
  });

  it("is unknown for a service outside the PAT, or with a damaged PAT", () => {
    expect(pmtPidIn(join(packets), 201)).toBeUndefined();
    const damaged = join(packets);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    expect(pmtPidIn(damaged, 7)).toBeUndefined();
  });
});

describe("the PIDs of a service's streams", () => {
  const streams = [
    { type: 0x1b, pid: 0x101 },
    { type: 0x0f, pid: 0x102 },
  ];
  const packets = (pcrPid: number) => join(new PidWriter(0x100).sections(pmt({ sid: 7, pcrPid, streams })));

  it("are those of its PMT, with its clock", () => {
    expect(streamPidsIn(packets(0x103), { pmtPid: 0x100, sid: 7 })).toEqual([0x103, 0x101, 0x102]);
    expect(streamPidsIn(packets(0x1fff), { pmtPid: 0x100, sid: 7 })).toEqual([0x101, 0x102]);
  });

  it("are not taken from the PMT of another service, nor from another PID", () => {
    expect(streamPidsIn(packets(0x101), { pmtPid: 0x100, sid: 8 })).toBeUndefined();
    expect(streamPidsIn(packets(0x101), { pmtPid: 0x110, sid: 7 })).toBeUndefined();
  });
});
