import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnswerOptions, LOADING } from "../../src/guide-server/http/answer.ts";
import { metricsRoute } from "../../src/guide-server/http/metrics-route.ts";
import { RequestLimits } from "../../src/guide-server/http/request-limits.ts";
import { RequestMetrics } from "../../src/guide-server/http/request-metrics.ts";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import type { WebRequest } from "../../src/kit/http/web-server.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { type Hosted, hosted } from "./hosted.ts";
import { PAGE_ROUTES, PAGES } from "./household.ts";

const TOKEN = "token-of-the-operator";

let guide: Hosted;
beforeAll(async () => {
  const requests = new RequestMetrics({ monotonicMs: () => guide?.clock.monotonicMs() ?? 0 });
  guide = await hosted({ pages: PAGES, metrics: { token: TOKEN, requests } });
});
afterAll(() => guide[Symbol.asyncDispose]());

function ask(path: string, token = TOKEN) {
  const headers = { authorization: `Bearer ${token}` };
  return guide.ask({ method: "GET", path, anonymous: true, headers });
}

async function lines(): Promise<readonly string[]> {
  const { status, body } = await ask("/metrics");
  expect(status).toBe(200);
  return body.toString().split("\n");
}

describe("the metrics of the guide server", () => {
  it("count requests and time them by route and status, streams of changes by their number", async () => {
    for (const id of ["987", "988"]) await guide.ask({ method: "GET", path: `/shows/timers/${id}.xml` });
    await guide.ask({ method: "GET", path: "/shows/timers" });
    await guide.ask({ method: "GET", path: "/v1/devices", anonymous: true });
    const query = `email_address=${encodeURIComponent(guide.email)}&token=${guide.token}`;
    const url = `${guide.baseUrl}/shows/timers/changes?${query}`;
    // Not by fetch: it opens a connection more when one breaks off, for which the server would wait at its end.
    const stream = get(url);
    await once(stream, "response");
    const seen = await lines();
    stream.destroy();
    const count = (method: string, route: string, status: number) =>
      `recorderd_guide_requests_total{method="${method}",route="${route}",status="${status}"}`;
    expect(seen).toContain(`${count("GET", "/shows/timers/:timer_id", 404)} 2`);
    expect(seen).toContain(`${count("GET", "/shows/timers", 200)} 1`);
    expect(seen).toContain(`${count("GET", "/v1/devices", 401)} 1`);
    expect(seen).toContain(`${count("POST", "/login", 201)} 1`);
    const timed = 'method="GET",route="/shows/timers/:timer_id"';
    expect(seen).toContain(`recorderd_guide_request_seconds_count{${timed}} 2`);
    expect(seen).toContain("recorderd_guide_streams 1");
  });

  it("have only labels of the table of routes, whatever clients send", async () => {
    const hostile = ['/x"y{z}', "/shows/timers/%0arecorderd_guide_info", `/${guide.token}`, "/%zz"];
    for (const path of hostile) await guide.ask({ method: "GET", path });
    await guide.ask({ method: "DELETE", path: "/regions" });
    const seen = await lines();
    const labels = new Set(seen.flatMap((line) => /route="([^"]*)"/.exec(line)?.[1] ?? []));
    const known = [
      ...GUIDE_ROUTES.map(({ path }) => path.replace(/\{(\w+)\}/g, ":$1")),
      ...PAGE_ROUTES.map(({ path }) => path),
      ...["/openapi", "/metrics", "none"],
    ];
    expect([...labels].filter((label) => !known.includes(label))).toEqual([]);
    const unrouted = (status: number) => `{method="none",route="none",status="${status}"}`;
    expect(seen).toContain(`recorderd_guide_requests_total${unrouted(404)} 2`);
    expect(seen).toContain(`recorderd_guide_requests_total${unrouted(405)} 1`);
    expect(seen).toContain(`recorderd_guide_requests_total${unrouted(406)} 1`);
    expect(seen.join("\n")).not.toMatch(new RegExp([guide.token, guide.email.slice(0, 6), TOKEN].join("|")));
  });

  it("are described in docs/dev/metrics.md, each of them and no other", async () => {
    const served = await lines();
    const told = served.flatMap((line) => {
      const [, name = "", help = ""] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
      const type = served.find((other) => other.startsWith(`# TYPE ${name} `))?.split(" ")[3];
      return name === "" ? [] : [`| \`${name}\` | ${type} | ${help} |`];
    });
    const [, text = ""] = (await readFile("docs/dev/metrics.md", "utf8")).split("## Guide server");
    expect(text.split("\n").filter((line) => line.startsWith("| `"))).toEqual(told);
  });

  it("need their token", async () => {
    expect((await guide.ask({ method: "GET", path: "/metrics" })).status).toBe(401);
    expect((await ask("/metrics", guide.token)).status).toBe(401);
    await using plain = await hosted();
    expect((await plain.ask({ method: "GET", path: "/metrics" })).status).toBe(404);
  });

  it("are closed to an address that guesses too many tokens, and to nobody else", async () => {
    const clock = createVirtualClock(0);
    const options = { clock, limits: new RequestLimits(), service: () => LOADING };
    const requests = new RequestMetrics(clock);
    const { handle } = metricsRoute({ token: TOKEN, requests }, options as unknown as AnswerOptions);
    const from = async (address: string, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await handle({ address, headers, query: new URLSearchParams() } as WebRequest)).status;
    };
    for (let nth = 0; nth < SERVER_LIMITS.requests.open.atOnce; nth += 1)
      expect(await from("192.0.2.1", "guess")).toBe(401);
    expect(await from("192.0.2.1", "guess")).toBe(429);
    expect(await from("192.0.2.2", "guess")).toBe(401);
    expect(await from("192.0.2.1", TOKEN)).toBe(200);
  });
});
