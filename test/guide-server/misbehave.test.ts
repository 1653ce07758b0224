import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { MISBEHAVIOUR_NAMES, type MisbehaviourName } from "../../src/guide-server/misbehave.ts";
import { MISBEHAVIOURS } from "../../src/guide-server/misbehaviours.ts";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { createGuideClient } from "../../src/guide-wire/client.ts";
import type { WireFormat } from "../../src/guide-wire/codec.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import type { GuideAccount } from "../../src/model/ports.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { deliver } from "../../src/recorder/report/delivery.ts";
import { countAbsence, NOTHING_MISSING } from "../../src/recorder/sync/core/absence.ts";
import type { VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { IS_LONG } from "../lane.ts";
import { Brain, tuner } from "../recorder/engine/runtime/world.ts";
import { type Hosted, hosted, NOW } from "./hosted.ts";

const signal = new AbortController().signal;
const POLICY = { shareMin: 0.5, confirmPolls: 3, confirmMs: 10 * MINUTE };
/** Names that suffer where types and encodings are mixed up. */
const TITLES = ["Été - Übung", "24", "007", "News"];
const POLLS = 9;

/** Waits for an answer that comes only as virtual time passes. */
async function inTime<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.sleepers > 1) await clock.advance(SECOND);
  }
  return work;
}

/** The recorder's side: its handling of answers, without tuners and without waiting. */
class Recorder {
  readonly brain = new Brain({ now: NOW, tuners: ["a", "b", "c", "d"].map((id) => tuner(id)) });
  readonly failures = new Set<string>();
  memory = NOTHING_MISSING;
  readonly account: GuideAccount;
  readonly clock: VirtualClock;

  constructor(account: GuideAccount, clock: VirtualClock) {
    this.account = account;
    this.clock = clock;
  }

  async poll(): Promise<void> {
    const before = this.brain.document;
    this.brain.now = this.clock.now();
    try {
      const list = await inTime(this.clock, this.account.timers(signal));
      const { memory, confirmed } = countAbsence({
        memory: this.memory,
        held: before.timers,
        list,
        policy: POLICY,
        now: this.brain.now,
        monotonicMs: this.clock.monotonicMs(),
      });
      this.memory = memory;
      this.brain.take({ kind: "timers-fetched", list, absent: confirmed });
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      this.failures.add(error.code);
      // no answer, no change.
      expect(this.brain.document).toBe(before);
    }
  }

  async tell(): Promise<void> {
    for (const report of this.brain.document.outbox) {
      const outcome = await inTime(this.clock, deliver(this.account, report, signal));
      if (outcome.kind !== "delivered") this.failures.add(outcome.code);
      this.brain.take({ kind: "delivery", seq: report.seq, message: report.message, outcome });
    }
  }

  get open() {
    return Object.values(this.brain.document.recordings).filter(({ state }) => !isTerminal(state));
  }
}

async function meeting(guide: Hosted, wire: WireFormat) {
  const http = createHttpClient();
  const client = createGuideClient({
    baseUrl: guide.baseUrl,
    apiKey: "any",
    applicationVersion: "recorderd/test",
    wire,
    http,
    clock: guide.clock,
    credentials: () => ({ email: guide.email, token: guide.token }),
  });
  const recorder = new Recorder(guideAccount(client, { regionId: 1 }), guide.clock);
  const channels = await recorder.account.channels(signal);
  recorder.brain.take({ kind: "channels-fetched", channels });
  return { client, recorder, [Symbol.asyncDispose]: () => http.close() };
}

async function book(guide: Hosted, title: string, start: number): Promise<string> {
  const showId = await guide.server.addShow({ channelId: 7, start, durationMinutes: 30, title });
  return guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id: showId });
}

/** The recorder's error codes, for the kinds of misbehaviour that cause failures. */
const FAILURES: Readonly<Partial<Record<MisbehaviourName, readonly string[]>>> = {
  "malformed-one": ["GUIDE_NOT_FOUND"],
  "unauthorized-mid-batch": ["GUIDE_SIGN_IN_NEEDED"],
  "retry-after-date": ["GUIDE_UNAVAILABLE"],
  "html-200": ["GUIDE_DOCUMENT_INVALID"],
  truncate: ["GUIDE_DOCUMENT_TORN"],
  trickle: ["GUIDE_TIMEOUT"],
};

describe.each(["json", "xml"] as const)(
  "R-11 R-12 R-13 R-15 R-16 in %s, a recorder keeps its timers",
  (wire) => {
    // Each habit in one of the two, both in the long lane.
    const names = MISBEHAVIOUR_NAMES.filter((_, at) => IS_LONG || (at % 2 === 0) === (wire === "json"));
    it.each(names)("despite the habit %s", async (name) => {
      await using guide = await hosted({ misbehave: { kinds: [name], seed: 7 } });
      await using met = await meeting(guide, wire);
      const { recorder, client } = met;
      const starts = TITLES.map((_title, index) => NOW + (3 + index) * HOUR);
      const ids: string[] = [];
      for (const [index, title] of TITLES.entries()) ids.push(await book(guide, title, starts[index] ?? 0));
      const doomed = await book(guide, "Doomed", NOW + 10 * HOUR);
      await recorder.poll();
      expect(recorder.open).toHaveLength(5);
      await client.deleteTimer(doomed, signal);
      let hadForget = false;
      for (let poll = 0; poll < POLLS; poll += 1) {
        await recorder.tell();
        await guide.clock.advance(5 * MINUTE);
        await recorder.poll();
        const kept = recorder.open.filter(({ name }) => name !== "Doomed");
        expect(kept.map(({ name, event }) => ({ name, start: event.start })).sort(byStart)).toEqual(
          TITLES.map((title, index) => ({ name: title, start: starts[index] })),
        );
        hadForget ||= kept.length === recorder.open.length;
      }
      // The forget arrived, and every report that can be delivered was.
      expect(hadForget).toBe(true);
      for (let tries = 0; tries < 9; tries += 1) await recorder.tell();
      expect(recorder.brain.document.outbox).toEqual([]);
      for (const id of ids) expect((await guide.server.timerReports(id)).at(0)?.state).toBe("waiting");
      expect([...recorder.failures].sort()).toEqual(FAILURES[name] ?? []);
    });
  },
);

const byStart = (a: { readonly start: number }, b: { readonly start: number }) => a.start - b.start;

it.each(["json", "xml"] as const)("despite all habits at once, in %s", async (wire) => {
  const kinds = MISBEHAVIOUR_NAMES.filter((name) => name !== "trickle");
  await using guide = await hosted({ misbehave: { kinds, seed: 7 } });
  await using met = await meeting(guide, wire);
  for (const [index, title] of TITLES.entries()) await book(guide, title, NOW + (3 + index) * HOUR);
  for (let poll = 0; poll < 20; poll += 1) {
    await met.recorder.poll();
    await guide.clock.advance(5 * MINUTE);
    expect(new Set(met.recorder.open.map(({ name }) => name))).toEqual(new Set(TITLES));
    expect(met.recorder.open).toHaveLength(TITLES.length);
  }
});

it("R-12 a 404 for the timers counts as an empty list that may be missing", async () => {
  await using guide = await hosted({ misbehave: { kinds: ["not-found-when-empty"], seed: 7 } });
  expect(await guide.ask({ method: "GET", path: "/shows/timers" })).toMatchObject({ status: 404 });
  await using met = await meeting(guide, "json");
  expect(await met.recorder.account.timers(signal)).toEqual({ timers: [], malformed: [], isNotFound: true });
});

it.each([
  "forget-after-record",
  "duplicate",
  "shrink",
  "numbers-as-strings",
  "latin1-lie",
  "clock-skew",
  "empty-once",
] as const)("the habit %s shows in the answers, the same for the same seed", async (name) => {
  const answers = await Promise.all([[], [name], [name]].map((kinds) => threeLists(kinds)));
  expect(answers[1]).not.toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[1]);
});

async function threeLists(kinds: readonly MisbehaviourName[]): Promise<readonly string[]> {
  await using guide = await hosted({ misbehave: { kinds, seed: 7 } });
  const doomed = await book(guide, "Été", NOW + 3 * HOUR);
  await book(guide, "Other", NOW + 4 * HOUR);
  const found: string[] = [];
  for (let asked = 0; asked < 3; asked += 1) {
    const { body, headers } = await guide.ask({ method: "GET", path: "/shows/timers" });
    const isAhead = Date.parse(headers["date"] ?? "") === NOW + HOUR;
    found.push(`${isAhead} ${body.toString("hex")}`);
    if (asked === 0) await guide.ask({ method: "DELETE", path: `/shows/timers/${doomed}` });
  }
  return found;
}

it("the documentation explains every habit", async () => {
  const lines = MISBEHAVIOUR_NAMES.map((name) => `| \`${name}\` | ${MISBEHAVIOURS[name].meaning} |`);
  const wanted = ["| habit | meaning |", "| --- | --- |", ...lines, ""].join("\n");
  const text = await readFile(new URL("../../docs/dev/guide-server-api.md", import.meta.url), "utf8");
  expect(text).toContain(wanted);
});
