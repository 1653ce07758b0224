import { expect, it } from "vitest";
import { detailsOf } from "../../src/model/trouble-details.ts";

it("R-28 the details of a failure are the values that each language can name", () => {
  const details = { file: "/srv/a.ts", system: "EIO" };
  expect(detailsOf({ ...details, recordingId: "r1" })).toEqual({ details });
  expect(detailsOf({ folder: "/srv", system: 5 })).toEqual({ details: { file: "/srv" } });
  expect(detailsOf({ tunerId: "a" })).toEqual({});
});
