import { beforeEach, describe, expect, it } from "vitest";
import type { Document } from "../../src/guide-wire/documents.ts";
import { NOW } from "./hosted.ts";
import { Ledger } from "./writers.ts";

type Timer = Document<"timers">["timers"][number];

let ledger: Ledger;
let booked: Timer;
let unanswered: Timer;
beforeEach(() => {
  ledger = new Ledger({ now: NOW, channelId: 7 });
  const order = ledger.order("one", 3);
  ledger.booked("1", order);
  booked = { ...order, id: "1", action: "record" } as unknown as Timer;
  unanswered = { ...ledger.order("two", 3), id: "2", action: "record" } as unknown as Timer;
});

describe("the ledger of acknowledged changes", () => {
  it("accepts what was acknowledged, with what was not or without it", () => {
    ledger.check([booked]);
    ledger.check([booked, unanswered]);
    ledger.check([], 4);
  });

  it("accepts either message of a change without an answer, and either end of a cancellation", () => {
    ledger.changing("1", "told");
    ledger.check([booked]);
    ledger.check([{ ...booked, message: "told" }]);
    ledger.cancelling("1");
    ledger.check([booked]);
    ledger.check([]);
  });

  it.each<[what: string, () => readonly Timer[]]>([
    ["a lost timer", () => []],
    ["a lost timer that is to be forgotten", () => [{ ...booked, action: "forget" }]],
    ["a timer with another time", () => [{ ...booked, start_time: "2026-11-20T09:00:00Z" }]],
    ["a message that nobody wrote", () => [{ ...booked, message: "three" }]],
    ["a timer that nobody ordered", () => [booked, { ...unanswered, message: "three" }]],
    ["half of an order", () => [booked, { ...unanswered, duration_minutes: 1 }]],
    ["a doubled timer", () => [booked, { ...booked, id: "3" }]],
    ["a doubled order", () => [booked, unanswered, { ...unanswered, id: "3" }]],
  ])("refuses %s", (_what, timers) => {
    expect(() => ledger.check([...timers()])).toThrow();
  });

  it("refuses a former message and a cancelled timer", () => {
    ledger.changing("1", "told");
    ledger.changed("1", "told");
    expect(() => ledger.check([booked])).toThrow();
    ledger.cancelling("1");
    ledger.cancelled("1");
    ledger.check([]);
    expect(() => ledger.check([{ ...booked, message: "told" }])).toThrow();
  });

  it("counts on a list once it is settled", () => {
    ledger.settle([booked, unanswered]);
    expect(() => ledger.check([booked])).toThrow();
    ledger.cancelling("1");
    ledger.settle([unanswered]);
    expect(() => ledger.check([booked, unanswered])).toThrow();
  });
});
