import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { trustedProxies } from "../../src/kit/http/client-address.ts";
import { HTTP_LIMITS } from "../../src/kit/http/limits.ts";
import { balancer, nginxBalancer } from "./balancer.ts";
import { hosted } from "./hosted.ts";

interface Guess {
  readonly port: number;
  /** The client's address, one of loopback. */
  readonly from: string;
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns the status */
function guess({ port, from, name, headers = {} }: Guess): Promise<number> {
  const member = { email_address: `${name}@example.org`, password: "a wrong guess" };
  const order = { host: "127.0.0.1", port, localAddress: from, path: "/login", method: "POST", agent: false };
  return new Promise((resolve, reject) => {
    const asked = request({ ...order, headers: { "content-type": "application/json", ...headers } });
    asked.once("response", (answer) => resolve(answer.resume().statusCode ?? 0)).once("error", reject);
    asked.end(JSON.stringify({ member }));
  });
}

/** Uses up what one address may guess. */
async function guessTooOften(place: Omit<Guess, "name">): Promise<void> {
  for (let count = 0; count < HTTP_LIMITS.guessesPerAddress; count += 1)
    await guess({ ...place, name: `a${count}` });
  expect(await guess({ ...place, name: "b" })).toBe(429);
}

describe.each(Object.entries({ HAProxy: balancer, nginx: nginxBalancer }))("behind %s", (_name, open) => {
  it("a client that guesses too often locks out itself, and nobody else", async () => {
    await using guide = await hosted({ isTrustedProxy: trustedProxies(["127.0.0.1"]) });
    await using proxy = await open([Number(new URL(guide.baseUrl).port)]);
    const guesser = { port: proxy.port, from: "127.0.0.2" };
    await guessTooOften(guesser);
    const headers = { "x-forwarded-for": "127.0.0.3" };
    expect(await guess({ ...guesser, headers, name: "b" })).toBe(429);
    expect(await guess({ port: proxy.port, from: "127.0.0.3", name: "c" })).toBe(401);
    expect(await guess({ port: proxy.port, from: "127.0.0.3", name: "d" })).toBe(401);
  });
});

it("a client that connects directly names nobody, not even by the header of a proxy", async () => {
  await using guide = await hosted({ isTrustedProxy: trustedProxies(["127.0.0.9"]) });
  const port = Number(new URL(guide.baseUrl).port);
  await guessTooOften({ port, from: "127.0.0.2" });
  const headers = { "x-forwarded-for": "127.0.0.3" };
  expect(await guess({ port, from: "127.0.0.2", headers, name: "b" })).toBe(429);
});
