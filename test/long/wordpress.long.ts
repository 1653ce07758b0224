import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rejection } from "../guide-wire/loopback.ts";
import { openFolder, run } from "../site/site.ts";
import { startWordPress, type WordPress, whyNoWordPress } from "./wordpress.ts";

const whyNot = whyNoWordPress();
const MEBI = 2 ** 20;

describe.skipIf(whyNot !== undefined)(`a real WordPress${whyNot === undefined ? "" : ` (${whyNot})`}`, () => {
  let site: WordPress;
  let folder: Awaited<ReturnType<typeof openFolder>>;
  let signedIn: readonly string[];

  beforeAll(async () => {
    site = await startWordPress();
    folder = await openFolder();
    const { user, applicationPassword } = site;
    const credentials = await folder.file(JSON.stringify({ user, applicationPassword }));
    signedIn = ["--site", site.url, "--credentials", credentials];
  });
  afterAll(async () => {
    await folder?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  const json = async (...args: readonly string[]) =>
    JSON.parse((await run(...args, ...signedIn, "--json")).text);
  const file = (content: unknown) => folder.file(JSON.stringify(content));

  describe.each(["plain", "index", "pretty"] as const)("in a subfolder, with %s permalinks", (permalinks) => {
    beforeAll(() => site.use(permalinks));

    it("offers its index, and every collection in it can be listed", async () => {
      const index = await run("index", "--site", site.url);
      expect(index.text).toContain("name                   Harbour News\n");
      const names = [...index.text.matchAll(/^([a-z-]+) +(?:in pages)? +(?:GET|POST)/gm)].map(
        ([, name]) => name,
      );
      expect(names).toEqual(
        expect.arrayContaining(["posts", "types", "taxonomies", "statuses", "settings", "plugins"]),
      );
      for (const name of names) {
        const { text } = await run("list", name ?? "", ...signedIn);
        expect(text, name).not.toBe("");
      }
      const ids = async (name: string) =>
        (await json("list", name)).items.map(({ id }: { readonly id: unknown }) => id);
      expect(await ids("types")).toEqual(expect.arrayContaining(["post", "page", "attachment"]));
      expect(await ids("taxonomies")).toEqual(expect.arrayContaining(["category", "post_tag"]));
      expect(await ids("statuses")).toEqual(expect.arrayContaining(["publish"]));
      expect(await ids("plugins")).toEqual(["akismet/akismet"]);
      expect((await json("list", "settings")).items).toMatchObject([{ title: "Harbour News" }]);
    });

    it("accepts new, changed, searched, trashed and deleted entries", async () => {
      const made = await json("create", "posts", await file({ title: "Salt & sand", status: "publish" }));
      const id = String(made.id);
      const changed = await json("update", "posts", id, await file({ title: "Salt" }));
      expect(changed).toMatchObject({ title: { raw: "Salt" }, status: "publish" });
      expect((await run("list", "posts", "--search", "Salt", ...signedIn)).text).toMatch(
        new RegExp(`^${id} .* Salt `, "m"),
      );
      expect((await run("get", "posts", id, ...signedIn)).text).toMatch(/^title +Salt$/m);
      expect((await run("delete", "posts", id, ...signedIn)).text).toBe(`posts ${id}: in the trash\n`);
      const force = await run("delete", "posts", id, "--force", ...signedIn);
      expect(force.text).toBe(`posts ${id}: deleted permanently\n`);
      expect(await rejection(run("get", "posts", id, ...signedIn))).toMatchObject({ code: "SITE_NOT_FOUND" });
    });

    it("shows an entry with another kind of identifier", async () => {
      expect(await json("get", "types", "post")).toMatchObject({ slug: "post" });
      expect(await json("get", "plugins", "akismet/akismet")).toMatchObject({ plugin: "akismet/akismet" });
    });

    it("shows author and text of a comment", async () => {
      const post = await json("create", "posts", await file({ title: "Told", status: "publish" }));
      await json("create", "comments", await file({ post: post.id, content: "A <em>fine</em> evening" }));
      expect((await run("list", "comments", ...signedIn)).text).toMatch(/ editor: A fine evening /);
    });

    it("deletes a user, and asks for the new owner of the entries", async () => {
      const user = {
        username: `guest-${permalinks}`,
        email: `${permalinks}@example.org`,
        password: "a long one",
      };
      const { id } = await json("create", "users", await file(user));
      const asked = await rejection(run("delete", "users", String(id), "--force", ...signedIn));
      expect(String(asked)).toContain("--reassign");
      const gone = await run("delete", "users", String(id), "--force", "--reassign", "1", ...signedIn);
      expect(gone.text).toBe(`users ${id}: deleted permanently\n`);
    });

    it("accepts a batch of 25", async () => {
      const requests = Array.from({ length: 25 }, (_, at) => ({
        path: "/wp/v2/posts",
        body: { title: `Batch ${at}` },
      }));
      const { responses } = await json("batch", await file({ requests }));
      expect(responses.map(({ status }: { readonly status: number }) => status)).toEqual(
        requests.map(() => 201),
      );
    });

    it("is read to its end, page by page", async () => {
      const { items, total } = await json("list", "posts", "--all", "--per-page", "7", "--context", "edit");
      expect(items).toHaveLength(total);
    });

    it("refuses a missing sign-in and a wrong password", async () => {
      expect(await rejection(run("list", "settings", "--site", site.url))).toMatchObject({
        code: "SITE_SIGN_IN_NEEDED",
      });
      const wrong = await folder.file(JSON.stringify({ user: "editor", applicationPassword: "wrong wrong" }));
      const refused = run("list", "settings", "--site", site.url, "--credentials", wrong);
      expect(await rejection(refused)).toMatchObject({ code: "SITE_SIGN_IN_NEEDED" });
    });

    it("has no own list of redirections", async () => {
      expect(await rejection(run("redirects", ...signedIn))).toMatchObject({ code: "SITE_NOT_FOUND" });
    });
  });

  it("shows its announcements, however large its posts are", async () => {
    const text = `str_repeat('word ', ${Math.round((9 * MEBI) / 5)})`;
    await site.php(
      `foreach (['One', 'Two'] as $each) wp_insert_post(['post_title' => $each, 'post_status' => 'publish', 'post_content' => ${text}]);`,
    );
    const { text: shown } = await run("announcements", "--site", site.url, "--count", "2");
    expect(shown).toMatch(/ (One|Two)\n.*\n.* (One|Two)\n/);
    expect((await run("list", "posts", "--site", site.url)).text).toContain("One");
  });

  it("is absent outside its subfolder", async () => {
    const asked = run("index", "--site", new URL(site.url).origin);
    expect(await rejection(asked)).toMatchObject({ code: "SITE_NOT_FOUND" });
  });
});
