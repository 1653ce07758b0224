import { describe, expect, it } from "vitest";
import { pmtPidIn } from "../../src/tune/pat.ts";
import { join, PidWriter, pat, unit } from "../kit/ts-builder.ts";

describe("the PID of a service's PMT", () => {
  const programmes = Array.from({ length: 200 }, (_, at) => [at + 1, 0x200 + at] as const);
  const packets = new PidWriter(0).sections(pat(1, { programmes }));

  it("is found in a PAT of several packets once all of them are there", () => {
    expect(packets.length).toBe(5);
    expect(pmtPidIn(join(packets.slice(0, 4)), 7)).toBeUndefined();
    const other = new PidWriter(0x20).next({ payload: unit(1) });
    const [first, ...rest] = packets;
    // What came before its beginning, and packets of others, change nothing.
    const stream = join([...packets.slice(2), first ?? unit(1), other, ...rest]);
    expect([7, 200].map((sid) => pmtPidIn(stream, sid))).toEqual([0x206, 0x2c7]);
  });

  it("is not known of a service that the PAT does not name, nor by a damaged one", () => {
    expect(pmtPidIn(join(packets), 201)).toBeUndefined();
    const damaged = join(packets);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    expect(pmtPidIn(damaged, 7)).toBeUndefined();
  });
});
