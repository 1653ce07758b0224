import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openGuideStore } from "../../src/guide-server/data/store.ts";
import { searchAirings } from "../../src/guide-server/domain/rule-airings.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY } from "../../src/model/time.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { NOW, rules, shows, ZONE } from "../rules/generated-guide.ts";

it("finds every show that a rule wants by the indexes, as if it had read all shows", async () => {
  await fc.assert(
    fc.asyncProperty(shows, rules, async (guide, some) => {
      const folder = await mkdtemp(join(tmpdir(), "recorderd-rules-"));
      try {
        await using store = await openGuideStore(folder, silentLog);
        const stored = guide.map(({ category, ...show }) => ({
          ...show,
          category: category.map((one) => ({ ...one })),
          ...{ eitId: 1, rating: "", date: "", updatedAt: NOW },
        }));
        store.shows.put(stored);
        const set = () =>
          new RuleSet(
            some.map(({ id, createdAt, name: _name, deviceId: _device, ...order }) =>
              compileRule({ ...order, kind: "rule", id, createdAt, wants: order }),
            ),
            localTimeIn(ZONE),
          );
        const span = { startFrom: NOW - DAY, startBefore: NOW + 28 * DAY };
        const channels = {
          ...store.tables,
          channels: new Map([1, 2, 3, 4, 5].map((id) => [String(id), { id, name: "" }])),
        };
        const found = await searchAirings(channels, { rules: set(), timers: [], ...span });
        const expected = stored
          .filter(
            ({ start, gone }) => gone === undefined && start >= span.startFrom && start < span.startBefore,
          )
          .filter((show) => set().wanting({ show, isHd: false, networkId: 0 }).length > 0);
        const wanted = found.filter(({ show, rules: by }) => by.length > 0 && show.start >= span.startFrom);
        expect(wanted.map(({ show }) => show.id).sort()).toEqual(expected.map(({ id }) => id).sort());
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: casesOf({ sample: 15, all: 200 }) },
  );
});
