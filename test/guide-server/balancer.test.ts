import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../free-port.ts";
import { balancer, nginxBalancer } from "./balancer.ts";

const CHECK = "/openapi.json";

interface Stub extends AsyncDisposable {
  readonly port: number;
  /** The requests that arrived, without checks of its health. */
  readonly requests: readonly string[];
}

/** A server in the place of a guide server. */
async function stub(answer: RequestListener, health = 200): Promise<Stub> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === CHECK) return void response.writeHead(health).end();
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const good = (name: string) => stub((_request, response) => void response.end(name));
/** It takes a request and then has an accident. */
const dying = () => stub((request) => void request.socket.destroy());

const askTimes = async (count: number, port: number, init: RequestInit) => {
  const answers: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    // Without an answer to pass on, HAProxy may also close the connection.
    const answer = await fetch(`http://127.0.0.1:${port}/shows`, init).catch(() => undefined);
    answers.push(answer?.ok === true ? await answer.text() : "none");
  }
  return answers;
};

describe("HAProxy with the example for guide servers", () => {
  it("gives each server its turn", async () => {
    await using one = await good("one");
    await using two = await good("two");
    await using proxy = await balancer([one.port, two.port]);
    expect((await askTimes(4, proxy.port, {})).sort()).toEqual(["one", "one", "two", "two"]);
  });

  it("gives no request to a server that answers 503 to checks of its health", async () => {
    await using good1 = await good("good");
    await using closing = await stub((_request, response) => void response.end("closing"), 503);
    await using proxy = await balancer([good1.port, closing.port]);
    await expect.poll(async () => new Set(await askTimes(4, proxy.port, {}))).toEqual(new Set(["good"]));
  });

  it("gives every request to another server where one does not listen", async () => {
    await using one = await good("one");
    await using proxy = await balancer([await freePort(), one.port]);
    for (const method of ["POST", "PUT", "DELETE", "GET"])
      expect(await askTimes(4, proxy.port, { method })).toEqual(["one", "one", "one", "one"]);
  });

  it.each(["POST", "PUT", "DELETE"])("never repeats a %s that a server has received", async (method) => {
    await using one = await dying();
    await using two = await dying();
    await using proxy = await balancer([one.port, two.port]);
    expect(await askTimes(4, proxy.port, { method })).toEqual(["none", "none", "none", "none"]);
    expect([...one.requests, ...two.requests]).toHaveLength(4);
  });

  it("repeats a GET where the server had an accident, or has begun to end", async () => {
    await using one = await good("one");
    await using two = await dying();
    await using three = await stub((_request, response) => void response.writeHead(503).end());
    await using proxy = await balancer([one.port, two.port, three.port]);
    expect(new Set(await askTimes(6, proxy.port, {}))).toEqual(new Set(["one"]));
    expect(two.requests.length + three.requests.length).toBeGreaterThan(0);
  });
});

describe("nginx with the example for guide servers", () => {
  it("gives each server its turn", async () => {
    await using one = await good("one");
    await using two = await good("two");
    await using proxy = await nginxBalancer([one.port, two.port]);
    expect((await askTimes(4, proxy.port, {})).sort()).toEqual(["one", "one", "two", "two"]);
  });

  it.each(["POST", "PUT", "DELETE"])("never repeats a %s that a server has received", async (method) => {
    await using one = await dying();
    await using two = await dying();
    await using proxy = await nginxBalancer([one.port, two.port]);
    expect(await askTimes(4, proxy.port, { method })).toEqual(["none", "none", "none", "none"]);
    const all = [...one.requests, ...two.requests];
    // A server that has just failed gets none for a moment.
    expect(all.length).toBeLessThanOrEqual(4);
    expect(all.length).toBeGreaterThan(0);
  });

  it("passes a change with its body, and repeats a GET where the server had an accident", async () => {
    await using one = await stub((request, response) => void request.pipe(response));
    await using two = await dying();
    await using proxy = await nginxBalancer([one.port]);
    expect(await askTimes(1, proxy.port, { method: "PUT", body: "a change" })).toEqual(["a change"]);
    await using other = await good("good");
    await using both = await nginxBalancer([two.port, other.port]);
    expect(await askTimes(4, both.port, {})).toEqual(["good", "good", "good", "good"]);
    expect(two.requests.length).toBeGreaterThan(0);
  });

  it("passes each event of a stream at once", async () => {
    let send = (_text: string) => {};
    await using one = await stub((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      send = (text) => void response.write(text);
      send("first");
    });
    await using proxy = await nginxBalancer([one.port]);
    const answer = await fetch(`http://127.0.0.1:${proxy.port}/shows/timers/changes`);
    const reader = answer.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    expect(await next()).toBe("first");
    send("second");
    expect(await next()).toBe("second");
    await reader?.cancel();
  });
});
