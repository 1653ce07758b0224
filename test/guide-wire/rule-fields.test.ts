import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument } from "../../src/guide-wire/codec.ts";
import { orderFieldOf, orderFields, wireFieldOf, wireOrder } from "../../src/guide-wire/rule-fields.ts";
import type { RuleChange } from "../../src/guide-wire/rule-records.ts";
import type { RuleOrder } from "../../src/model/rule.ts";

const FULL: Required<RuleOrder> = {
  name: "Evening films",
  isPaused: true,
  words: "night train",
  expression: "^the .* train$",
  seriesId: "12",
  genres: ["movie", "Krimi"],
  within: "all",
  without: "trailer",
  channelIds: [3, 7],
  weekdays: [1, 7],
  between: { from: 1200, until: 60 },
  minMinutes: 45,
  maxMinutes: 200,
  newOnly: true,
  airing: "first",
  quality: "HD Only",
  keep: 5,
  priority: 70,
  beforeMinutes: 2,
  afterMinutes: 10,
  folder: "Films/Trains",
};

describe("the fields of a rule", () => {
  it.each(["json", "xml"] as const)("survive the way to a service and back in %s", (format) => {
    const { body, contentType } = encodeDocument("rule-set", wireOrder(FULL), { format });
    const { value } = decodeDocument("rule-set", body, { contentType });
    expect(orderFields(value)).toEqual(FULL);
  });

  it("are absent where the order does not restrict", () => {
    const order: RuleOrder = { name: "Trains", words: "train", quality: "Prefer HD" };
    expect(wireOrder(order)).toEqual({ name: "Trains", words: "train", recording_quality: "Prefer HD" });
    expect(orderFields(wireOrder(order))).toEqual(order);
  });

  it("count as absent when a client writes them empty, or with the value for any", () => {
    const empty: RuleChange = {
      ...{ name: "Trains", words: "train", exclude: "", genres: "", channel_ids: "", folder: "" },
      ...{ search_in: "title", airing: "any", is_new_only: 0, is_paused: 0 },
    };
    expect(orderFields(empty)).toEqual({ name: "Trains", words: "train", quality: "Prefer HD" });
  });

  it("let a time of day be open at one end", () => {
    expect(orderFields({ name: "Late", start_after: 1320 }).between).toEqual({ from: 1320, until: 0 });
    expect(orderFields({ name: "Early", start_before: 540 }).between).toEqual({ from: 0, until: 540 });
  });

  it("are named in both directions, so that a mistake is shown where it was made", () => {
    for (const field of Object.keys(FULL) as (keyof RuleOrder)[]) {
      expect(orderFieldOf(wireFieldOf(field))).toBe(field);
    }
    expect(orderFieldOf("start_before")).toBe("between");
    expect(orderFieldOf("device_id")).toBeUndefined();
  });
});

describe("a timer of another service that uses the names of our fields", () => {
  it.each([
    ["priority", "high"],
    ["folder", { path: "x" }],
    ["rule_id", []],
    ["keep_newest", 1.5],
  ])("is read without %s", (field, value) => {
    const timer = {
      ...{ id: "7", name: "News", device_id: 1, channel_id: 2, start_time: "2026-11-20T09:30:00+00:00" },
      ...{ duration_minutes: 30, action: "record", state: "new" },
    };
    const body = Buffer.from(JSON.stringify({ timers: [{ ...timer, [field]: value }] }));
    const read = decodeDocument("timers", body, { contentType: "application/json" });
    expect(read.malformed).toEqual([]);
    expect(read.value.timers[0]).toMatchObject(timer);
    expect(read.value.timers[0]?.[field]).toBeUndefined();
  });
});
