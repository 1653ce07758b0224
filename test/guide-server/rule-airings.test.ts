import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type GuideStore, openGuideStore } from "../../src/guide-server/data/store.ts";
import { type Account, put, type Rule as StoredRule } from "../../src/guide-server/data/tables.ts";
import { expansionInput } from "../../src/guide-server/domain/expand-device.ts";
import { airingsOfDevice } from "../../src/guide-server/domain/kept-search.ts";
import { compiledRule } from "../../src/guide-server/domain/ordering-rules.ts";
import { expandedSpan, searchAirings } from "../../src/guide-server/domain/rule-airings.ts";
import { previewRule } from "../../src/guide-server/domain/rule-preview.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { accepted } from "../../src/guide-server/refusal.ts";
import { settleAccount } from "../../src/guide-server/settle.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Rule } from "../../src/model/rule.ts";
import { runToEnd } from "../../src/model/steps.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { type CompiledRule, compileRule } from "../../src/rules/compiled-rule.ts";
import { episodeOf } from "../../src/rules/episode.ts";
import { expand } from "../../src/rules/expansion.ts";
import { wordsOf } from "../../src/rules/fold.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { matchesOf } from "../../src/rules/outcome.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";
import type { WantingRules } from "../../src/rules/wanting-rules.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { HD_CHANNELS, NOW, rules, shows, ZONE } from "../rules/generated-guide.ts";
import type { ReferenceShow } from "../rules/reference.ts";

const ACCOUNT: Account = { id: "1", email: "a@x", regionId: 1, createdAt: 0 };

/** A store with these shows on five channels, and a device. */
async function withStore<T>(
  guide: readonly ReferenceShow[],
  work: (store: GuideStore, stored: ReturnType<typeof storedShows>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-rules-"));
  try {
    await using store = await openGuideStore(folder, silentLog);
    const stored = storedShows(guide);
    store.shows.put(stored);
    const channels = [1, 2, 3, 4, 5].map((id) =>
      put("channels", { id, name: "", region_id: 1, is_hd: HD_CHANNELS.includes(id) ? 1 : 0 }),
    );
    await store.commitShared(() => ({
      changes: [
        put("regions", { id: 1, name: "Home", timezone: ZONE }),
        put("accounts", ACCOUNT),
        put("devices", { id: 1, accountId: "1", uid: "", label: "Lounge", typeId: 1 }),
        ...channels,
      ],
      value: undefined,
    }));
    return await work(store, stored);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function storedShows(guide: readonly ReferenceShow[]) {
  return guide.map(({ category, episodeId, ...show }) => ({
    ...show,
    // An episode of two series would be found in one only.
    episodeId: episodeId.startsWith("crid:") ? `${episodeId}/${show.seriesId}` : episodeId,
    category: category.map((one) => ({ ...one })),
    ...{ eitId: 1, rating: "", date: "", updatedAt: NOW },
  }));
}

function setOf(compiled: readonly CompiledRule[]): RuleSet {
  return new RuleSet(compiled, localTimeIn(ZONE));
}

function compiled({ id, createdAt, name: _name, deviceId: _device, ...order }: Rule): CompiledRule {
  return compileRule({ ...order, kind: "rule", id, createdAt, wants: order });
}

/** A search that looks up what it finds, and one that goes through the guide day by day. */
const WAYS = [
  { seriesLookedUp: 1000, showsLookedUp: 1000 },
  { seriesLookedUp: 0, showsLookedUp: 1 },
];

it("finds every show that a rule wants by the indexes, as if it had read all shows", async () => {
  await fc.assert(
    fc.asyncProperty(shows, rules, fc.constantFrom(...WAYS), async (guide, some, way) => {
      await withStore(guide, async (store, stored) => {
        const span = { startFrom: NOW - DAY, startBefore: NOW + 28 * DAY };
        const set = () => setOf(some.map(compiled));
        const found = await searchAirings(store.catalogue, { rules: set(), timers: [], ...span, ...way });
        const isHd = (channelId: number) => HD_CHANNELS.includes(channelId);
        const expected = stored
          .filter(
            ({ start, gone }) => gone === undefined && start >= span.startFrom && start < span.startBefore,
          )
          .map((show) => ({
            id: show.id,
            by: set().wanting({ show, isHd: isHd(show.channelId), networkId: 0 }),
          }))
          .filter(({ by }) => by.length > 0);
        const idsOf = (by: WantingRules) =>
          some.map(({ id }) => id).filter((id) => by.some((one) => one.id === id));
        const wanted = found
          .filter(({ show }) => show.start >= span.startFrom)
          .map(({ show, rules: by }) => ({ id: show.id, by: idsOf(by), first: by.find(() => true)?.id }))
          .filter(({ by }) => by.length > 0);
        expect(new Map(wanted.map(({ id, ...rest }) => [id, rest]))).toEqual(
          new Map(expected.map(({ id, by }) => [id, { by: idsOf(by), first: by[0]?.id }])),
        );
      });
    }),
    { numRuns: casesOf({ sample: 8, all: 200 }) },
  );
});

/** The shows that any rule wants, with all of those rules. */
function wantedBy(found: Awaited<ReturnType<typeof searchAirings>>, among: readonly StoredRule[]) {
  const byShow = found.map(({ show, rules: by }) => {
    const ids = among.map(({ id }) => id).filter((id) => by.some((one) => one.id === id));
    return [show.id, { ids, first: by.find(() => true)?.id }] as const;
  });
  return new Map(byShow.filter(([, { ids }]) => ids.length > 0));
}

it("knows every rule that wants another airing of an episode, also one beyond the limit, and after a change", async () => {
  const crime = (id: number, after: number, episodeId: string): ReferenceShow => ({
    ...{ id, channelId: 1, seriesId: "10", episodeId, start: NOW + after * HOUR, durationMinutes: 45 },
    ...{ title: "Küchen-Duell", subtitle: "", desc: "", category: [{ name: "Krimi" }] },
  });
  const guide = [crime(1, 1, ""), crime(2, 2, "10 s1e3"), crime(3, 5, "10 s1e3")];
  const about = { quality: "Prefer HD", createdAt: NOW, deviceId: 1, name: "" } as const;
  const byGenre = storedRule({ ...about, id: 1, genres: ["krimi"] });
  const newOnly = storedRule({ ...about, id: 2, words: "duell", within: "all", newOnly: true });
  const another = storedRule({ ...about, id: 3, words: "absent" });
  await withStore(guide, async (store) => {
    const order = { account: ACCOUNT, deviceId: 1, timers: [], now: NOW, wantedMax: 2 };
    const all = [byGenre, newOnly];
    for (const rules of [all, [another, newOnly], all]) {
      const found = await airingsOfDevice(store.catalogue, store.news, { ...order, rules });
      const expected = rules.filter(({ id }) => id !== another.id).map(({ id }) => id);
      expect(wantedBy(found, rules).get(3)?.ids).toEqual(expected);
    }
  });
});

it("finds the same after a change of rules as a search for all of them, and reads less", async () => {
  let [all, few] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      shows,
      rules,
      rules,
      fc.constantFrom(3, 10, 1000),
      async (guide, some, [other], wantedMax) => {
        await withStore(guide, async (store, stored) => {
          let read = 0;
          const several = (ids: readonly number[]) => {
            read += ids.length;
            return store.shows.several(ids);
          };
          const tables = { ...store.catalogue, shows: { ...store.shows, several } };
          const search = async (current: readonly StoredRule[]) => {
            const device = { account: ACCOUNT, deviceId: 1, timers: [], now: NOW, wantedMax };
            return wantedBy(
              await airingsOfDevice(tables, store.news, { ...device, rules: current }),
              current,
            );
          };
          const anew = async (current: readonly StoredRule[]) => {
            const order = {
              rules: setOf(current.map(compiledRule)),
              timers: [],
              wantedMax,
              ...expandedSpan(NOW),
            };
            return wantedBy(await searchAirings(store.catalogue, order), current);
          };
          const before = some.map(storedRule);
          expect(await search(before)).toEqual(await anew(before));
          all += read;
          read = 0;
          const replaced = other === undefined ? [] : [storedRule({ ...other, id: 77 })];
          for (const current of [before.toSpliced(0, 1, ...replaced), before]) {
            expect(await search(current)).toEqual(await anew(current));
            few += read / 2;
            read = 0;
          }
          const [moved] = stored;
          if (moved !== undefined) await store.shows.put([{ ...moved, start: moved.start + DAY }]);
          expect(await search(before)).toEqual(await anew(before));
        });
      },
    ),
    { numRuns: casesOf({ sample: 10, all: 200 }) },
  );
  expect(few).toBeLessThan(all * 0.8);
});

it("reads no show with a word that its only rule does not want", async () => {
  await fc.assert(
    fc.asyncProperty(shows, fc.constantFrom(...WAYS), async (guide, way) => {
      await withStore(guide, async (store, stored) => {
        const read: number[] = [];
        const several = (ids: readonly number[]) => {
          read.push(...ids);
          return store.shows.several(ids);
        };
        const [first = ""] = wordsOf(stored[0]?.title ?? "");
        const [second = ""] = wordsOf(stored[1]?.title ?? "");
        const order = { words: first, without: second, within: "all" as const };
        const rule = compileRule({
          ...{ kind: "rule", id: 1, createdAt: 0, quality: "Prefer HD", ...order },
          wants: order,
        });
        const span = { startFrom: NOW - DAY, startBefore: NOW + 28 * DAY };
        const tables = { ...store.catalogue, shows: { ...store.shows, several } };
        await searchAirings(tables, { rules: setOf([rule]), timers: [], ...span, ...way });
        const texts = new Map(
          stored.map(({ id, title, subtitle, desc }) => [id, wordsOf(`${title} ${subtitle} ${desc}`)]),
        );
        expect(read.filter((id) => texts.get(id)?.includes(second))).toEqual([]);
      });
    }),
    { numRuns: casesOf({ sample: 8, all: 100 }) },
  );
});

it("previews a rule beside others and their timers, as if it had read all shows", async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(shows, rules, rules, fc.boolean(), async (guide, others, [previewed], isSettled) => {
      await withStore(guide, async (store, stored) => {
        if (previewed === undefined) return;
        const tables = await store.of(ACCOUNT.id);
        // A rule that takes other airings of the same episodes.
        const { channelIds: _channels, weekdays: _days, between: _hours, ...twin } = { ...previewed, id: 99 };
        await store.commit(ACCOUNT.id, () => ({
          changes: [...others, twin].map((rule) => put("rules", storedRule(rule))),
          value: undefined,
        }));
        if (isSettled) await settleAccount(store, { account: ACCOUNT, tables, now: NOW });
        const { id: _id, createdAt: _at, name, deviceId: _device, isPaused: _paused, ...wants } = previewed;
        const order = { ...wants, name };
        const found = accepted(
          await previewRule(tables, ACCOUNT, {
            placed: { order, deviceId: 1 },
            replaces: undefined,
            now: NOW,
          }),
        );

        const rule = compiled({ ...order, id: Number.MAX_SAFE_INTEGER, createdAt: NOW, deviceId: 1 });
        const set = setOf([...[...tables.rules.values()].map(compiledRule), rule]);
        const ordered = new Set([...tables.timers.values()].map(({ showId }) => showId));
        const airings = stored
          .filter(({ id, start }) => start < NOW + SERVER_LIMITS.previewMs || ordered.has(id))
          .map((show) => {
            const place = { isHd: HD_CHANNELS.includes(show.channelId), networkId: 0 };
            return { show, episode: episodeOf(show), ...place, rules: set.wanting({ show, ...place }) };
          });
        const input = expansionInput(tables, { deviceId: 1, airings, now: NOW });
        const withinMs = SERVER_LIMITS.previewMs;
        const expected = runToEnd(
          matchesOf({
            rule: rule.rule,
            input,
            expansion: expand(input),
            withinMs,
            listedMax: 1000,
            room: 1000,
          }),
        );
        expect(found).toEqual(expected);
        seen += expected.total;
      });
    }),
    { numRuns: casesOf({ sample: 25, all: 400 }) },
  );
  expect(seen).toBeGreaterThan(40);
});

it("a preview of too many shows says until when it has counted", async () => {
  const count = SERVER_LIMITS.airingsPreviewed + 100;
  const guide = Array.from({ length: count }, (_, index) => ({
    ...{ id: index, channelId: 1 + (index % 5), seriesId: "", episodeId: "", title: "Tide", subtitle: "" },
    ...{ desc: "", category: [], durationMinutes: 5, start: NOW + MINUTE * (1 + index) },
  }));
  await withStore(guide, async (store) => {
    const preview = async (words: string) =>
      accepted(
        await previewRule(await store.of(ACCOUNT.id), ACCOUNT, {
          placed: { order: { name: "Any", words, quality: "Prefer HD" }, deviceId: 1 },
          replaces: undefined,
          now: NOW,
        }),
      );
    const many = await preview("tide");
    expect(many.countedUntil).toBe(NOW + MINUTE * SERVER_LIMITS.airingsPreviewed);
    expect(many).toMatchObject({ total: SERVER_LIMITS.airingsPreviewed - 1, records: many.total });
    expect((await preview("ebb")).countedUntil).toBeUndefined();
  });
});

function storedRule({ id, createdAt, deviceId, quality, ...order }: Rule): StoredRule {
  return { id, accountId: ACCOUNT.id, deviceId, quality, createdAt, wants: { kind: "rule", order } };
}
