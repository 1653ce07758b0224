import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpClient, type HttpClient } from "../../src/kit/http/http.ts";
import type { Log } from "../../src/kit/log.ts";
import type { SiteStatus } from "../../src/model/announcement.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { type AnnouncementsWatch, watchAnnouncements } from "../../src/site/announcements-loop.ts";
import { NOW } from "../guide-wire/loopback.ts";
import { entries, openSite, type Site } from "./site.ts";

let site: Site;
let http: HttpClient;
let stop: AbortController;
let said: string[];

beforeEach(async () => {
  site = await openSite();
  http = createHttpClient();
  stop = new AbortController();
  said = [];
});
afterEach(async () => {
  stop.abort();
  await http.close();
  await site[Symbol.asyncDispose]();
});

const say = (level: string) => (message: string) => void said.push(`${level}: ${message}`);
const log: Log = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };

/** Asked every day at noon; it is nine in the morning. */
function watch(): { readonly watch: AnnouncementsWatch; readonly run: Promise<void> } {
  const options = { url: site.server.content.url, check: "0 12 * * *", count: 2 };
  const watching = watchAnnouncements(options, { http, clock: site.clock, log });
  return { watch: watching, run: watching.run(stop.signal) };
}

/** Lets sockets do their work, for as long as it takes; the clock stands still. */
async function until(
  watching: AnnouncementsWatch,
  fits: (status: SiteStatus) => boolean,
): Promise<SiteStatus> {
  for (let turns = 0; turns < 100_000 && !fits(watching.status); turns += 1) await setImmediate();
  return watching.status;
}

const titles = ({ announcements }: SiteStatus) => announcements.map(({ title }) => title);

describe("the announcements of the content site", () => {
  it("are empty before the first request, and then its newest posts", async () => {
    const { watch: watching } = watch();
    expect(watching.status).toEqual({ announcements: [] });
    const status = await until(watching, ({ lastGoodAt }) => lastGoodAt !== undefined);
    expect(status).toMatchObject({ lastGoodAt: NOW });
    expect(titles(status)).toEqual(["News 25", "News 24"]);
    expect(said).toEqual([]);
  });

  it("are requested again by the schedule, and not before", async () => {
    const { watch: watching } = watch();
    await until(watching, ({ lastGoodAt }) => lastGoodAt === NOW);
    site.server.content.collections = { posts: entries([40]) };
    await site.clock.advanceTo(NOW + 3 * HOUR - 1);
    expect(site.server.requests).toHaveLength(1);
    await site.clock.advanceTo(NOW + 3 * HOUR);
    expect(titles(await until(watching, ({ lastGoodAt }) => lastGoodAt === NOW + 3 * HOUR))).toEqual([
      "News 40",
    ]);
    await site.clock.advance(DAY - MINUTE);
    expect(site.server.requests).toHaveLength(2);
  });

  it("stay when the site fails, with one notice and a retry within the hour", async () => {
    const { watch: watching } = watch();
    await until(watching, ({ lastGoodAt }) => lastGoodAt === NOW);
    const posts = site.server.content.collections;
    site.server.content.collections = {};
    await site.clock.advanceTo(NOW + 3 * HOUR);
    const failed = await until(watching, ({ failure }) => failure !== undefined);
    expect(failed).toMatchObject({
      lastGoodAt: NOW,
      failure: { since: NOW + 3 * HOUR, code: "SITE_NOT_FOUND" },
    });
    expect(titles(failed)).toEqual(["News 25", "News 24"]);
    for (let hours = 4; hours <= 6; hours += 1) {
      const before = watching.status;
      await site.clock.advanceTo(NOW + hours * HOUR);
      await until(watching, (status) => status !== before);
    }
    expect(watching.status.failure).toMatchObject({ since: NOW + 3 * HOUR });
    expect(site.server.requests).toHaveLength(5);
    expect(said).toEqual(["warn: the content site cannot be used; retrying"]);
    site.server.content.collections = posts;
    await site.clock.advanceTo(NOW + 7 * HOUR);
    expect(await until(watching, ({ failure }) => failure === undefined)).toMatchObject({
      lastGoodAt: NOW + 7 * HOUR,
    });
    expect(said.slice(1)).toEqual(["info: the content site answers again"]);
  });

  it("are no longer requested when the daemon ends, whatever it was doing", async () => {
    const { watch: watching, run } = watch();
    stop.abort();
    await run;
    expect(watching.status).toEqual({ announcements: [] });
    expect(said).toEqual([]);
    expect(site.clock.sleepers).toBe(0);
  });

  it("never end their caller: an internal fault is logged as an error", async () => {
    const broken = { ...http, request: () => Promise.reject(new TypeError("a mistake of ours")) };
    const options = { url: site.server.content.url, check: "@daily", count: 2 };
    await watchAnnouncements(options, { http: broken, clock: site.clock, log }).run(stop.signal);
    expect(said).toEqual(["error: announcements are not fetched again until the next start"]);
  });
});
