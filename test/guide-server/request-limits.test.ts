import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Kind, RequestLimits } from "../../src/guide-server/http/request-limits.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { createGuideClient } from "../../src/guide-wire/client.ts";
import type { Credentials } from "../../src/guide-wire/exchange.ts";
import { createHttpClient, type HttpClient } from "../../src/kit/http/http.ts";
import { HTTP_LIMITS } from "../../src/kit/http/limits.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { type Answer, type Ask, type Hosted, hosted, PASSWORD } from "./hosted.ts";
import { signIn } from "./household.ts";

const { requests } = SERVER_LIMITS;
const KINDS = Object.keys(requests) as readonly Kind[];

describe("requests of one kind", () => {
  it.each(KINDS)("%s: a burst, then a rate, and no wait is longer than announced", (kind) => {
    const limits = new RequestLimits();
    const { atOnce, perSecond } = requests[kind];
    for (let count = 0; count < atOnce; count += 1) expect(limits.refuse(kind, "a", 0)).toBeUndefined();
    const refused = limits.refuse(kind, "a", 0);
    expect(refused).toMatchObject({ status: 429, headers: { "Retry-After": "1" } });
    let taken = 0;
    for (let ms = 1; ms <= 10 * SECOND; ms += 1) if (limits.refuse(kind, "a", ms) === undefined) taken += 1;
    expect(taken).toBe(10 * perSecond);
  });

  it("are counted separately by kind and by client", () => {
    const limits = new RequestLimits();
    for (let count = 0; count < requests.read.atOnce; count += 1) limits.refuse("read", "a", 0);
    expect(limits.refuse("read", "a", 0)).toBeDefined();
    expect(limits.refuse("write", "a", 0)).toBeUndefined();
    expect(limits.refuse("open", "a", 0)).toBeUndefined();
    expect(limits.refuse("read", "b", 0)).toBeUndefined();
  });
});

describe("a server over its request limit", () => {
  let guide: Hosted;
  let http: HttpClient;
  beforeAll(async () => {
    guide = await hosted();
    http = createHttpClient();
  });
  afterAll(async () => {
    await http.close();
    await guide[Symbol.asyncDispose]();
  });

  /** So many, a few at a time. @returns the last answer */
  async function often(ask: Ask, times: number): Promise<Answer | undefined> {
    let left = times;
    let last: Answer | undefined;
    const askOn = async () => {
      while (left > 0) {
        left -= 1;
        last = await guide.ask(ask);
      }
    };
    await Promise.all(Array.from({ length: 8 }, askOn));
    return last;
  }
  const clientOf = (credentials: Credentials) =>
    createGuideClient({
      baseUrl: guide.baseUrl,
      apiKey: "",
      applicationVersion: "recorderd/test",
      wire: "json",
      http,
      clock: guide.clock,
      credentials: () => credentials,
    });
  const { signal } = new AbortController();

  it("refuses a session with 429, tells our client when to return, and refuses no other", async () => {
    const reading = { method: "GET", path: "/series/favourites" } as const;
    expect((await often(reading, requests.read.atOnce))?.status).toBe(200);
    const refused = await guide.ask(reading);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(refused.read("error").error.code).toBe("too_many_requests");
    const client = clientOf(guide);
    await expect(client.timers(signal)).rejects.toMatchObject({
      code: "GUIDE_UNAVAILABLE",
      facts: { status: 429, retryAfterMs: SECOND },
    });
    // The recorder's reports still get through, and so do requests of others.
    const id = await guide.book();
    await client.setTimer(id, { state: "running" }, signal);
    await client.regions(signal);
    await clientOf(await signIn(guide, guide.email)).timers(signal);
    await guide.clock.advanceTo(guide.clock.now() + SECOND);
    expect((await client.timers(signal)).value.timers).toHaveLength(1);
  });

  it("counts invalid tokens by address, apart from valid ones", async () => {
    const guess = { method: "GET", path: "/devices", token: "guess" } as const;
    await often(guess, requests.open.atOnce);
    expect((await guide.ask(guess)).status).toBe(429);
    expect((await guide.ask({ method: "GET", path: "/regions" })).status).toBe(429);
    expect((await guide.ask({ method: "GET", path: "/devices" })).status).toBe(200);
    await guide.clock.advanceTo(guide.clock.now() + MINUTE);
    expect((await guide.ask(guess)).status).toBe(401);
  });

  it("makes our client wait a quarter of an hour after ten wrong passwords", async () => {
    const client = clientOf(guide);
    const wrong = { member: { email_address: "nobody@example.org", password: "wrong" } };
    for (let count = 0; count < HTTP_LIMITS.guessesPerName; count += 1) {
      await expect(client.login(wrong, signal)).rejects.toMatchObject({ code: "GUIDE_SIGN_IN_NEEDED" });
    }
    await expect(client.login(wrong, signal)).rejects.toMatchObject({
      facts: { status: 429, retryAfterMs: HTTP_LIMITS.guessesMs },
    });
    const right = { member: { email_address: guide.email, password: PASSWORD } };
    expect((await client.login(right, signal)).value.member.token).not.toBe("");
  });
});
