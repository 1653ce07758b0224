import { describe, expect, it } from "vitest";
import { candidatesFor, type KnownService, matchServices } from "../../src/model/channel-match.ts";
import { looseNameKey, nameKey } from "../../src/model/channel-name.ts";
import type { Channel, Triplet } from "../../src/model/service.ts";

const at = (sid: number): Triplet => ({ onid: 1, tsid: 2, sid });

function channel(more: Partial<Channel> = {}): Channel {
  return { id: "1", name: "Harbour One", nameShort: "", knownNames: [], triplets: [], lcns: [], ...more };
}

function service(sid: number, name: string, lcn?: number): KnownService {
  return { triplet: at(sid), name, ...(lcn === undefined ? {} : { lcn }) };
}

function found(
  channels: readonly Channel[],
  services: readonly KnownService[],
  assigned: readonly [string, Triplet][] = [],
) {
  const world = {
    services,
    assigned: new Map(assigned),
    isReceived: (key: string) => key.startsWith("1/2/"),
  };
  return matchServices(channels, world).map(({ channel: { triplets }, by }) => [by, triplets[0]?.sid]);
}

describe("channel names", () => {
  it.each([
    ["Das Érste", "das erste"],
    ["BBC  ONE", "BBC-One"],
    ["A&E", "A and E"],
    ["ＮＨＫ", "NHK"],
    ["Straße TV", "STRASSE TV"],
  ])("%s and %s are equal", (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it("differ by a plus", () => {
    expect(nameKey("Film+1")).not.toBe(nameKey("Film 1"));
  });

  it.each(["Sea HD", "Sea UHD", "Sea (HD)", "SEA 4K", "Sea UHD 4K"])(
    "%s is Sea without its quality",
    (name) => {
      expect(looseNameKey(name)).toBe(nameKey("Sea"));
    },
  );

  it("that consist only of a quality stay", () => {
    expect(looseNameKey("HD")).toBe("HD");
  });
});

describe("a channel of the guide", () => {
  it("keeps a triplet that a tuner receives, whatever names and numbers suggest", () => {
    const one = channel({ triplets: [at(9)], lcns: [1] });
    expect(found([one], [service(3, "Harbour One", 1), service(9, "Other", 7)])).toEqual([["guide", 9]]);
  });

  it("is matched by its number, which distinguishes two of one name", () => {
    const services = [service(3, "Harbour One", 1), service(4, "Harbour One", 2)];
    expect(found([channel({ lcns: [2] })], services)).toEqual([["number", 4]]);
  });

  it("is matched by its number if no name matches", () => {
    expect(found([channel({ lcns: [2] })], [service(3, "HB1", 2)])).toEqual([["number", 3]]);
  });

  it("is matched by its name if its number belongs to another channel", () => {
    const services = [service(3, "Sea", 2), service(4, "HARBOUR ONE HD", 9)];
    const sea = channel({ id: "2", name: "Sea" });
    expect(found([channel({ lcns: [2] }), sea], services)).toEqual([
      ["name", 4],
      ["name", 3],
    ]);
  });

  it("is not matched by a number whose channel has another name", () => {
    const sea = channel({ id: "2", name: "Sea" });
    expect(found([channel({ lcns: [2] }), sea], [service(3, "Sea", 2)])[0]).toEqual([undefined, undefined]);
  });

  it("is matched by its exact name before another quality", () => {
    const services = [service(3, "Harbour One HD"), service(4, "harbour one")];
    expect(found([channel()], services)).toEqual([["name", 4]]);
    expect(found([channel({ name: "Harbour One HD" })], services)).toEqual([["name", 3]]);
    expect(found([channel()], [service(3, "Harbour One HD")])).toEqual([["name", 3]]);
  });

  it.each([{ nameShort: "HB1" }, { knownNames: ["Other", "hb 1"] }])("is matched by %j", (names) => {
    expect(found([channel(names)], [service(3, "HB1")])).toEqual([["name", 3]]);
  });

  it("is not matched by a name that two services share", () => {
    expect(found([channel()], [service(3, "Harbour One"), service(4, "Harbour One")])).toEqual([
      [undefined, undefined],
    ]);
  });

  it("with an unreceived triplet is matched by its name, and not by its number", () => {
    const elsewhere = { onid: 7, tsid: 7, sid: 7 };
    const one = channel({ triplets: [elsewhere], lcns: [2] });
    expect(found([one], [service(3, "HB1", 2)])).toEqual([[undefined, 7]]);
    expect(found([one], [service(3, "Harbour One", 5)])).toEqual([["name", 3]]);
  });

  it("is not matched if no tuner receives it", () => {
    const far = { triplet: { onid: 9, tsid: 9, sid: 9 }, name: "Harbour One" };
    expect(found([channel()], [far])).toEqual([[undefined, undefined]]);
  });

  it("follows a manual mapping, whatever else matches", () => {
    const one = channel({ triplets: [at(9)] });
    expect(found([one], [service(3, "Harbour One")], [["1", at(5)]])).toEqual([["assigned", 5]]);
  });
});

it("candidates are ordered by likelihood: first by number, then by similarity of the name", () => {
  const services = [service(1, "Weather"), service(2, "Harbour Uno"), service(3, "Zoo", 4), service(4, "")];
  const names = candidatesFor(channel({ lcns: [4] }), services, 3).map(({ name }) => name);
  expect(names).toEqual(["Zoo", "Harbour Uno", ""]);
});
