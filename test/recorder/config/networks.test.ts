import { expect, it } from "vitest";
import { Networks, networkSettings } from "../../../src/recorder/config/networks.ts";

it("a network has only the configured settings", () => {
  const networks = Networks.parse([
    { id: 0x20fa, text: "iso-8859-9" },
    { id: 7, utcOffsetMinutes: -300 },
  ]);
  expect([...networkSettings(networks)]).toEqual([
    [0x20fa, { text: "iso-8859-9" }],
    [7, { utcOffsetMs: -18_000_000 }],
  ]);
});

it("a network has one entry", () => {
  const { error } = Networks.safeParse([{ id: 7 }, { id: 8 }, { id: 7 }]);
  expect(error?.issues).toMatchObject([{ path: [2, "id"], message: "expected an id of its own" }]);
});
