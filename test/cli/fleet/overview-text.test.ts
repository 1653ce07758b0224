import { expect, it } from "vitest";
import { overviewText } from "../../../src/cli/fleet/overview-text.ts";
import { SECOND } from "../../../src/model/time.ts";
import type { FleetNode } from "../../../src/recorder/fleet/overview.ts";

const NOW = Date.UTC(2026, 10, 28, 20);

function node(name: string, more: Partial<FleetNode> = {}): FleetNode {
  return {
    ...{ name, version: "1.2.0", role: "standby", since: NOW - 600 * SECOND, seenMs: 200 },
    ...{ isAway: false, isIdle: false, isHome: false, keepsParts: false, tuners: [], captures: [] },
    ...more,
  };
}

const overview = {
  database: "postgres://recorderd@db.example/recorder",
  term: 7,
  nodes: [
    node("attic", {
      role: "leader",
      isHome: true,
      tuners: ["dvb0@attic", "sat"],
      captures: [
        {
          tunerId: "sat",
          title: "A title that is so long that no terminal of eighty columns can show it in one line",
        },
      ],
    }),
    node("cellar", { version: "1.1.9", drainedSince: NOW - 60 * SECOND, tuners: ["dvb0@cellar"] }),
    node("barn", { isAway: true, keepsParts: true, seenMs: 3600 * SECOND, tuners: ["dvb0@barn"] }),
    node("loft", { trouble: "/srv is not mounted." }),
  ],
};

it("recorderd fleet shows who leads, is drained or away and since when, other versions, tuners and recordings", () => {
  const text = overviewText(overview, { now: NOW });
  expect(text).toBe(`postgres://recorderd@db.example/recorder, term 7
attic: leader since 2026-11-28T19:50:00+00:00
  version 1.2.0
  keeps the recordings of the fleet
  tuners: dvb0@attic, sat
  records on sat: A title that is so long that no terminal of eighty columns can
  show it in one line
cellar: drained since 2026-11-28T19:59:00+00:00, not idle yet
  version 1.1.9; the leader has 1.2.0
  tuners: dvb0@cellar
barn: away since 2026-11-28T19:00:00+00:00
  version 1.2.0
  has recordings, or parts of some, that the others have not
  tuners: dvb0@barn
loft: standby since 2026-11-28T19:50:00+00:00
  version 1.2.0
  cannot lead: /srv is not mounted.`);
  for (const columns of [40, 80])
    for (const line of overviewText(overview, { now: NOW, columns }).split("\n"))
      expect(line.length).toBeLessThanOrEqual(columns);
});
