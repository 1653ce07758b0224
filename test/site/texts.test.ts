import { describe, expect, it } from "vitest";
import { latestAnnouncements } from "../../src/site/announcements.ts";
import { SiteIndex } from "../../src/site/documents.ts";
import { authorizationEndpointOf, collectionsOf, redirectRouteOf } from "../../src/site/index-facts.ts";
import { SITE_LIMITS } from "../../src/site/limits.ts";
import { lineOfHtml, oneLine } from "../../src/site/plain-text.ts";
import { rejection, signal } from "../guide-wire/loopback.ts";
import { fc } from "../properties.ts";
import { openSite } from "./site.ts";

describe("texts of the site", () => {
  it.each([
    ["Tom &amp; Jerry&#8217;s &#x1F600;", "Tom & Jerry’s 😀"],
    ["<em>New</em>: <a href='x'>series</a><br/>today", "New: seriestoday"],
    ["a &lt;b&gt; c", "a <b> c"],
    ["1 < 2 &unknown; &#0; &#xD800; &#9999999;", "1 < 2 &unknown; \ufffd \ufffd \ufffd"],
    ["  two\n\n lines\t&nbsp;here ", "two lines here"],
    ["red \u001b[31m and \u009b31m, &#27;[0m", "red [31m and 31m, [0m"],
    ["\u202etxt.exe\u2066x\u2069", "txt.exe x"],
    ["مرحبا 👩‍👩‍👧", "مرحبا 👩‍👩‍👧"],
  ])("%j is shown as %j", (html, shown) => {
    expect(lineOfHtml(html)).toBe(shown);
  });

  it("contain no control sequences, and stay short", () => {
    const harmless = (text: string) => !/\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u.test(text);
    const Text = fc.string({
      minLength: 100,
      maxLength: 400,
      unit: fc.oneof(fc.constantFrom("\u001b", "\u009b", "&#27;", "<", "\u202e", "\n"), fc.string()),
    });
    fc.assert(
      fc.property(Text, (text) => {
        const shown = [oneLine(text), lineOfHtml(text)];
        return shown.every((line) => harmless(line) && [...line].length <= SITE_LIMITS.textLength);
      }),
    );
  });

  it("are processed quickly, however long", () => {
    for (const part of ["<", "<a", "&#", "&", " ", "\u001b"]) {
      expect([...lineOfHtml(part.repeat(4_000_000))].length).toBeLessThanOrEqual(200);
    }
  });
});

describe("the index of the site", () => {
  it("names collections, the place to create application passwords, and the list of redirections", async () => {
    await using site = await openSite();
    const index = await site.guest.index(signal);
    expect(collectionsOf(index)).toEqual([
      { name: "posts", methods: ["GET", "POST"], paged: true },
      { name: "media", methods: ["GET", "POST"], paged: true },
    ]);
    expect(authorizationEndpointOf(index)).toBe(
      `${site.server.content.url}/wp-admin/authorize-application.php`,
    );
    expect(redirectRouteOf(index)).toEqual(["redirection", "v1", "redirect"]);
  });

  it("may be nearly empty, with lists in place of objects", () => {
    const index = SiteIndex.parse({ namespaces: [], authentication: [], routes: [] });
    expect(collectionsOf(index)).toEqual([]);
    expect(authorizationEndpointOf(index)).toBeUndefined();
    expect(() => redirectRouteOf(index)).toThrow(expect.objectContaining({ code: "SITE_NOT_FOUND" }));
  });

  it("may have a later version of its redirections", () => {
    const routes = {
      "/redirection/v1/redirect/(?P<id>[\\d]+)": { methods: ["GET"] },
      "/redirection/v2/redirect": { namespace: "redirection/v2", methods: ["GET", "POST"] },
    };
    const index = SiteIndex.parse({ namespaces: [], routes });
    expect(redirectRouteOf(index)).toEqual(["redirection", "v2", "redirect"]);
  });

  it("cannot contain an address outside the web", () => {
    const authorization = "javascript:alert(1)";
    const authentication = { "application-passwords": { endpoints: { authorization } } };
    expect(
      authorizationEndpointOf(SiteIndex.parse({ namespaces: [], authentication, routes: {} })),
    ).toBeUndefined();
  });
});

describe("announcements", () => {
  it("are the newest posts, newest first, as plain data", async () => {
    await using site = await openSite();
    const { url } = site.server.content;
    const title = "Guide &amp; recorder\u001b[2J <b>news</b>";
    const posts = [
      ...(site.server.content.collections["posts"] ?? []),
      { id: 30, title, date: "2026-11-19T18:30:00" },
    ];
    site.server.content.collections = { posts };
    const found = await latestAnnouncements(site.guest, 2, signal);
    expect(found).toEqual([
      {
        id: "30",
        title: "Guide & recorder [2J news",
        at: Date.UTC(2026, 10, 19, 18, 30),
        link: `${url}/posts/30/`,
      },
      { id: "25", title: "News 25", at: Date.UTC(2026, 0, 1, 0, 25), link: `${url}/posts/25/` },
    ]);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  it.each([0, 101, 1.5])("cannot be %d", async (count) => {
    await using site = await openSite();
    await expect(latestAnnouncements(site.guest, count, signal)).rejects.toMatchObject({
      code: "SITE_PARAMETER_INVALID",
    });
  });

  it.each([
    { date_gmt: "yesterday" },
    { date_gmt: null },
    { link: "javascript:alert(1)" },
    { title: "no object" },
  ])("with %j are SITE_ANSWER_INVALID", async (wrong) => {
    const post = {
      id: 1,
      title: { rendered: "x" },
      date_gmt: "2026-01-01T00:00:00",
      link: "https://example.org/1",
    };
    const list = () => Promise.resolve({ items: [{ ...post, ...wrong }] });
    expect(await rejection(latestAnnouncements({ list }, 1, signal))).toMatchObject({
      code: "SITE_ANSWER_INVALID",
    });
  });
});
