import { describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { createSiteClient } from "../../src/site/client.ts";
import { type Answering, loopback, NOW, signal } from "../guide-wire/loopback.ts";
import { EDITOR } from "./site.ts";

interface Said {
  /** The status of requests below /wp-json/. */
  readonly status: number;
  /** The first page's statement about the interface. */
  readonly root: string;
}

interface Case extends Said {
  /** The path on which the list is then requested. */
  readonly path: string;
  readonly route?: string;
}

/** Answers of WordPress 6.1 in a subfolder, by its permalinks; the last case is one behind a server that answers all with its first page. */
const CASES: Readonly<Record<string, Case>> = {
  "plain permalinks": {
    status: 301,
    root: "/blog/index.php?rest_route=/",
    path: "/blog/index.php",
    route: "/wp/v2/posts",
  },
  "permalinks below index.php": {
    status: 404,
    root: "/blog/index.php/wp-json/",
    path: "/blog/index.php/wp-json/wp/v2/posts",
  },
  "a page for whatever is asked": {
    status: 200,
    root: "/blog/?rest_route=/",
    path: "/blog/",
    route: "/wp/v2/posts",
  },
};

/** The answers and questions of two requests, one after the other. */
async function asked({ status, root }: Said) {
  let origin = "";
  const answering: Answering = ({ path, query }, response) => {
    if ("rest_route" in query || path.includes("/index.php/wp-json/")) return void response.end('[{"id":1}]');
    const isFirstPage = path === "/blog/";
    response.statusCode = isFirstPage ? 200 : status;
    if (isFirstPage) {
      response.setHeader("link", `<${new URL(root, origin).href}>; rel="https://api.w.org/"`);
    } else if (status === 301) response.setHeader("location", `${origin}${path}/`);
    response.end("<!doctype html>");
  };
  await using server = await loopback(answering);
  origin = server.origin;
  const http = createHttpClient();
  const clock = createVirtualClock(NOW);
  const client = createSiteClient({ siteUrl: `${origin}/blog`, http, clock, credentials: EDITOR });
  const answers: unknown[] = [];
  for (const request of [{ collection: "posts" }, { collection: "posts" }]) {
    answers.push(await client.list(request, signal).catch((error: unknown) => error));
  }
  await http.close();
  const seen = server.seen.map(({ path, query, headers }) => ({
    path,
    route: query["rest_route"],
    isSignedIn: headers.authorization !== undefined,
  }));
  return { answers, seen };
}

describe("the interface of a site", () => {
  it.each(Object.entries(CASES))(
    "is found through the first page, which receives no password: %s",
    async (_, said) => {
      const { answers, seen } = await asked(said);
      expect(answers).toMatchObject([{ items: [{ id: 1 }] }, { items: [{ id: 1 }] }]);
      const found = { path: said.path, route: said.route, isSignedIn: true };
      expect(seen).toEqual([
        { path: "/blog/wp-json/wp/v2/posts", route: undefined, isSignedIn: true },
        { path: "/blog/", route: undefined, isSignedIn: false },
        found,
        found,
      ]);
    },
  );

  it("is not used on another host, which is named", async () => {
    const { answers } = await asked({ status: 404, root: "https://other.example/wp-json/" });
    expect(answers[0]).toMatchObject({ code: "SITE_REFUSED" });
    expect(String(answers[0])).toContain(
      "it has moved to https://other.example; if that is right, give its address there with --site",
    );
  });
});
