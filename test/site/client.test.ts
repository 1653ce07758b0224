import { describe, expect, it } from "vitest";
import type { Batch, CollectionQuery, RedirectsQuery } from "../../src/site/parameters.ts";
import { rejection, signal } from "../guide-wire/loopback.ts";
import { all, entries, openSite, range } from "./site.ts";

const posts = { collection: "posts" } as const;

/** Documented limits, and beside each what lies just within and just beyond. */
const COLLECTION_LIMITS: readonly [string, readonly unknown[], readonly unknown[]][] = [
  ["page", [1, 3], [0, -1, 1.5, "1", Number.NaN]],
  ["per_page", [1, 10, 100], [0, 101, 2.5, Number.POSITIVE_INFINITY]],
  ["order", ["asc", "desc"], ["ASC", "up", ""]],
  ["orderby", ["date", "id", "title"], ["", "a b", "date;drop", "x".repeat(65)]],
  ["search", ["News", "x".repeat(200)], ["", "x".repeat(201), 7]],
  ["include", [[1], range(1, 500)], [[], [0], [1.5], range(1, 501), 1]],
  ["exclude", [[1], range(1, 500)], [[], [-3], range(1, 501)]],
  ["offset", [0, 24], [-1, 0.5]],
  ["context", ["view", "embed"], ["full", ""]],
];

const REDIRECT_LIMITS: readonly [string, readonly unknown[], readonly unknown[]][] = [
  ["page", [0, 2], [-1, 0.5]],
  ["per_page", [5, 25, 200], [4, 201, 0]],
  ["direction", ["asc", "desc"], ["down"]],
  ["orderby", ["id", "last_count"], ["", "a-b"]],
];

describe("the client of the content site", () => {
  describe.each(COLLECTION_LIMITS)("sends a collection request by %s", (name, within, beyond) => {
    it.each(within.map((value) => ({ value })))("$value", async ({ value }) => {
      await using site = await openSite();
      const query = { per_page: 3, [name]: value } as CollectionQuery;
      const page = await site.guest.list({ ...posts, query }, signal);
      expect(page.totalPages).toBe(Math.ceil((page.total ?? 0) / Number(name === "per_page" ? value : 3)));
      expect(site.server.requests).toHaveLength(1);
    });

    it.each(beyond.map((value) => ({ value })))("but not $value, without a request", async ({ value }) => {
      await using site = await openSite();
      const query = { [name]: value } as CollectionQuery;
      const single = await rejection(site.guest.list({ ...posts, query }, signal));
      const walked = await rejection(all(site.guest.walk({ ...posts, query }, signal)));
      for (const error of [single, walked]) {
        expect(error).toMatchObject({ code: "SITE_PARAMETER_INVALID", remedy: "give-up" });
        expect(String(error)).toMatch(
          new RegExp(`Nothing was sent to the content site: ${name}(\\.\\d)? must be`),
        );
      }
      expect(site.server.requests).toEqual([]);
    });
  });

  describe.each(REDIRECT_LIMITS)("sends a redirections request by %s", (name, within, beyond) => {
    it.each(within.map((value) => ({ value })))("$value", async ({ value }) => {
      await using site = await openSite();
      const { total, items } = await site.editor.redirects({ [name]: value } as RedirectsQuery, signal);
      expect(total).toBe(60);
      expect(items.length).toBeGreaterThan(0);
    });

    it.each(beyond.map((value) => ({ value })))("but not $value, without a request", async ({ value }) => {
      await using site = await openSite();
      const query = { [name]: value } as RedirectsQuery;
      const error = await rejection(site.editor.redirects(query, signal));
      const walked = await rejection(all(site.editor.walkRedirects(query, signal)));
      expect(error).toMatchObject({ code: "SITE_PARAMETER_INVALID", facts: { parameter: name } });
      expect(walked).toMatchObject({ code: "SITE_PARAMETER_INVALID", facts: { parameter: name } });
      expect(site.server.requests).toEqual([]);
    });
  });

  it("requests page 1 with 10 entries, newest first, by default", async () => {
    await using site = await openSite();
    const page = await site.guest.list(posts, signal);
    expect(page.items.map(({ id }) => id)).toEqual(range(16, 25).toReversed());
    expect(page).toMatchObject({ total: 25, totalPages: 3 });
    expect(site.server.requests).toEqual(["GET /wp-json/wp/v2/posts?page=1&per_page=10"]);
  });

  it("passes on the requested parameters", async () => {
    await using site = await openSite();
    const ids = async (query: CollectionQuery) =>
      (await site.guest.list({ ...posts, query }, signal)).items.map(({ id }) => id);
    expect(await ids({ order: "asc", orderby: "id", per_page: 2, page: 2 })).toEqual([3, 4]);
    expect(await ids({ include: [3, 5, 8], exclude: [5] })).toEqual([8, 3]);
    expect(await ids({ search: "news 21" })).toEqual([21]);
    expect(await ids({ offset: 23 })).toEqual([2, 1]);
  });

  it.each(["", "..", "posts/1", "posts?x=1", "../../wp-admin", "x".repeat(101)])(
    "refuses the collection %j and an identifier of that form",
    async (name) => {
      await using site = await openSite();
      const bad = [
        site.guest.list({ collection: name }, signal),
        site.guest.item({ collection: name, id: "1" }, signal),
        site.guest.item({ ...posts, id: name }, signal),
        site.editor.remove({ ...posts, id: name, force: true }, signal),
      ];
      for (const work of bad) await expect(work).rejects.toMatchObject({ code: "SITE_PARAMETER_INVALID" });
      expect(site.server.requests).toEqual([]);
    },
  );

  it("gets one entry", async () => {
    await using site = await openSite();
    expect(await site.guest.item({ ...posts, id: "7" }, signal)).toMatchObject({ id: 7, status: "publish" });
    await expect(site.guest.item({ ...posts, id: "99" }, signal)).rejects.toMatchObject({
      code: "SITE_NOT_FOUND",
      facts: { status: 404, siteCode: "rest_post_invalid_id", endpoint: "wp/v2/posts/99" },
    });
  });

  it("moves to the trash, or deletes with force", async () => {
    await using site = await openSite();
    expect(await site.editor.remove({ ...posts, id: "7" }, signal)).toMatchObject({ id: 7, status: "trash" });
    await expect(site.editor.remove({ ...posts, id: "7" }, signal)).rejects.toMatchObject({
      code: "SITE_NOT_FOUND",
      facts: { siteCode: "rest_already_trashed" },
    });
    const gone = await site.editor.remove({ ...posts, id: "7", force: true }, signal);
    expect(gone).toMatchObject({ deleted: true, previous: { id: 7 } });
    expect(site.server.content.collections["posts"]).toHaveLength(24);
    expect(site.server.requests.at(-1)).toBe("DELETE /wp-json/wp/v2/posts/7?force=true");
    expect(site.server.requests[0]).toBe("DELETE /wp-json/wp/v2/posts/7");
  });

  it("names the remedy if there is no trash", async () => {
    await using site = await openSite();
    const error = await rejection(site.editor.remove({ collection: "media", id: "2" }, signal));
    expect(error).toMatchObject({ code: "SITE_REFUSED", facts: { status: 501 } });
    expect(String(error)).toContain("--force deletes it permanently");
    expect(site.server.content.collections["media"]).toHaveLength(3);
  });

  it("needs credentials for changes, for editing and for redirections", async () => {
    await using site = await openSite();
    const refused = [
      site.guest.remove({ ...posts, id: "7" }, signal),
      site.guest.list({ ...posts, query: { context: "edit" } }, signal),
      site.guest.item({ ...posts, id: "7", query: { context: "edit" } }, signal),
      site.guest.redirects({}, signal),
    ];
    for (const work of refused) {
      const error = await rejection(work);
      expect(error).toMatchObject({ code: "SITE_SIGN_IN_NEEDED", facts: { status: 401 } });
      expect(String(error)).toContain("--credentials");
    }
    await expect(site.editor.list({ ...posts, query: { context: "edit" } }, signal)).resolves.toBeDefined();
  });
});

describe("a batch", () => {
  const rename = (id: number, title: unknown) => ({
    method: "PATCH" as const,
    path: `/wp/v2/posts/${id}`,
    body: { title },
  });

  it("contains all its requests, of every method", async () => {
    await using site = await openSite();
    const requests: Batch["requests"] = [
      { path: "/wp/v2/posts", body: { title: "New", status: "publish" } },
      { method: "PUT", path: "/wp/v2/posts/2", body: { title: "Put" } },
      rename(3, "Patched"),
      { method: "DELETE", path: "/wp/v2/posts/4?force=true", headers: { "x-reason": ["spam", "old"] } },
    ];
    const { responses } = await site.editor.batch({ requests }, signal);
    expect(responses.map((response) => response?.status)).toEqual([201, 200, 200, 200]);
    const titles = site.server.content.collections["posts"]?.slice(1, 3).map(({ title }) => title);
    expect(titles).toEqual(["Put", "Patched"]);
    expect(site.server.content.collections["posts"]?.map(({ id }) => id)).not.toContain(4);
    expect(site.server.requests).toEqual(["POST /wp-json/batch/v1"]);
  });

  it("has at most 25 requests and at least one; others are refused unsent", async () => {
    await using site = await openSite();
    const batch = (count: number): Batch => ({ requests: range(1, count).map((id) => rename(id, "x")) });
    expect((await site.editor.batch(batch(25), signal)).responses).toHaveLength(25);
    for (const count of [0, 26]) {
      await expect(site.editor.batch(batch(count), signal)).rejects.toMatchObject({
        code: "SITE_PARAMETER_INVALID",
        facts: { parameter: "requests" },
      });
    }
    expect(site.server.requests).toHaveLength(1);
  });

  it.each([
    ["requests.0.method", { requests: [{ method: "GET", path: "/wp/v2/posts" }] }],
    ["requests.0.path", { requests: [{ method: "POST" }] }],
    ["requests.0.path", { requests: [{ path: "wp/v2/posts" }] }],
    ["requests.0.path", { requests: [{ path: "//elsewhere.example/wp/v2/posts" }] }],
    ["requests.1.body", { requests: [{ path: "/a" }, { path: "/b", body: "text" }] }],
    ["requests.0.headers.x", { requests: [{ path: "/a", headers: { x: 1 } }] }],
    ["requests.0.url", { requests: [{ path: "/a", url: "/b" }] }],
    ["validation", { validation: "strict", requests: [{ path: "/a" }] }],
    ["requests", {}],
    ["more", { more: 1, requests: [{ path: "/a" }] }],
  ])("is refused for its %s and not sent", async (parameter, batch) => {
    await using site = await openSite();
    await expect(site.editor.batch(batch as Batch, signal)).rejects.toMatchObject({
      code: "SITE_PARAMETER_INVALID",
      facts: { parameter },
    });
    expect(site.server.requests).toEqual([]);
  });

  const mixed = [rename(1, "Renamed"), rename(2, { no: "text" }), { path: "/wp/v2/media/1", body: {} }];

  it("with normal validation carries out the valid requests", async () => {
    await using site = await openSite();
    const { failed, responses } = await site.editor.batch({ requests: mixed }, signal);
    expect(failed).toBeUndefined();
    expect(responses.map((response) => response?.status)).toEqual([200, 400, 400]);
    expect(responses[2]?.body).toMatchObject({ code: "rest_batch_not_allowed" });
    expect(site.server.content.collections["posts"]?.[0]?.title).toBe("Renamed");
  });

  it("with require-all-validate carries out nothing unless all are valid", async () => {
    await using site = await openSite();
    const validation = "require-all-validate";
    const { failed, responses } = await site.editor.batch({ validation, requests: mixed }, signal);
    expect(failed).toBe("validation");
    expect(responses.map((response) => response?.status)).toEqual([undefined, 400, 400]);
    expect(site.server.content.collections["posts"]).toEqual(entries(range(1, 25)));
    const valid = await site.editor.batch({ validation, requests: mixed.slice(0, 1) }, signal);
    expect(valid.responses[0]?.status).toBe(200);
  });

  it("reports forbidden requests individually", async () => {
    await using site = await openSite();
    const { responses } = await site.guest.batch({ requests: [rename(1, "x"), rename(99, "x")] }, signal);
    expect(responses.map((response) => response?.status)).toEqual([401, 404]);
  });
});
