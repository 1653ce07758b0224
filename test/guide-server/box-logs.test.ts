import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, formatInstant, MINUTE } from "../../src/model/time.ts";
import { type Hosted, hosted, NOW } from "./hosted.ts";

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted();
});
afterAll(() => guide[Symbol.asyncDispose]());

async function lineOf(entry: object) {
  const text = JSON.stringify({ logs: [entry] });
  const answer = await guide.ask({ method: "POST", path: "/user/pvr_logs", text });
  expect(answer.status).toBe(201);
  const line = (await guide.server.boxLogs(guide.email)).at(-1);
  return [line?.text, (line?.at ?? 0) - NOW];
}

it.each([
  ["seconds", (NOW - MINUTE) / 1000],
  ["seconds as text", String((NOW - MINUTE) / 1000)],
  ["milliseconds", NOW - MINUTE],
  ["an ISO 8601 time", formatInstant(NOW - MINUTE)],
])("a line of a box's log is its message at its own time, given as %s", async (_, timestamp) => {
  expect(await lineOf({ timestamp, log_message: "tuned" })).toEqual(["tuned", -MINUTE]);
});

it.each(["2026-11-20 08:59:00", "soon", 12, (NOW + DAY) / 1000])(
  "a line with the impossible time %j is shown with it, at the time of arrival",
  async (timestamp) => {
    expect(await lineOf({ timestamp, log_message: "tuned" })).toEqual([`${timestamp} tuned`, 0]);
  },
);

it("a line of another form becomes JSON", async () => {
  expect(await lineOf({ level: 1, text: "well" })).toEqual(['{"level":1,"text":"well"}', 0]);
  expect(await lineOf({ log_message: 7 })).toEqual(['{"log_message":7}', 0]);
  expect(await lineOf({ log_message: "bare" })).toEqual(["bare", 0]);
});

it("a line in XML may be a text", async () => {
  const headers = { "content-type": "text/xml" };
  const text = "<logs><log>tuned &amp; away</log></logs>";
  await guide.ask({ method: "POST", path: "/user/pvr_logs", text, headers });
  expect((await guide.server.boxLogs(guide.email)).at(-1)?.text).toBe("tuned & away");
});

it("boxes receive the request for their logs", async () => {
  const { settings } = (await guide.ask({ method: "GET", path: "/user/settings" })).read("settings");
  expect(settings).toContainEqual({ name: "send_pvr_logs", value: "1", type: 2 });
});
