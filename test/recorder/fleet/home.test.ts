import { expect, it } from "vitest";
import { folderName, isHomeOf } from "../../../src/recorder/config/fleet.ts";
import { HomeWatch, otherHome } from "../../../src/recorder/fleet/home.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";

const { homeBackMs } = NODE_LIMITS;

function node(name: string, home?: string) {
  return { fleet: { node: name, home } };
}

it("a node is the home, another node of its fleet, or in a fleet that shares a folder", () => {
  expect(isHomeOf(node("cellar", "cellar"))).toBe(true);
  expect(isHomeOf(node("attic", "cellar"))).toBe(false);
  expect(isHomeOf(node("attic"))).toBeUndefined();
  expect(isHomeOf({})).toBeUndefined();
});

it("folders at one path are different ones if the nodes share none", () => {
  const names = [node("cellar", "cellar"), node("attic", "cellar"), node("cellar"), node("attic")].map(
    (each) => folderName(each, "/srv/tv"),
  );
  expect(names).toEqual(["cellar:/srv/tv", "attic:/srv/tv", "/srv/tv", "/srv/tv"]);
});

it("a node with another home than its fleet cannot lead, except for the home itself", () => {
  const why = (name: string, home: string | undefined, there: string) => otherHome(node(name, home), there);
  expect(why("attic", "cellar", "cellar")).toBeUndefined();
  expect(why("attic", undefined, "")).toBeUndefined();
  expect(why("attic", "attic", "cellar")).toBeUndefined();
  expect(why("cellar", "cellar", "")).toBeUndefined();
  expect(why("cellar", undefined, "cellar")).toBeUndefined();
  expect(why("attic", undefined, "cellar")).toContain("set fleet.home to cellar here");
  expect(why("attic", "cellar", "")).toContain("remove fleet.home here");
  expect(why("attic", "barn", "cellar")).toContain("on cellar");
});

it("the home is back when it could lead for the whole time, without a pause", () => {
  const watch = new HomeWatch();
  expect(watch.isBack(true, 0)).toBe(false);
  expect(watch.isBack(true, homeBackMs - 1)).toBe(false);
  expect(watch.isBack(false, homeBackMs)).toBe(false);
  expect(watch.isBack(true, homeBackMs + 1)).toBe(false);
  expect(watch.isBack(true, 2 * homeBackMs + 1)).toBe(true);
});
