import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../src/model/limits.ts";
import { API_KEY, CREDENTIALS, clientOf, loopback, NOW, rejection, signal } from "./loopback.ts";

async function listening(server: Server): Promise<{ readonly port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The outcome of a request for timers when the service answers this way. */
async function timersOf(answering: (response: ServerResponse) => void): Promise<unknown> {
  await using server = await loopback((_, response) => answering(response));
  await using side = clientOf(server.origin);
  return await rejection(side.client.timers(signal));
}

describe("a status of the service", () => {
  it.each([
    [401, "GUIDE_SIGN_IN_NEEDED", "sign-in"],
    [403, "GUIDE_FORBIDDEN", "retry"],
    [404, "GUIDE_NOT_FOUND", "give-up"],
    [405, "GUIDE_METHOD_REFUSED", "give-up"],
    [406, "GUIDE_NOT_ACCEPTABLE", "give-up"],
    [408, "GUIDE_UNAVAILABLE", "retry"],
    [415, "GUIDE_MEDIA_TYPE_REFUSED", "give-up"],
    [429, "GUIDE_UNAVAILABLE", "retry"],
    [500, "GUIDE_UNAVAILABLE", "retry"],
    [502, "GUIDE_UNAVAILABLE", "retry"],
    [503, "GUIDE_UNAVAILABLE", "retry"],
    [301, "GUIDE_ANSWER_UNEXPECTED", "retry"],
    [418, "GUIDE_ANSWER_UNEXPECTED", "retry"],
  ])("%i is %s", async (status, code, remedy) => {
    const error = await timersOf((response) => response.writeHead(status, { Location: "/elsewhere" }).end());
    expect(error).toMatchObject({
      code,
      remedy,
      message: expect.stringContaining(String(status)),
      facts: { status, method: "GET", endpoint: "shows/timers" },
    });
  });

  it("comes with the text of the service's error document, in both formats", async () => {
    const json =
      '{"error":{"status":406,"code":"not_acceptable","message":"label is empty","field":"label"}}';
    const xml = '<error status="406" code="not_acceptable" field="label">label is empty</error>';
    for (const body of [json, xml]) {
      expect(await timersOf((response) => response.writeHead(406).end(body))).toMatchObject({
        message: expect.stringContaining("label is empty"),
        facts: { status: 406, serviceCode: "not_acceptable", field: "label" },
      });
    }
  });

  it("has no text if the body is not from the service", async () => {
    for (const body of ["", "oops", "{}", '{"error":"no"}', "<html>no</html>", "<error", "[]"]) {
      expect(await timersOf((response) => response.writeHead(503).end(body))).toMatchObject({
        code: "GUIDE_UNAVAILABLE",
        message: expect.not.stringContaining("it says"),
      });
    }
  });

  it("may state when to return, in seconds or as a date by its own clock, within an hour", async () => {
    const retryAfter = async (headers: Record<string, string>) => {
      const error = await timersOf((response) => response.writeHead(503, headers).end());
      return (error as RecorderdError).facts["retryAfterMs"];
    };
    const date = (ms: number) => new Date(ms).toUTCString();
    const skewed = NOW + 86_400_000;
    expect(await retryAfter({ "Retry-After": "120" })).toBe(120_000);
    expect(await retryAfter({ "Retry-After": date(NOW + 60_000), Date: date(NOW) })).toBe(60_000);
    expect(await retryAfter({ "Retry-After": date(skewed + 60_000), Date: date(skewed) })).toBe(60_000);
    expect(await retryAfter({ "Retry-After": date(NOW - 60_000), Date: date(NOW) })).toBe(0);
    expect(await retryAfter({ "Retry-After": "999999" })).toBe(MODEL_LIMITS.guideRetryAfterMsMax);
    expect(await retryAfter({ "Retry-After": "soon" })).toBeUndefined();
    expect(await retryAfter({})).toBeUndefined();
  });
});

describe("R-44 a failure on the way", () => {
  const asked = async (baseUrl: string) => {
    await using side = clientOf(baseUrl);
    return await rejection(side.client.timers(signal));
  };
  const facts = { method: "GET", endpoint: "shows/timers" };

  it("gives GUIDE_NAME_UNRESOLVED if the name does not resolve", async () => {
    // A label of more than 63 characters is refused by the resolver itself: nothing goes to the network.
    const error = await asked(`http://${"a".repeat(64)}.invalid`);
    expect(error).toMatchObject({ code: "GUIDE_NAME_UNRESOLVED", facts });
  });

  it("gives GUIDE_UNREACHABLE if the connection is refused", async () => {
    const free = await listening(createServer());
    await free[Symbol.asyncDispose]();
    expect(await asked(`http://127.0.0.1:${free.port}`)).toMatchObject({ code: "GUIDE_UNREACHABLE", facts });
  });

  it("gives GUIDE_TLS_FAILED if the certificate is not trusted", async () => {
    const file = (end: string) =>
      readFileSync(new URL(`../fixtures/guide/self-signed.${end}`, import.meta.url));
    const server = createTlsServer({ key: file("key"), cert: file("crt") }, (_, response) => {
      response.end('{"timers":[]}');
    });
    await using tls = await listening(server);
    expect(await asked(`https://127.0.0.1:${tls.port}`)).toMatchObject({ code: "GUIDE_TLS_FAILED", facts });
  });

  it("gives GUIDE_TLS_FAILED if the server does not encrypt", async () => {
    await using plain = await loopback((_, response) => response.end());
    expect(await asked(plain.origin.replace("http:", "https:"))).toMatchObject({
      code: "GUIDE_TLS_FAILED",
      facts,
    });
  });

  it("gives GUIDE_ANSWER_UNEXPECTED if another protocol answers", async () => {
    await using ssh = await listening(createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")));
    expect(await asked(`http://127.0.0.1:${ssh.port}`)).toMatchObject({
      code: "GUIDE_ANSWER_UNEXPECTED",
      facts,
    });
  });

  it("gives GUIDE_UNREACHABLE if the connection closes without an answer", async () => {
    const error = await timersOf((response) => response.socket?.destroy());
    expect(error).toMatchObject({ code: "GUIDE_UNREACHABLE", facts });
  });

  it("gives GUIDE_DOCUMENT_TORN if the body is shorter than announced", async () => {
    const error = await timersOf((response) => {
      response.writeHead(200, { "Content-Length": 1000 });
      response.write('{"timers":[]}', () => response.socket?.destroy());
    });
    expect(error).toMatchObject({ code: "GUIDE_DOCUMENT_TORN", facts });
  });

  it("gives GUIDE_DOCUMENT_TORN if the body is longer than announced", async () => {
    await using server = await listening(
      createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => {
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{"timers":[]}');
        });
      }),
    );
    expect(await asked(`http://127.0.0.1:${server.port}`)).toMatchObject({
      code: "GUIDE_DOCUMENT_TORN",
      facts,
    });
  });

  it("gives GUIDE_BODY_TOO_LARGE if the announced size exceeds the limit", async () => {
    const error = await timersOf((response) => {
      response.writeHead(200, { "Content-Length": GUIDE_WIRE_LIMITS.bodyBytes + 1 });
      response.flushHeaders();
    });
    expect(error).toMatchObject({ code: "GUIDE_BODY_TOO_LARGE", facts });
  });

  it("is detected at the limit if the body never ends", async () => {
    await using server = await loopback((_, response) => {
      const pour = () => {
        while (response.writable && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on("drain", pour).on("error", () => {});
      pour();
    });
    await using http = createHttpClient();
    const request = {
      method: "GET",
      url: new URL(server.origin),
      headers: {},
      bodyBytesMax: 1_000_000,
    } as const;
    expect(await http.request(request, signal)).toMatchObject({ kind: "failed", cause: "too-large" });
  });

  it("is reported for an HTML page with status 200, even if no document is expected", async () => {
    const html = "<!DOCTYPE html><html><body>Welcome to the hotel</body></html>";
    await using server = await loopback((_, response) => response.end(html));
    await using side = clientOf(server.origin);
    const { client } = side;
    const invalid = {
      code: "GUIDE_DOCUMENT_INVALID",
      message: expect.stringContaining("HTML page"),
      facts: { html: true, status: 200 },
    };
    for (const work of [
      () => client.timers(signal),
      () => client.setTimer("7", {}, signal),
      () => client.deleteTimer("7", signal),
      () => client.logout(signal),
    ]) {
      expect(await rejection(work())).toMatchObject(invalid);
    }
  });
});

describe("a slow answer", () => {
  it("is abandoned at the deadline of the whole request if it trickles, and its connection is closed", async () => {
    let begun = () => {};
    let gone = () => {};
    const first = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    await using server = await loopback((_, response) => {
      response.on("close", gone).write('{"timers":[', begun);
    });
    await using side = clientOf(server.origin);
    const outcome = rejection(side.client.timers(signal));
    await first;
    side.clock.advance(MODEL_LIMITS.guideRequestMs - 1);
    side.clock.advance(1);
    expect(await outcome).toMatchObject({
      code: "GUIDE_TIMEOUT",
      remedy: "retry",
      facts: { endpoint: "shows/timers" },
    });
    await closed;
  });

  it("is abandoned at the same deadline if it never begins", async () => {
    let asked = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await using server = await loopback(() => asked());
    await using side = clientOf(server.origin);
    const outcome = rejection(side.client.timers(signal));
    await arrived;
    side.clock.advance(MODEL_LIMITS.guideRequestMs);
    expect(await outcome).toMatchObject({ code: "GUIDE_TIMEOUT" });
  });

  it("is abandoned when the caller aborts, with the caller's reason", async () => {
    const ended = new AbortController();
    const reason = new Error("the daemon stops");
    await using server = await loopback(() => ended.abort(reason));
    await using side = clientOf(server.origin);
    expect(await rejection(side.client.timers(ended.signal))).toBe(reason);
    expect(await rejection(side.client.timers(ended.signal))).toBe(reason);
    expect(server.seen).toHaveLength(1);
  });
});

describe("R-39 a secret", () => {
  const PASSWORD = "pa55 wörd+&";
  /** Secrets that the service sees in every request; it sees the password only in the body of a login. */
  const SENT = [API_KEY, CREDENTIALS.token];
  const forms = [...SENT, PASSWORD].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
  ]);

  /** Everything that a log line or a crash could show of an error. */
  function shown(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const own = JSON.stringify(error, Object.getOwnPropertyNames(error));
    return `${error.stack}${own}${JSON.stringify({ ...error })}${error.cause === undefined ? "" : shown(error.cause)}`;
  }

  it("appears in no failure, even if the service echoes the whole request", async () => {
    const echoes: readonly ((url: string, body: string, response: ServerResponse) => void)[] = [
      (url, _, response) => response.writeHead(302, { Location: url }).end(url),
      ...[401, 404, 406, 500].map((status) => (url: string, body: string, response: ServerResponse) => {
        const said = `cannot serve ${url} with ${body} ${SENT.join(" ")}${" pad".repeat(200)}`;
        response
          .writeHead(status)
          .end(JSON.stringify({ error: { status, code: said, message: said, field: said } }));
      }),
      (url, body, response) => response.end(`{"timers":[],"member":"${url} ${body} ${SENT.join(" ")}"`),
      (url, body, response) => response.end(`<shows ${url}>${body}</shows ${SENT.join(" ")}>`),
      (url, _, response) => response.end(`<html>${url} ${SENT.join(" ")}</html>`),
      (_, __, response) => response.socket?.end(`NOT HTTP ${SENT.join(" ")}\r\n\r\n`),
      (_, __, response) => response.socket?.destroy(),
    ];
    for (const echo of echoes) {
      await using server = await loopback((seen, response) => {
        echo(`${seen.path}?${new URLSearchParams(seen.query)}`, seen.body, response);
      });
      await using side = clientOf(server.origin);
      const member = { email_address: CREDENTIALS.email, password: PASSWORD };
      for (const work of [
        () => side.client.timers(signal),
        () => side.client.setTimer("7", { message: "x" }, signal),
        () => side.client.login({ member }, signal),
      ]) {
        const error = await rejection(work());
        expect(error).toBeInstanceOf(RecorderdError);
        for (const form of forms) expect(shown(error)).not.toContain(form);
      }
    }
  });

  it("appears in no failure without an answer", async () => {
    const free = await listening(createServer());
    await free[Symbol.asyncDispose]();
    for (const base of [`http://127.0.0.1:${free.port}`, `http://${"a".repeat(64)}.invalid`]) {
      await using side = clientOf(base);
      const error = await rejection(side.client.timers(signal));
      for (const form of forms) expect(shown(error)).not.toContain(form);
    }
  });
});

describe("the http client", () => {
  it("reuses connections", async () => {
    const ports = new Set<number | undefined>();
    await using server = await loopback((_, response) => {
      ports.add(response.socket?.remotePort);
      response.end('{"timers":[]}');
    });
    await using side = clientOf(server.origin);
    for (let n = 0; n < 20; n += 1) await side.client.timers(signal);
    // The next request may find the connection of the last not yet free.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("can be closed twice, and then ends open requests", async () => {
    const http = createHttpClient();
    let asked = () => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await using server = await loopback(() => asked());
    const request = { method: "GET", url: new URL(server.origin), headers: {}, bodyBytesMax: 100 } as const;
    const outcome = http.request(request, signal);
    await arrived;
    await http.close();
    await http.close();
    expect(await outcome).toMatchObject({ kind: "failed" });
  });
});
