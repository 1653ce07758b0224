import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWebServer, type WebServer } from "../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { refusal } from "../../../src/web/json.ts";

let server: WebServer;
let port: number;
beforeAll(async () => {
  server = createWebServer({
    routes: [
      { method: "GET", path: "/", handle: async () => ({ status: 200, body: "root" }) },
      {
        method: "POST",
        path: "/body",
        handle: async ({ body, headers }) => ({
          status: 200,
          body: `${headers["content-type"] ?? "untyped"} ${body}`,
        }),
      },
    ],
    refuse: (_, why) => refusal(why),
    bodyBytesMax: 100,
    requestMs: 1000,
    clock: systemClock(),
  });
  ({ port } = await server.listen({ host: "127.0.0.1", port: 0 }));
});
afterAll(() => server[Symbol.asyncDispose]());

async function send(request: string): Promise<{ status: number; message: string; body: string }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(Buffer.from(request, "latin1"));
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  expect(head).toMatch(/^Connection: close$/im);
  const message = body.startsWith("{") ? (JSON.parse(body).message as string) : "";
  return { status, message, body };
}

describe("A request that cannot be read", () => {
  it.each([
    ["a space in its address", "GET /?application_version=My Box HTTP/1.0\r\n\r\n", /space .* %20/],
    ["a letter outside ASCII in its address", "GET /?label=B\xfcx HTTP/1.0\r\n\r\n", /UTF-8 is written as %/],
    ["a version that does not exist", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", /like GET \/path HTTP\/1\.1/],
    ["lines that end with LF alone", "GET / HTTP/1.0\nA: b\n\n", /CR and LF/],
    ["one line that ends with LF alone", "GET / HTTP/1.0\r\nA: b\nC: d\r\n\r\n", /CR and LF/],
    ["a method in small letters", "get / HTTP/1.0\r\n\r\n", /method in capitals/],
    [
      "a body without its length",
      'POST /body HTTP/1.0\r\n\r\n{"a":1}',
      /Content-Length .* bytes of the body/,
    ],
    [
      "a body that is longer than it says",
      'POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n{"a":1}',
      /Content-Length .* bytes of the body/,
    ],
    [
      "two lengths",
      "POST /body HTTP/1.0\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      /Content-Length must be there once/,
    ],
    ["a space before the colon of a header", "GET / HTTP/1.0\r\nUser-Agent : a\r\n\r\n", /Name: value/],
    ["a header of two lines", "GET / HTTP/1.0\r\nUser-Agent: a\r\n b\r\n\r\n", /one line/],
    ["no Host in HTTP/1.1", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", /must have the header Host/],
  ])("is told how to write it instead: %s", async (_, request, wanted) => {
    const answer = await send(request);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(wanted);
  });

  it("is told the limit of its headers", async () => {
    const answer = await send(`GET / HTTP/1.0\r\nCookie: ${"a".repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatchObject({ status: 431, message: expect.stringContaining("16 KiB") });
  });

  it("is told that its body is shorter than it says", async () => {
    const answer = await send("POST /body HTTP/1.0\r\nContent-Length: 9\r\n\r\n{}");
    expect(answer).toMatchObject({ status: 408, message: expect.stringContaining("Content-Length") });
  }, 60_000);

  it("R-39 is not quoted in the answer", async () => {
    expect((await send("GET /?token=secret x HTTP/1.0\r\n\r\n")).body).not.toContain("secret");
  });
});

describe("A Content-Type that is none", () => {
  it.each(["", "json", "application/", "application/json charset=utf-8", "a/b, a/b", '"application/json"'])(
    "is no reason to refuse a request, with or without a body: %s",
    async (type) => {
      const head = `POST /body HTTP/1.0\r\nContent-Type: ${type}\r\nConnection: close\r\n`;
      expect(await send(`${head}Content-Length: 2\r\n\r\n{}`)).toMatchObject({
        status: 200,
        body: "untyped {}",
      });
      expect(await send(`${head}Content-Length: 0\r\n\r\n`)).toMatchObject({ status: 200 });
    },
  );

  it.each(["application/json", "text/xml; charset=ISO-8859-1", "Application/X-www-form-urlencoded;"])(
    "is not %s, which handlers see",
    async (type) => {
      const request = `POST /body HTTP/1.0\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\n{}`;
      expect((await send(request)).body).toBe(`${type} {}`);
    },
  );
});
