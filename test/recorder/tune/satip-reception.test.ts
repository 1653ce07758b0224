import { describe, expect, it } from "vitest";
import type { Triplet } from "../../../src/model/service.ts";
import { satipInputs } from "../../../src/recorder/tune/satip-reception.ts";

const SERVICE: Triplet = { onid: 1, tsid: 1, sid: 1 };

/** Whether the service comes from each frontend of an answer, by what it is asked for with. */
function held(query: string, ...said: readonly string[]): readonly boolean[] {
  const sdp = said.map((fields) => `m=video 0 RTP/AVP 33\r\na=control:stream=1\r\na=fmtp:33 ${fields}\r\n`);
  const inputs = satipInputs(`v=0\r\n${sdp.join("")}`, () => ({
    url: `satip://192.0.2.9:554/?${query}&pids=all`,
    programme: "multi",
  }));
  return inputs.map(({ holds }) => holds(SERVICE));
}

describe("the reception reported by a SAT>IP server", () => {
  it("names a satellite by input, polarization and frequency in whole MHz", () => {
    const query = "src=2&freq=11493.75&pol=h&msys=dvbs2&mtype=8psk&sr=22000";
    const from = (src: number, pol: string, freq: number) =>
      `ver=1.0;src=${src};tuner=1,240,1,15,${freq},${pol},dvbs2,8psk,on,0.35,22000,23;pids=0,16`;
    expect(
      held(query, from(2, "h", 11_493), from(1, "h", 11_493), from(2, "v", 11_493), from(2, "h", 11_523)),
    ).toEqual([true, false, false, false]);
  });

  it("names terrestrial and cable by system and frequency", () => {
    expect(
      held(
        "freq=538&msys=dvbc&mtype=256qam&sr=6900",
        "ver=1.2;src=1;tuner=1,106,1,0,538.00,8,dvbc,256qam,6900,,,,1;pids=0,118",
        "ver=1.1;tuner=2,106,1,7,538.00,8,dvbt,8k,64qam,14,23,,0,0;pids=none",
      ),
    ).toEqual([true, false]);
  });

  it("omits a stream without a free tuner, whatever its reported reception", () => {
    const tuner = "tuner=1,255,1,15,184.50,7,dvbt,,64qam,,,,0,0;pids=all";
    const sdp = ["sendonly", "inactive"].map(
      (state) => `m=video 0 RTP/AVP 33\r\na=fmtp:33 ver=1.1;${tuner}\r\na=${state}\r\n`,
    );
    expect(satipInputs(`v=0\r\n${sdp.join("")}`, () => undefined)).toHaveLength(1);
  });

  it("has level and quality on scales of 255 and 15, and omits untuned streams", () => {
    const sdp = [
      "m=video 0 RTP/AVP 33",
      "a=fmtp:33 ver=1.1;tuner=3,51,0,3,226.50,7,dvbt,8k,64qam,14,34,,0,0;pids=0",
      "a=sendonly",
      "m=video 0 RTP/AVP 33",
      "a=fmtp:33 ver=1.1",
      "a=sendonly",
    ].join("\r\n");
    const [input, ...others] = satipInputs(sdp, () => undefined);
    expect(input).toMatchObject({
      input: "frontend 3",
      isLocked: false,
      strengthPercent: 20,
      qualityPercent: 20,
    });
    expect(input?.holds(SERVICE)).toBe(false);
    expect(others).toEqual([]);
  });
});
