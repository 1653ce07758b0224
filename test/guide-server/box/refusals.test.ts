import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hosted, hosted, PASSED_SHOW_ID, SHOW_ID } from "../hosted.ts";

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted();
});
afterAll(() => guide[Symbol.asyncDispose]());

/** The sentence that a box shows on its screen. */
async function shown(method: "POST" | "PUT", path: string, body: object | string): Promise<string> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await guide.ask({ method, path, text, headers: { "content-type": "application/json" } });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  const { errors } = JSON.parse(answer.body.toString()) as {
    readonly errors: readonly { readonly error_msg: string }[];
  };
  expect(errors).toHaveLength(1);
  return errors[0]?.error_msg ?? "";
}

describe("a refusal on the screen of a box, which shows one sentence and no field", () => {
  const manual = { channel_id: 7, start_time: "2026-11-21T09:00:00Z", duration_minutes: 30, device_id: 1 };

  it.each([
    ["start_time", { ...manual, start_time: "Thu Dec  3 17:00:00 2026" }],
    ["start_time", { ...manual, start_time: "" }],
    ["duration_minutes", { ...manual, duration_minutes: 0 }],
    ["name", { ...manual, name: "x".repeat(1000) }],
    ["padding-type", { show_id: SHOW_ID, device_id: 1, "padding-type": "x".repeat(1000) }],
    ["Padding", { show_id: SHOW_ID, device_id: 1, "pre-padding": -1 }],
    ["The broadcast has already ended", { show_id: PASSED_SHOW_ID, device_id: 1 }],
  ])("names what is wrong with a timer: %s", async (what, order) => {
    expect(await shown("POST", "/shows/timers", order)).toContain(what);
  });

  it.each([
    ["start_minutes", { start_minutes: 1440 }],
    ["recording_quality", { recording_quality: "Best" }],
  ])("names what is wrong with a series recording: %s", async (what, change) => {
    const order = { series_id: "s1", device_id: 1, ...change };
    expect(await shown("POST", "/series/recordings", order)).toContain(what);
  });

  it("names each field of a rule that is wrong", async () => {
    const order = { name: "News", words: "news", max_minutes: 1e6, priority: 200, device_id: 1 };
    const text = await shown("POST", "/rules", order);
    expect(text).toMatch(/The longest length is a whole number.*The priority is a whole number/);
  });

  it("names the entry of a list", async () => {
    const scans = [
      { channel_name: "a", onid: 1, tsid: 1, sid: 1 },
      { onid: "0x1", tsid: 1, sid: 1 },
    ];
    expect(await shown("POST", "/scans", { scans })).toContain("(scans, 2)");
    const timers = [
      { id: "1", state: "pending" },
      { id: "4", device_id: "mine" },
    ];
    expect(await shown("PUT", "/shows/timers", { timers })).toContain("(timers, 2, id 4)");
  });

  it("names the place in a body that is not JSON", async () => {
    expect(await shown("POST", "/devices", '{"label":"Box",\n"type_id":22,}')).toContain(
      "at line 2, column 14",
    );
  });
});

describe("a box that states its type of body wrongly", () => {
  it.each(["", "json", "application/json charset=utf-8", "application/json, application/json"])(
    "is understood by its body: %s",
    async (type) => {
      const answer = await guide.ask({
        method: "POST",
        path: "/devices",
        text: JSON.stringify({ label: `Box ${type}`, type_id: 22 }),
        headers: { "content-type": type },
      });
      expect(answer.status).toBe(201);
    },
  );
});
