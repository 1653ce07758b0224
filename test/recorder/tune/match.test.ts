import { describe, expect, it } from "vitest";
import type { Channel } from "../../../src/model/service.ts";
import type { ListedService } from "../../../src/recorder/tune/channel-lists/list.ts";
import { matchChannels, withTriplets } from "../../../src/recorder/tune/match.ts";

function channel(more: Partial<Channel>): Channel {
  return { id: "1", name: "ABC TV", nameShort: "ABC", knownNames: [], triplets: [], lcns: [], ...more };
}

function listed(more: Partial<ListedService>): ListedService {
  return { line: 1, name: "Something", ids: { onid: 1, tsid: 2, sid: 3 }, ...more };
}

function foundBy(wanted: Partial<Channel>, services: readonly ListedService[]) {
  const { matches, unmatched } = matchChannels([channel(wanted)], services);
  return { by: matches.map(({ by }) => by), why: unmatched.map(({ why }) => why) };
}

const HERE = { onid: 4112, tsid: 545, sid: 544 };

describe("a channel of the guide", () => {
  it("is matched by its triplet first, whatever the names", () => {
    const other = listed({ name: "ABC TV", ids: { onid: 9, tsid: 9, sid: 9 } });
    expect(foundBy({ triplets: [HERE] }, [other, listed({ name: "X", ids: HERE })])).toEqual({
      by: ["triplet"],
      why: [],
    });
  });

  it.each([
    [listed({ name: "abc  tv" }), "name"],
    [listed({ shortName: "ABC TV" }), "name"],
    [listed({ name: "ABC" }), "short name"],
    [listed({ name: "ABC Sydney" }), "known name"],
    [listed({ lcn: 2 }), "LCN"],
  ])("is matched in %j by its %s", (service, by) => {
    expect(foundBy({ knownNames: ["Other", "ABC Sydney"], lcns: [2] }, [service])).toEqual({
      by: [by],
      why: [],
    });
  });

  it("is not matched by a name that two services share, but by the next property", () => {
    const twins = [listed({ name: "ABC TV" }), listed({ name: "ABC TV", ids: { onid: 1, tsid: 2, sid: 4 } })];
    expect(foundBy({}, twins)).toEqual({ by: [], why: ["2 services of the list have its name"] });
    expect(foundBy({}, [...twins, listed({ name: "ABC", ids: { sid: 7 } })])).toEqual({
      by: ["short name"],
      why: [],
    });
  });

  it("is matched by the name of a service that is in the list twice", () => {
    expect(foundBy({}, [listed({ name: "ABC TV" }), listed({ name: "ABC TV", line: 2 })]).by).toEqual([
      "name",
    ]);
  });

  it("is reported if the list has no match", () => {
    expect(foundBy({}, [listed({})])).toEqual({
      by: [],
      why: ["neither triplet nor name nor LCN is in the list"],
    });
  });
});

describe("a service matched by its name", () => {
  const wanted = channel({ triplets: [{ onid: 7, tsid: 7, sid: 7 }, HERE] });

  it("gets the triplet that agrees with the list", () => {
    const service = listed({ name: "ABC TV", ids: { sid: 544 } });
    const { matches } = matchChannels([wanted], [service]);
    expect(withTriplets([service], matches)).toEqual([{ ...service, ids: HERE }]);
  });

  it("keeps ids that contradict the guide, because the list was written at the receiver's place", () => {
    const service = listed({ name: "ABC TV", ids: { onid: 4112, tsid: 546, sid: 544 } });
    const { matches } = matchChannels([wanted], [service]);
    expect(withTriplets([service], matches)).toEqual([service]);
  });
});
