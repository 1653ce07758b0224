import { describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { createSiteClient } from "../../src/site/client.ts";
import { SITE_LIMITS } from "../../src/site/limits.ts";
import { walk } from "../../src/site/walk.ts";
import { type Answering, loopback, NOW, rejection, signal } from "../guide-wire/loopback.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { all, entries, openSite, range, redirectsOf } from "./site.ts";

const posts = { collection: "posts" } as const;

async function idsOf(pages: AsyncIterable<{ readonly items: readonly { readonly id: number | string }[] }>) {
  return (await all(pages)).flatMap(({ items }) => items.map(({ id }) => id));
}

/** The pages of a site that answers as told, from the client that people use. */
async function walked(answering: Answering, per_page: number) {
  await using server = await loopback(answering);
  await using http = createHttpClient();
  const client = createSiteClient({ siteUrl: server.origin, http, clock: createVirtualClock(NOW) });
  const ids = await idsOf(client.walk({ ...posts, query: { per_page } }, signal));
  return { ids, requests: server.seen.length };
}

describe("reading a whole list", () => {
  it.each([1, 7, 10, 24, 25, 26, 100])(
    "reads it to its end, %i at a time, each entry once",
    async (per_page) => {
      await using site = await openSite();
      const ids = await idsOf(site.guest.walk({ ...posts, query: { per_page } }, signal));
      expect(ids).toEqual(range(1, 25).toReversed());
      expect(site.server.requests).toHaveLength(Math.ceil(25 / per_page));
    },
  );

  it("starts at the given page or offset", async () => {
    await using site = await openSite();
    const ids = (query: object) =>
      idsOf(site.guest.walk({ ...posts, query: { order: "asc", ...query } }, signal));
    expect(await ids({ page: 3 })).toEqual(range(21, 25));
    expect(await ids({ offset: 4, per_page: 9 })).toEqual(range(5, 25));
    expect(site.server.requests.slice(1)).toEqual([
      "GET /wp-json/wp/v2/posts?order=asc&offset=4&per_page=9",
      "GET /wp-json/wp/v2/posts?order=asc&offset=13&per_page=9",
      "GET /wp-json/wp/v2/posts?order=asc&offset=22&per_page=9",
    ]);
  });

  it("keeps the search terms", async () => {
    await using site = await openSite();
    const query = { search: "news 1", per_page: 5 };
    expect(await idsOf(site.guest.walk({ ...posts, query }, signal))).toEqual([
      ...range(10, 19).toReversed(),
      1,
    ]);
  });

  it("gives one empty page if there is no entry", async () => {
    await using site = await openSite();
    const query = { search: "nothing like it" };
    expect(await all(site.guest.walk({ ...posts, query }, signal))).toEqual([
      { items: [], total: 0, totalPages: 0 },
    ]);
  });

  it("reports the site's message for a missing first page", async () => {
    await using site = await openSite();
    const error = await rejection(all(site.guest.walk({ ...posts, query: { page: 4 } }, signal)));
    expect(error).toMatchObject({
      code: "SITE_REFUSED",
      facts: { siteCode: "rest_post_invalid_page_number" },
    });
  });

  it("follows the total in the body for redirections, whose first page is 0", async () => {
    await using site = await openSite();
    const ids = await idsOf(site.editor.walkRedirects({ direction: "asc" }, signal));
    expect(ids).toEqual(range(1, 60));
    expect(site.server.requests).toEqual([
      "GET /wp-json",
      ...[0, 1, 2].map(
        (page) => `GET /wp-json/redirection/v1/redirect?direction=asc&page=${page}&per_page=25`,
      ),
    ]);
  });

  it("gives each entry once if others are added meanwhile", async () => {
    await using site = await openSite();
    const ids: unknown[] = [];
    for await (const { items } of site.guest.walk({ ...posts, query: { per_page: 5 } }, signal)) {
      ids.push(...items.map(({ id }) => id));
      const now = site.server.content.collections["posts"] ?? [];
      if (now.length < 34) site.server.content.collections = { posts: entries(range(1, now.length + 3)) };
    }
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(range(1, 25).toReversed());
  });

  it("misses no remaining entry if others are deleted meanwhile", async () => {
    await using site = await openSite();
    const ids: unknown[] = [];
    for await (const { items } of site.guest.walk({ ...posts, query: { per_page: 5 } }, signal)) {
      ids.push(...items.map(({ id }) => id));
      // The entries that were just read are deleted: everything behind moves up into pages already read.
      if (ids.length === 10) site.server.content.collections = { posts: entries(range(1, 15)) };
    }
    expect(ids).toEqual(range(1, 25).toReversed());
  });

  it("goes back if the next page no longer exists", async () => {
    await using site = await openSite();
    const ids: unknown[] = [];
    for await (const { items } of site.guest.walk({ ...posts, query: { per_page: 10 } }, signal)) {
      ids.push(...items.map(({ id }) => id));
      if (ids.length === 20) site.server.content.collections = { posts: entries(range(1, 8)) };
    }
    expect(ids).toEqual([...range(6, 25).toReversed(), 5, 4, 3, 2, 1]);
    expect(site.server.requests.map((line) => /[?&]page=(\d)/.exec(line)?.[1])).toEqual([
      "1",
      "2",
      "3",
      "2",
      "1",
    ]);
  });

  it("follows added and deleted redirections, too", async () => {
    await using site = await openSite();
    const ids: unknown[] = [];
    for await (const { items } of site.editor.walkRedirects({ direction: "asc", per_page: 20 }, signal)) {
      if (ids.length === 0) site.server.content.redirects = redirectsOf([...range(16, 60), 61]);
      ids.push(...items.map(({ id }) => id));
    }
    expect(ids).toEqual(range(1, 61));
  });

  it("ends at the number of pages if the site gives no total", async () => {
    const { ids, requests } = await walked(({ query }, response) => {
      response.setHeader("x-wp-totalpages", "3");
      response.end(JSON.stringify([{ id: Number(query["page"]) }]));
    }, 5);
    expect(ids).toEqual([1, 2, 3]);
    expect(requests).toBe(3);
  });

  it("ends at a short page if the site gives no totals, or nonsense", async () => {
    const { ids } = await walked(({ query }, response) => {
      response.setHeader("x-wp-total", "many");
      const page = Number(query["page"]);
      response.end(JSON.stringify(page < 3 ? [{ id: `${page}a` }, { id: `${page}b` }] : [{ id: "3a" }]));
    }, 2);
    expect(ids).toEqual(["1a", "1b", "2a", "2b", "3a"]);
  });

  it("ends if the site refuses the next page although its total promised more", async () => {
    const { ids, requests } = await walked(({ query }, response) => {
      const page = Number(query["page"]);
      response.setHeader("x-wp-total", "100");
      response.statusCode = page > 2 ? 400 : 200;
      const refused = { code: "rest_post_invalid_page_number", message: "No", data: { status: 400 } };
      response.end(JSON.stringify(page > 2 ? refused : [{ id: page }]));
    }, 1);
    expect(ids).toEqual([1, 2]);
    expect(requests).toBe(8);
  });

  it("ends if the site refuses the page after a full one and gives no totals", async () => {
    const { ids, requests } = await walked(({ query }, response) => {
      const page = Number(query["page"]);
      response.statusCode = page > 2 ? 400 : 200;
      const refused = { code: "rest_post_invalid_page_number", message: "No", data: { status: 400 } };
      response.end(JSON.stringify(page > 2 ? refused : [{ id: page }]));
    }, 1);
    expect(ids).toEqual([1, 2]);
    expect(requests).toBe(4);
  });

  it("finds the rest of a list that lost nearly everything and grew again", async () => {
    let list = range(1, 10);
    const pageAt = async (skip: number) => {
      if (skip === 8 && list[0] === 1) list = [9, 10];
      const found = list.slice(skip, skip + 1);
      if (skip === 2 && list.length === 2) list = [...range(11, 18), 9, 10];
      return found.length === 0 ? undefined : { items: found.map((id) => ({ id })), total: list.length };
    };
    expect(await idsOf(walk({ skip: 0, perPage: 1, pageAt }))).toEqual([
      ...range(1, 8),
      ...range(12, 18),
      9,
      10,
    ]);
  });

  it("stops after a limited number of requests if there is no end", async () => {
    let next = 0;
    const pageAt = async () => {
      next += 1;
      return { items: [{ id: next }], total: next + 5 };
    };
    const error = await rejection(all(walk({ skip: 0, perPage: 1, pageAt })));
    expect(error).toMatchObject({ code: "SITE_LIST_TOO_LONG", remedy: "give-up" });
    expect(next).toBe(SITE_LIMITS.listRequests);
  });

  it("gives every remaining entry exactly once, and ends, whatever else is added or deleted", async () => {
    // New entries come first, as they do on a site; those that go may be anywhere.
    const Gone = fc.record({
      after: fc.nat(7),
      ids: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 15 }),
    });
    const Come = fc.array(fc.nat(3), { maxLength: 8 });
    const Goings = fc.array(Gone, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(Come, Goings, fc.integer({ min: 1, max: 12 }), async (come, goings, perPage) => {
        let list = range(1, 40).map((id) => ({ id }));
        let requests = 0;
        let fresh = 100;
        const gone = new Set(goings.flatMap(({ ids }) => ids));
        const pageAt = async (skip: number) => {
          const page = { items: list.slice(skip, skip + perPage), total: list.length };
          const going = goings.filter(({ after }) => after === requests).flatMap(({ ids }) => ids);
          const coming = range(1, come[requests] ?? 0).map((count) => ({ id: fresh + count }));
          list = [...coming, ...list.filter(({ id }) => !going.includes(id))];
          fresh += coming.length;
          requests += 1;
          return skip > 0 && page.items.length === 0 ? undefined : page;
        };
        const ids = await idsOf(walk({ skip: 0, perPage, pageAt }));
        return (
          ids.length === new Set(ids).size && range(1, 40).every((id) => gone.has(id) || ids.includes(id))
        );
      }),
      { numRuns: casesOf({ sample: 300, all: 1000 }) },
    );
  });
});
