import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWebServer, type WebServer } from "../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";

let server: WebServer;
let port: number;
beforeAll(async () => {
  server = createWebServer({
    routes: [
      { method: "GET", path: "/", handle: async () => ({ status: 200, body: "root" }) },
      { method: "GET", path: "/index/", handle: async () => ({ status: 200, body: "index" }) },
      {
        method: "GET",
        path: "/shows/timers",
        handle: async ({ path, extension = "none", query }) => ({
          status: 200,
          body: `${path} ${extension} ${query.get("to")}`,
        }),
      },
      {
        method: "PUT",
        path: "/rules/:id",
        handle: async ({ params }) => ({ status: 200, body: `put ${params["id"]}` }),
      },
      { method: "DELETE", path: "/rules/:id/", handle: async () => ({ status: 200, body: "deleted" }) },
      {
        method: "GET",
        path: "/host",
        handle: async ({ headers }) => ({ status: 200, body: headers.host ?? "" }),
      },
      { method: "POST", path: "/rules/preview", handle: async () => ({ status: 200, body: "preview" }) },
    ],
    refuse: (_, why) =>
      why.kind === "method"
        ? { status: 405, body: why.allow }
        : { status: why.kind === "malformed" ? 400 : 404, body: why.kind },
    extensions: ["xml"],
    bodyBytesMax: 100,
    clock: systemClock(),
  });
  ({ port } = await server.listen({ host: "127.0.0.1", port: 0 }));
});
afterAll(() => server[Symbol.asyncDispose]());

/** @returns the whole answer */
async function send(request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(request);
  return await text(socket);
}

/** The address stays as written: clients of this runtime repair some addresses before they send them. */
async function get(
  address: string,
  method = "GET",
): Promise<{ readonly status: number; readonly body: string }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${method} ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const [head = "", ...body] = (await text(socket)).split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: body.join("\r\n\r\n") };
}

it.each([
  ["/shows/timers?to=a//b/", "/shows/timers none a//b/"],
  ["//shows/timers?to=1", "/shows/timers none 1"],
  ["/shows///timers/?to=1", "/shows/timers none 1"],
  ["/shows/timers.xml?to=1", "/shows/timers xml 1"],
  ["//shows/timers.xml/?to=1", "/shows/timers xml 1"],
  ["//", "root"],
])(
  "a base address with a slash too many, or a path that ends with one, finds its route: %s",
  async (address, body) => {
    expect(await get(address)).toEqual({ status: 200, body });
  },
);

it.each([
  ["J%C3%B6rg", "Jörg"],
  ["J%F6rg", "Jörg"],
  ["J%f6rg&email=%C3%B6", "Jörg"],
  ["%FF%FE&from=%", "ÿþ"],
  ["%EF%BF%BD", "\ufffd"],
  ["a+b%20c", "a b c"],
])(
  "a parameter that is not UTF-8 is read as ISO-8859-1, apart from the others: %s",
  async (written, read) => {
    expect((await get(`/shows/timers?to=${written}`)).body).toBe(`/shows/timers none ${read}`);
    expect((await get(`/shows/timers?x=%F6&to=%C3%B6`)).body).toBe("/shows/timers none ö");
  },
);

it.each(["/shows%2Ftimers", "/shows/timers/x", "/%2e%2e/shows"])("%s is another address", async (address) => {
  expect(await get(address)).toEqual({ status: 404, body: "no-route" });
});

it.each(["/%zz?token=secret", "/%ff%fe?token=secret", "/shows/%?token=secret", "//%zz/?token=secret"])(
  "an address that cannot be decoded is refused like any malformed request, without its text: %s",
  async (address) => {
    expect(await get(address)).toEqual({ status: 400, body: "malformed" });
  },
);

it.each(["/index", "/index/", "//index/"])(
  "a route that ends with a slash is found by %s",
  async (address) => {
    expect(await get(address)).toEqual({ status: 200, body: "index" });
  },
);

it.each([
  ["PUT", "/rules/1", 200, "put 1"],
  ["POST", "/rules/preview", 200, "preview"],
  ["PUT", "/shows/timers", 405, "GET, HEAD"],
  ["TRACE", "//shows/timers/", 405, "GET, HEAD"],
  ["GET", "/rules/1", 405, "PUT, DELETE"],
  ["GET", "/rules/preview", 405, "POST"],
  // The router alone would take this for a rule with the id "preview".
  ["DELETE", "/rules/preview", 405, "POST"],
  ["DELETE", "/rules", 404, "no-route"],
])(
  "a path has its own methods, and names them for another one: %s %s",
  async (method, address, status, body) => {
    expect(await get(address, method)).toEqual({ status, body });
  },
);

it("RFC 9112 believes the host of the first line, and no header", async () => {
  const head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  expect(await send(`GET http://other.example:81/host ${head}`)).toMatch(
    /^HTTP\/1.1 200 .*other\.example:81$/s,
  );
  expect(await send(`GET http://other.example?a=/b ${head}`)).toMatch(/^HTTP\/1.1 200 .*root$/s);
  expect(await send(`GET //other.example/host ${head}`)).toMatch(/^HTTP\/1.1 404 /);
});

it("RFC 9112 refuses a request with two Host headers", async () => {
  const answer = await send(
    "GET /host HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
});
