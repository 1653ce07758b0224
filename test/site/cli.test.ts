import { describe, expect, it } from "vitest";
import { rejection } from "../guide-wire/loopback.ts";
import { EDITOR, openFolder, openSite, range, run } from "./site.ts";

/** A site, its address as an option, and a credentials file as another. */
async function open() {
  const site = await openSite();
  const folder = await openFolder();
  return {
    site,
    folder,
    at: ["--site", site.server.content.url],
    signedIn: ["--site", site.server.content.url, "--credentials", await folder.file(JSON.stringify(EDITOR))],
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe("recorderd site", () => {
  it("index lists the site's collections and the place to create application passwords", async () => {
    await using world = await open();
    const { text } = await run("index", ...world.at);
    const { url } = world.site.server.content;
    expect(text.split("\n")).toEqual([
      "name                   Simulated Guide News",
      "description            News of a guide that is not there",
      `address                ${url}`,
      "namespaces             wp/v2, redirection/v1",
      `application passwords  made at ${url}/wp-admin/authorize-application.php`,
      "",
      "collection  read      methods",
      "posts       in pages  GET POST",
      "media       in pages  GET POST",
      "",
    ]);
    expect(JSON.parse((await run("index", ...world.at, "--json")).text)).toMatchObject({
      namespaces: ["wp/v2", "redirection/v1"],
    });
  });

  it("list shows one page as a table, and that more follow", async () => {
    await using world = await open();
    const { text, notes } = await run("list", "posts", "--per-page", "2", "--page", "2", ...world.at);
    const { url } = world.site.server.content;
    expect(text.split("\n")).toEqual([
      "id  date                 status   title    address",
      `23  2026-01-01T00:23:00  publish  News 23  ${url}/posts/23/`,
      `22  2026-01-01T00:22:00  publish  News 22  ${url}/posts/22/`,
      "",
    ]);
    expect(notes).toBe("2 of 25 entries; --all shows all of them.\n");
  });

  it("list sends every parameter under its documented name", async () => {
    await using world = await open();
    const page = ["--page", "2", "--per-page", "5", "--order", "asc", "--orderby", "id"];
    const which = [
      "--search",
      "a b",
      "--include",
      "3,5",
      "--exclude",
      "5",
      "--offset",
      "0",
      "--context",
      "edit",
    ];
    await run("list", "posts", ...page, ...which, ...world.signedIn);
    const [line = ""] = world.site.server.requests;
    expect(Object.fromEntries(new URLSearchParams(line.split("?")[1]))).toEqual({
      ...{ page: "2", per_page: "5", order: "asc", orderby: "id" },
      ...{ search: "a b", include: "3,5", exclude: "5", offset: "0", context: "edit" },
      _fields: "id,date_gmt,date,status,title,name,slug,plugin,stylesheet,link,source_url,url",
    });
  });

  it("list --all reads to the end, in the largest pages", async () => {
    await using world = await open();
    const { text, notes } = await run("list", "posts", "--all", "--json", ...world.at);
    expect(JSON.parse(text)).toMatchObject({
      total: 25,
      items: range(1, 25)
        .toReversed()
        .map((id) => ({ id })),
    });
    expect(notes).toBe("");
    expect(world.site.server.requests).toEqual(["GET /wp-json/wp/v2/posts?page=1&per_page=100"]);
    const small = await run("list", "posts", "--all", "--per-page", "10", ...world.at);
    expect(small.text.trim().split("\n")).toHaveLength(26);
  });

  it("list shows titles without control sequences", async () => {
    await using world = await open();
    const title = "\u001b]0;owned\u0007 &#155;31m <i>x</i>\nnext";
    world.site.server.content.collections = { posts: [{ id: 1, title, date: "2026-01-01T00:00:00" }] };
    for (const args of [["list", "posts"], ["get", "posts", "1"], ["announcements"]]) {
      for (const json of [[], ["--json"]]) {
        const { text } = await run(...args, ...json, ...world.at);
        expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      }
    }
    expect((await run("list", "posts", ...world.at)).text).toContain("]0;owned 31m x next");
  });

  it.each([
    ["list", "posts", "--per-page", "101"],
    ["list", "posts", "--per-page", "0"],
    ["list", "posts", "--page", "0"],
    ["list", "posts", "--page", "-1"],
    ["list", "posts", "--order", "up"],
    ["list", "posts", "--include", "3,0"],
    ["list", "posts", "--offset", "-1"],
    ["list", "posts", "--context", "all"],
    ["list", "posts", "--all", "--per-page", "101"],
    ["list", "../users"],
    ["get", "posts", "1/2"],
    ["get", "posts", "1", "--context", "all"],
    ["delete", "posts", ".."],
    ["redirects", "--per-page", "4"],
    ["redirects", "--per-page", "201"],
    ["redirects", "--page", "-1"],
    ["redirects", "--direction", "up"],
    ["announcements", "--count", "0"],
  ])("%s %s %s %s is refused before any request", async (...args) => {
    await using world = await open();
    const given = args.filter((each) => each !== undefined);
    expect(await rejection(run(...given, ...world.signedIn))).toMatchObject({
      code: "SITE_PARAMETER_INVALID",
    });
    expect(world.site.server.requests).toEqual([]);
  });

  it.each([
    ["list", "posts", "--per-page", "ten"],
    ["list", "posts", "--include", "1,two"],
    ["list", "posts", "--page", "1.5"],
    ["list"],
    ["nothing"],
  ])("%s %s %s %s is an invalid command line", async (...args) => {
    await using world = await open();
    const error = await rejection(run(...args.filter((each) => each !== undefined), ...world.at));
    expect(String(Reflect.get(Object(error), "code"))).toMatch(/^commander\./);
    expect(world.site.server.requests).toEqual([]);
  });

  it("accepts no password on the command line", async () => {
    const { siteCommand } = await import("../../src/cli/site/site.ts");
    const io = { clock: undefined, signal: undefined } as never;
    const flags = siteCommand(io).commands.flatMap(({ options }) => options.map(({ long }) => long));
    expect(flags.filter((flag) => /password|user|token/.test(flag ?? ""))).toEqual([]);
  });

  it("get shows one entry", async () => {
    await using world = await open();
    const { text } = await run("get", "posts", "7", ...world.at);
    expect(text.split("\n")).toContain("title     News 7");
    expect(JSON.parse((await run("get", "posts", "7", "--json", ...world.at)).text)).toMatchObject({ id: 7 });
  });

  it("delete reports the result", async () => {
    await using world = await open();
    expect((await run("delete", "posts", "7", ...world.signedIn)).text).toBe("posts 7: in the trash\n");
    expect((await run("delete", "posts", "7", "--force", ...world.signedIn)).text).toBe(
      "posts 7: deleted permanently\n",
    );
    expect(await rejection(run("delete", "posts", "8", ...world.at))).toMatchObject({
      code: "SITE_SIGN_IN_NEEDED",
    });
    const ids = world.site.server.content.collections["posts"]?.map(({ id }) => id);
    expect(ids).toEqual(range(1, 25).filter((id) => id !== 7));
  });

  it("redirects finds its list in the index", async () => {
    await using world = await open();
    const { text } = await run("redirects", "--direction", "asc", "--per-page", "5", ...world.signedIn);
    const [head, first] = text.split("\n");
    expect(head).toBe("id  from    code  hits  state  to");
    expect(first).toBe("1   /old/1  301   0     on     /new/1");
    const all = JSON.parse((await run("redirects", "--all", "--json", ...world.signedIn)).text);
    expect(all).toMatchObject({ total: 60, items: { length: 60 } });
  });

  const requests = [
    { method: "PATCH", path: "/wp/v2/posts/1", body: { title: "New" } },
    { method: "DELETE", path: "/wp/v2/posts/99" },
  ];

  it("batch sends a file and reports the result of each request", async () => {
    await using world = await open();
    const file = await world.folder.file(JSON.stringify({ requests }), 0o644);
    const { text, code } = await run("batch", file, ...world.signedIn);
    expect(text.split("\n")).toEqual([
      "method  path             status  the site says",
      "PATCH   /wp/v2/posts/1   200",
      "DELETE  /wp/v2/posts/99  404     rest_post_invalid_id: Invalid post ID.",
      "",
    ]);
    expect(code).toBe(1);
    const fine = await world.folder.file(JSON.stringify({ requests: requests.slice(0, 1) }));
    expect((await run("batch", fine, ...world.signedIn, "--json")).code).toBe(0);
  });

  it("batch reports if no request was carried out", async () => {
    await using world = await open();
    const wrong = { method: "PUT", path: "/wp/v2/posts/2", body: { title: 7 } };
    const batch = { validation: "require-all-validate", requests: [...requests, wrong] };
    const { text, code } = await run(
      "batch",
      await world.folder.file(JSON.stringify(batch)),
      ...world.signedIn,
    );
    expect(text).toContain("PATCH   /wp/v2/posts/1           not carried out");
    expect(text).toContain("No request was carried out, as not every request is valid.");
    expect(code).toBe(1);
  });

  it.each([
    ["SITE_PARAMETER_INVALID", "no json"],
    ["SITE_PARAMETER_INVALID", "[]"],
    ["SITE_PARAMETER_INVALID", JSON.stringify({ requests: Array(26).fill(requests[0]) })],
    ["SITE_PARAMETER_INVALID", " ".repeat(16 * 1024 * 1024 + 1)],
  ])("batch gives %s for a file that cannot be sent (%#)", async (code, content) => {
    await using world = await open();
    const file = await world.folder.file(content);
    expect(await rejection(run("batch", file, ...world.signedIn))).toMatchObject({ code });
    expect(await rejection(run("batch", `${file}.not`, ...world.at))).toMatchObject({
      code: "FILE_UNREADABLE",
    });
    expect(world.site.server.requests).toEqual([]);
  });

  it("announcements shows the newest posts with their addresses", async () => {
    await using world = await open();
    const { text } = await run("announcements", "--count", "1", ...world.at);
    const { url } = world.site.server.content;
    expect(text).toBe(`2026-01-01T00:25:00+00:00  News 25\n    ${url}/posts/25/\n`);
    expect(JSON.parse((await run("announcements", "--json", ...world.at)).text)).toHaveLength(5);
  });
});
