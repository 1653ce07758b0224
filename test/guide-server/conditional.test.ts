import { describe, expect, it } from "vitest";
import type { Timer } from "../../src/guide-wire/records.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/model/time.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { type Hosted, hosted } from "./hosted.ts";
import { addUser, type SessionOf } from "./household.ts";

const LIST = "/shows/timers";

/** A client that keeps its list and asks only for a changed one. */
class Poller {
  readonly #guide: Hosted;
  readonly #session: Partial<SessionOf>;
  readonly #path: string;
  #tag: string | undefined;
  list: readonly Timer[] = [];
  unchanged = 0;

  constructor(
    guide: Hosted,
    { session = {}, path = LIST }: { session?: Partial<SessionOf>; path?: string } = {},
  ) {
    this.#guide = guide;
    this.#session = session;
    this.#path = path;
  }

  async poll(): Promise<readonly Timer[]> {
    const headers = this.#tag === undefined ? {} : { "if-none-match": this.#tag };
    const answer = await this.#guide.ask({ method: "GET", path: this.#path, headers, ...this.#session });
    if (answer.status === 304) this.unchanged += 1;
    else this.list = answer.read("timers").timers;
    this.#tag = answer.headers["etag"];
    return this.list;
  }
}

/** One event that may happen to an account between two polls. The numbers choose a timer, a show or a rule. */
type Event =
  | {
      readonly kind: "book" | "cancel" | "report" | "move-show" | "publish" | "poll" | "forget";
      readonly n: number;
    }
  | { readonly kind: "add-rule" | "remove-rule" | "rename-device"; readonly n: number }
  | { readonly kind: "advance" | "step"; readonly ms: number };

const n = fc.nat(1000);
const kinds = [
  ...(["book", "book", "cancel", "report", "move-show", "publish", "poll", "poll", "forget"] as const),
  ...(["add-rule", "remove-rule", "rename-device"] as const),
];
const events: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), n }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("advance" as const),
      ms: fc.oneof(fc.nat(2 * HOUR), fc.nat(10 * DAY), fc.constantFrom(HOUR, 7 * DAY, 8 * DAY)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("step" as const),
      ms: fc.oneof(fc.integer({ min: -9 * DAY, max: 9 * DAY }), fc.constantFrom(-MINUTE, -DAY)),
    }),
  },
);

async function happen(guide: Hosted, event: Event, shows: number[]): Promise<void> {
  const { server, clock, deviceId } = guide;
  const json = { "content-type": "application/json" };
  const timers = await server.timers(guide.email);
  const showAt = (start: number, title: string) =>
    server.addShow({ channelId: 7, start, durationMinutes: 30, title, seriesId: title });
  switch (event.kind) {
    case "advance":
      return clock.advance(event.ms);
    case "step":
      return clock.step(event.ms);
    case "book": {
      const show_id = await showAt(clock.now() + (event.n % 40) * 10 * MINUTE, "Booked");
      shows.push(show_id);
      await server.addTimer(guide.email, { device_id: deviceId, show_id });
      return;
    }
    case "publish":
      shows.push(
        await showAt(clock.now() + (1 + (event.n % 40)) * HOUR, event.n % 2 === 0 ? "Wanted" : "Other"),
      );
      return;
    case "move-show": {
      const id = shows[event.n % (shows.length || 1)];
      if (id === undefined) return;
      const start = clock.now() + (event.n % 90) * HOUR;
      const show = { id, channelId: 7, start, durationMinutes: 40, title: "Moved", seriesId: "Wanted" };
      return server.seed({
        ...{ regions: [], channels: [], manufacturers: [], types: [], series: [] },
        shows: [show],
      });
    }
    case "forget":
      return server.forgetOld();
    case "add-rule": {
      const text = JSON.stringify({ device_id: deviceId, name: "Rule", words: "wanted" });
      await guide.ask({ method: "POST", path: "/rules", text, headers: json });
      return;
    }
    case "remove-rule":
      await guide.ask({ method: "DELETE", path: `/rules/${1 + (event.n % 3)}` });
      return;
    case "rename-device": {
      const text = JSON.stringify({ label: `Box ${event.n}` });
      await guide.ask({ method: "PUT", path: `/devices/${deviceId}`, text, headers: json });
      return;
    }
    case "cancel":
    case "report": {
      const timer = timers[event.n % (timers.length || 1)];
      if (timer === undefined) return;
      const path = `${LIST}/${timer.id}`;
      const states = ["pending", "running", "completed", "failed"];
      const text = JSON.stringify({ state: states[event.n % 4], message: `Report ${event.n % 3}` });
      await guide.ask(
        event.kind === "cancel" ? { method: "DELETE", path } : { method: "PUT", path, text, headers: json },
      );
      return;
    }
    case "poll":
      return;
  }
}

describe("a client that polls conditionally", () => {
  it("has the same list as one that polls fully, after any changes and clock steps", async () => {
    let unchanged = 0;
    let polls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(events, { minLength: 5, maxLength: 25 }), async (script) => {
        await using guide = await hosted();
        // Reading marks timers as sent, but not for a user who may only read.
        const reader = await addUser(guide, "ben", "viewer");
        const recorder = new Poller(guide);
        const viewer = new Poller(guide, { session: reader, path: `${LIST}.xml` });
        const shows: number[] = [];
        for (const event of script) {
          await happen(guide, event, shows);
          const seen = await viewer.poll();
          const full = await new Poller(guide, { session: reader }).poll();
          if (!isSame(full, seen) || !isSame(full, await recorder.poll())) return false;
          polls += 2;
        }
        unchanged += recorder.unchanged + viewer.unchanged;
        return true;
      }),
      { numRuns: casesOf({ sample: 8, all: 1000 }) },
    );
    // Otherwise the property would hold for a server without 304.
    expect(unchanged).toBeGreaterThan(polls / 4);
  });

  it("gets 304 without a body, with Date and the same ETag, while nothing changes", async () => {
    await using guide = await hosted();
    await guide.book();
    const read = (tag?: string) =>
      guide.ask({ method: "GET", path: LIST, headers: tag === undefined ? {} : { "if-none-match": tag } });
    // The first read marks the timer as sent: the list after it is another one.
    const waiting = await read();
    const sent = await read(waiting.headers["etag"]);
    expect([waiting, sent].map((answer) => answer.read("timers").timers[0]?.state)).toEqual([
      "waiting",
      "sent",
    ]);
    const same = await read(sent.headers["etag"]);
    expect([same.status, same.body.length, same.headers["etag"]]).toEqual([304, 0, sent.headers["etag"]]);
    expect(same.headers["date"]).toMatch(/GMT$/);
    expect(same.headers["vary"]).toBe(sent.headers["vary"]);
  });

  it("gets 304 for one of several tags, and the list for a foreign one", async () => {
    await using guide = await hosted();
    const { etag = "" } = (await guide.ask({ method: "GET", path: LIST })).headers;
    const statusOf = async (tag: string) =>
      (await guide.ask({ method: "GET", path: LIST, headers: { "if-none-match": tag } })).status;
    expect(await statusOf(`"a", ${etag}, W/"b"`)).toBe(304);
    expect(await statusOf(etag.replace("W/", ""))).toBe(304);
    for (const foreign of ["*", '"a"', "", etag.replace(/[0-9a-f](?=-)/, "g"), etag.slice(0, 20)])
      expect([foreign, await statusOf(foreign)]).toEqual([foreign, 200]);
  });

  it("gets the list when it asks in another way, as another user, or another server run", async () => {
    const first = await hosted();
    const { etag = "" } = (await first.ask({ method: "GET", path: LIST })).headers;
    const other = await addUser(first, "anna", "member");
    const headers = { "if-none-match": etag };
    const query = `device_id=${first.deviceId}`;
    for (const ask of [
      { path: `${LIST}.xml` },
      { path: `${LIST}?per_page=5` },
      { path: `${LIST}?encoding=ISO-8859-1` },
      { path: `${LIST}?${query}` },
      { path: LIST, ...other },
    ]) {
      expect((await first.ask({ method: "GET", headers, ...ask })).status).toBe(200);
    }
    expect((await first.ask({ method: "GET", path: LIST, headers })).status).toBe(304);
    const refused = { method: "GET", path: LIST, headers, token: "stale" } as const;
    expect((await first.ask(refused)).status).toBe(401);
    await first[Symbol.asyncDispose]();
    await using second = await hosted();
    expect((await second.ask({ method: "GET", path: LIST, headers })).status).toBe(200);
  });

  it("gets the list again when a timer leaves it by age, or the clock is set back", async () => {
    await using guide = await hosted();
    await guide.book();
    const poller = new Poller(guide);
    await poller.poll();
    await poller.poll();
    expect(await poller.poll()).toHaveLength(1);
    expect(poller.unchanged).toBe(1);
    await guide.clock.advance(2 * HOUR + 7 * DAY);
    expect(await poller.poll()).toEqual([]);
    guide.clock.step(-DAY);
    expect(await poller.poll()).toHaveLength(1);
  });

  it("gets 304 whether its list was compressed or not", async () => {
    await using guide = await hosted();
    for (let count = 0; count < 10; count += 1) await guide.book();
    await guide.ask({ method: "GET", path: LIST });
    const [plain, small] = [{}, { "accept-encoding": "gzip" }];
    const long = await guide.ask({ method: "GET", path: LIST, headers: plain });
    const short = await guide.ask({ method: "GET", path: LIST, headers: small });
    expect(short.headers["content-encoding"]).toBe("gzip");
    expect(short.body).toEqual(long.body);
    for (const tagged of [long, short]) {
      for (const asked of [plain, small]) {
        const headers = { ...asked, "if-none-match": tagged.headers["etag"] ?? "" };
        expect((await guide.ask({ method: "GET", path: LIST, headers })).status).toBe(304);
      }
    }
  });

  it("makes a rule's timers all the same: they are expanded before the answer", async () => {
    await using guide = await hosted();
    const poller = new Poller(guide);
    await poller.poll();
    const text = JSON.stringify({ device_id: guide.deviceId, name: "Rule", words: "thing" });
    const headers = { "content-type": "application/json" };
    await guide.ask({ method: "POST", path: "/rules", text, headers });
    await poller.poll();
    await poller.poll();
    const start = guide.clock.now() + 5 * HOUR;
    await guide.server.addShow({ channelId: 7, start, durationMinutes: 30, title: "One more thing" });
    const list = await poller.poll();
    expect(list.map(({ start_time }) => start_time)).toContain(formatInstant(start));
  });
});

function isSame(a: readonly Timer[], b: readonly Timer[]): boolean {
  return JSON.stringify(a.map(inOrder)) === JSON.stringify(b.map(inOrder));
}

/** Fields come in another order from XML. */
function inOrder(timer: Timer): readonly unknown[] {
  return Object.entries(timer).sort(([a], [b]) => (a < b ? -1 : 1));
}
