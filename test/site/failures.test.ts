import { describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { createSiteClient, type SiteClient } from "../../src/site/client.ts";
import { basicAuthorization, readSiteCredentials } from "../../src/site/credentials.ts";
import type { SiteOptions } from "../../src/site/exchange.ts";
import { SITE_LIMITS } from "../../src/site/limits.ts";
import { type Answering, loopback, NOW, rejection, signal } from "../guide-wire/loopback.ts";
import { EDITOR, openFolder, openSite, wordsOf } from "./site.ts";

const posts = { collection: "posts" } as const;
const BARE = EDITOR.applicationPassword.replaceAll(" ", "");
const TOKENS = [EDITOR.applicationPassword, BARE].map((each) =>
  Buffer.from(`${EDITOR.user}:${each}`).toString("base64"),
);
const SECRETS = [EDITOR.applicationPassword, BARE, encodeURIComponent(EDITOR.applicationPassword), ...TOKENS];

function clientOf(siteUrl: string, more: Partial<SiteOptions> = {}) {
  const http = createHttpClient();
  const clock = createVirtualClock(NOW);
  const client = createSiteClient({ siteUrl, http, clock, credentials: EDITOR, ...more });
  return { client, clock, [Symbol.asyncDispose]: () => http.close() };
}

/** The outcome of a request that a site answers this way. */
async function refused(
  answering: Answering,
  ask = (client: SiteClient): Promise<unknown> => client.list(posts, signal),
) {
  await using server = await loopback(answering);
  await using side = clientOf(server.origin);
  return { error: await rejection(ask(side.client)), origin: server.origin, seen: server.seen };
}

const failure = (code: string, message: string, status: number) =>
  JSON.stringify({ code, message, data: { status } });

describe("a site that refuses", () => {
  it.each([
    [400, "SITE_REFUSED", "give-up"],
    [401, "SITE_SIGN_IN_NEEDED", "give-up"],
    [403, "SITE_REFUSED", "give-up"],
    [404, "SITE_NOT_FOUND", "give-up"],
    [410, "SITE_NOT_FOUND", "give-up"],
    [429, "SITE_UNAVAILABLE", "retry"],
    [500, "SITE_UNAVAILABLE", "retry"],
    [503, "SITE_UNAVAILABLE", "retry"],
  ] as const)("%i is %s, with the site's message", async (status, code, remedy) => {
    const { error, origin } = await refused((_, response) => {
      response.statusCode = status;
      response.end(failure("rest_some", "It is <em>not</em> so\u001b[31m", status));
    });
    expect(error).toMatchObject({
      code,
      remedy,
      facts: { method: "GET", endpoint: "wp/v2/posts", status, siteCode: "rest_some" },
    });
    expect(String(error)).toContain(`The content site ${origin} answered ${status}: `);
    expect(String(error)).toContain("(it says: It is not so [31m)");
  });

  it("may answer without a message, or with a web page", async () => {
    for (const body of ["", "<html>Bad gateway</html>", '{"error":1}', "[]"]) {
      const { error } = await refused((_, response) => {
        response.statusCode = 502;
        response.end(body);
      });
      expect(error).toMatchObject({ code: "SITE_UNAVAILABLE", facts: { status: 502 } });
      expect(String(error)).not.toContain("it says");
    }
  });

  it("is not followed to another site, and the new address is named without its path", async () => {
    await using other = await loopback((_, response) => response.end("[]"));
    const { error } = await refused((_, response) => {
      response.writeHead(301, { location: `${other.origin}/wp-json/wp/v2/posts?secret=1` }).end();
    });
    expect(error).toMatchObject({ code: "SITE_REFUSED", facts: { status: 301 } });
    expect(String(error)).toContain(`it has moved to ${other.origin};`);
    expect(String(error)).not.toContain("secret");
    expect(other.seen).toEqual([]);
  });
});

describe("a site with invalid answers", () => {
  it.each([
    ["a web page", "<html></html>"],
    ["nothing", ""],
    ["a torn list", '[{"id":1}, {"id":'],
    ["an object", '{"id":1}'],
    ["entries without id", '[{"title":{"rendered":"x"}}]'],
    ["10,000 nested lists", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["an entry with 100 levels", `[{"id":1,"x":${"[".repeat(100)}${"]".repeat(100)}}]`],
  ])("%s is SITE_ANSWER_INVALID", async (_name, body) => {
    const { error } = await refused((_, response) => response.end(body));
    expect(error).toMatchObject({ code: "SITE_ANSWER_INVALID", facts: { status: 200 } });
  });

  it("an entry cannot change the prototype of objects", async () => {
    await using server = await loopback((_, response) =>
      response.end('\ufeff[{"id":1,"__proto__":{"polluted":true},"x":{"__proto__":{"polluted":true}}}]'),
    );
    await using side = clientOf(server.origin);
    const { items } = await side.client.list(posts, signal);
    expect(items).toEqual([{ id: 1, x: {} }]);
    expect(Reflect.get(items[0] ?? {}, "polluted")).toBeUndefined();
  });

  it("an oversized answer is not read to its end", async () => {
    const { error } = await refused((_, response) => {
      response.setHeader("content-length", SITE_LIMITS.bodyBytes + 1);
      response.write("[");
    });
    expect(error).toMatchObject({ code: "SITE_ANSWER_INVALID", facts: { cause: "TOO_LARGE" } });
  });

  it("a batch with fewer answers than requests fails", async () => {
    const { error } = await refused(
      (_, response) => response.writeHead(207).end('{"responses":[{"status":200,"body":{}}]}'),
      (client) => client.batch({ requests: [{ path: "/a" }, { path: "/b" }] }, signal),
    );
    expect(error).toMatchObject({ code: "SITE_ANSWER_INVALID", facts: { requests: 2, responses: 1 } });
  });

  it("is SITE_UNREACHABLE if no server listens, or the name does not exist", async () => {
    const server = await loopback(() => {});
    await server[Symbol.asyncDispose]();
    for (const address of [server.origin, "https://site.invalid"]) {
      await using side = clientOf(address);
      await expect(side.client.index(signal)).rejects.toMatchObject({
        code: "SITE_UNREACHABLE",
        remedy: "retry",
      });
    }
  });

  it("is SITE_UNREACHABLE when the deadline passes", async () => {
    let asked = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await using server = await loopback(() => asked());
    await using side = clientOf(server.origin);
    const outcome = rejection(side.client.index(signal));
    await arrived;
    await side.clock.advance(SITE_LIMITS.requestMs);
    expect(await outcome).toMatchObject({ code: "SITE_UNREACHABLE", facts: { cause: "DEADLINE" } });
  });

  it("stops at once on an abort", async () => {
    const stop = new AbortController();
    await using server = await loopback(() => stop.abort(new Error("stop")));
    await using side = clientOf(server.origin);
    expect(await rejection(side.client.index(stop.signal))).toBe(stop.signal.reason);
  });
});

describe("the address of a site", () => {
  it("may have a path, with or without a slash at its end", async () => {
    await using server = await loopback((_, response) => response.end("[]"));
    for (const path of ["", "/", "/news", "/news//"]) {
      await using side = clientOf(`${server.origin}${path}`);
      await side.client.list(posts, signal);
    }
    const paths = ["/wp-json/wp/v2/posts", "/wp-json/wp/v2/posts", "/news/wp-json/wp/v2/posts"];
    expect(server.seen.map(({ path }) => path)).toEqual([...paths, "/news/wp-json/wp/v2/posts"]);
  });

  it.each([
    "",
    "www.example.org",
    "ftp://example.org",
    "file:///etc/passwd",
    "https://user:hunter2@example.org",
    "https://example.org/?key=hunter2",
    "https://example.org/#hunter2",
  ])("cannot be %j, and is not repeated", async (siteUrl) => {
    const error = await rejection((async () => clientOf(siteUrl, {}))());
    expect(error).toMatchObject({ code: "SITE_PARAMETER_INVALID", facts: { parameter: "site" } });
    expect(wordsOf(error)).not.toContain("hunter2");
  });
});

describe("credentials", () => {
  it("are sent with every request, as user and application password", async () => {
    await using server = await loopback((_, response) => response.end("[]"));
    await using side = clientOf(server.origin);
    await using guest = clientOf(server.origin, { credentials: undefined } as object);
    await side.client.list(posts, signal);
    await guest.client.list(posts, signal);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${TOKENS[0]}`,
      undefined,
    ]);
  });

  it("are refused if wrong, even where none are needed", async () => {
    await using site = await openSite();
    const applicationPassword = "wr0ng passw0rd";
    await using side = clientOf(site.server.content.url, { credentials: { ...EDITOR, applicationPassword } });
    const error = await rejection(side.client.list(posts, signal));
    expect(error).toMatchObject({ code: "SITE_SIGN_IN_NEEDED", facts: { siteCode: "incorrect_password" } });
    expect(wordsOf(error)).not.toContain("passw0rd");
  });

  it.each([
    "http://127.0.0.1:8080",
    "http://127.8.0.1",
    "http://localhost",
    "http://[::1]:81",
    "https://example.org",
  ])("may go to %s", (address) => {
    expect(basicAuthorization(EDITOR, new URL(address))).toBe(`Basic ${TOKENS[0]}`);
  });

  it.each([
    "http://example.org",
    "http://192.168.1.2",
    "http://localhost.example.org",
    "http://127.0.0.1.example.org",
    "http://[::2]",
  ])("never go to %s", async (address) => {
    const error = await rejection((async () => clientOf(address))());
    expect(error).toMatchObject({
      code: "SITE_CREDENTIALS_INVALID",
      facts: { origin: new URL(address).origin },
    });
    expect(String(error)).toContain("https");
  });

  it("R-39 are in no error, whatever the site repeats", async () => {
    const hidden = SECRETS.flatMap((secret) => [
      secret,
      secret.replace("3f", "3<b>f"),
      secret.replace("3f", "&#51;f"),
    ]);
    const beyond = hidden.map((secret) => `${"x".repeat(185)}${secret}`);
    for (const secret of [...hidden, ...beyond]) {
      const { error } = await refused((_, response) => {
        response.statusCode = 400;
        response.end(failure(`rest_${secret}`, `Why ${secret}?`, 400));
      });
      expect(error).toMatchObject({ code: "SITE_REFUSED" });
      const words = wordsOf(error);
      expect(SECRETS.filter((each) => words.includes(each))).toEqual([]);
      expect(words).not.toContain(BARE.slice(0, 6));
    }
  });

  it("R-39 are in no error of any other kind", async () => {
    const answers: readonly Answering[] = [
      (_, response) => response.end(SECRETS.join()),
      (_, response) => response.end(JSON.stringify({ [BARE]: SECRETS })),
      (_, response) => response.writeHead(302, { location: `/?${BARE}` }).end(),
      (_, response) => response.destroy(),
      (_, response) => response.socket?.end(`${SECRETS.join("\r\n")}\r\n\r\n`),
    ];
    for (const answering of answers) {
      const words = wordsOf((await refused(answering)).error);
      expect([...SECRETS, EDITOR.user].filter((each) => words.includes(each))).toEqual([]);
    }
  });

  it("are read from a private file", async () => {
    await using folder = await openFolder();
    const file = await folder.file(JSON.stringify(EDITOR));
    expect(await readSiteCredentials(file)).toEqual(EDITOR);
  });

  it.each([0o640, 0o604, 0o620, 0o644])("are not read from a file with mode %o", async (mode) => {
    await using folder = await openFolder();
    const error = await rejection(readSiteCredentials(await folder.file(JSON.stringify(EDITOR), mode)));
    expect(error).toMatchObject({ code: "SITE_CREDENTIALS_INVALID" });
    expect(String(error)).toContain("chmod 600");
  });

  it.each([
    "",
    `editor:${BARE}`,
    JSON.stringify({ user: "editor" }),
    JSON.stringify({ ...EDITOR, user: "edi:tor" }),
    JSON.stringify({ ...EDITOR, user: "edi\ntor" }),
    JSON.stringify({ ...EDITOR, applicationPassword: "" }),
    JSON.stringify({ ...EDITOR, more: BARE }),
    JSON.stringify({ ...EDITOR, user: "x".repeat(SITE_LIMITS.credentialsBytes) }),
  ])("cannot be %#, and R-39 the content is not repeated", async (content) => {
    await using folder = await openFolder();
    const error = await rejection(readSiteCredentials(await folder.file(content)));
    expect(error).toMatchObject({ code: "SITE_CREDENTIALS_INVALID" });
    expect(wordsOf(error)).not.toContain(BARE);
  });

  it("cannot be read from anything but a file", async () => {
    const errors = [
      await rejection(readSiteCredentials("/")),
      await rejection(readSiteCredentials("/nowhere")),
    ];
    for (const error of errors) expect(error).toMatchObject({ code: "SITE_CREDENTIALS_INVALID" });
  });
});
