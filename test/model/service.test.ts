import { describe, expect, it } from "vitest";
import { multiplexKey, parseTriplet, sameTriplet, tripletKey } from "../../src/model/service.ts";
import { fc } from "../properties.ts";

const id = fc.integer({ min: 0, max: 0xffff });
const triplet = fc.record({ onid: id, tsid: id, sid: id });

describe("a triplet", () => {
  it("can be restored from its key", () => {
    const property = fc.property(triplet, (each) => {
      const back = parseTriplet(tripletKey(each));
      return back !== undefined && sameTriplet(back, each);
    });
    fc.assert(property);
  });

  it("can be written in hexadecimal, with space around its parts", () => {
    const property = fc.property(triplet, (each) => {
      const hex = (n: number) => ` 0x${n.toString(16).toUpperCase()} `;
      const back = parseTriplet(`${hex(each.onid)}/${hex(each.tsid)}/${hex(each.sid)}`);
      return back !== undefined && sameTriplet(back, each);
    });
    fc.assert(property);
  });

  it("equals another exactly if their keys are equal, and then their multiplexes are too", () => {
    const small = fc.integer({ min: 1, max: 2 });
    const near = fc.record({ onid: small, tsid: small, sid: small });
    const property = fc.property(near, near, (a, b) => {
      const same = sameTriplet(a, b);
      return (
        same === (tripletKey(a) === tripletKey(b)) &&
        (!same || multiplexKey(a) === multiplexKey(b)) &&
        (multiplexKey(a) === multiplexKey(b)) === (a.onid === b.onid && a.tsid === b.tsid)
      );
    });
    fc.assert(property);
  });

  it.each([
    "",
    "1/2",
    "1/2/3/4",
    "1/2/65536",
    "1/2/0x10000",
    "1/2/-3",
    "1//3",
    "1/2/x",
    "1/2/3.5",
    "1e3/2/3",
  ])("cannot be read from %j", (text) => {
    expect(parseTriplet(text)).toBeUndefined();
  });
});
