import { describe, expect, it } from "vitest";
import { decodeDocument, encodeDocument } from "../../src/guide-wire/codec.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { createDecoding } from "../../src/recorder/threads/decoding.ts";
import { clientOf, loopback, rejection, TIMER } from "../guide-wire/loopback.ts";

/** Threads need the compiled script. */
const THREAD = new URL("../../dist/recorder/threads/decoding-thread.js", import.meta.url);
const BROKEN = new URL("data:text/javascript,process.exit(3)");
const { signal } = new AbortController();

const timers = Array.from({ length: 1000 }, (_, index) => ({
  ...TIMER,
  id: String(index + 1),
  name: `Programme ${index} & its sequel`,
}));
const [xml, json] = (["xml", "json"] as const).map((format) =>
  encodeDocument("timers", { timers }, { format }),
);
const SHORT = Buffer.from('{"timers":[]}');

/** The client's result for such an answer, and how often the thread was used. */
async function asked(body: Buffer, { contentType = "", threadFile = THREAD } = {}) {
  await using service = await loopback((_, response) => {
    response.writeHead(200, { "content-type": contentType, date: "Fri, 20 Nov 2026 09:00:00 GMT" });
    response.end(body);
  });
  const beside = createDecoding({ threadFile, clock: systemClock() });
  let times = 0;
  await using side = clientOf(service.origin, {
    decodeOnThread: (...order) => {
      times += 1;
      return beside(...order);
    },
  });
  const outcome = await side.client.timers(signal).catch((error: unknown) => error);
  return { outcome, times };
}

describe("a long answer of the guide service", () => {
  it.each([xml, json])("is read on a worker thread, with the same result as in the loop", async (encoded) => {
    const { body = SHORT, contentType = "" } = encoded ?? {};
    expect(body.length).toBeGreaterThan(GUIDE_WIRE_LIMITS.readHereBytes);
    const { outcome, times } = await asked(body, { contentType });
    expect(times).toBe(1);
    expect(outcome).toEqual({
      ...decodeDocument("timers", body, { contentType }),
      serverTime: Date.UTC(2026, 10, 20, 9),
    });
  });

  it("R-15 sets unreadable entries aside as received", async () => {
    const broken = JSON.stringify({ timers: [...timers, { id: "7", name: 1, start_time: ["?"] }] });
    const { outcome } = await asked(Buffer.from(broken), { contentType: "application/json" });
    expect(outcome).toMatchObject({ malformed: [{ collection: "timers", id: "7" }] });
    expect(outcome).toHaveProperty("value.timers.length", timers.length);
  });

  it("R-11 fails with the same code, message and facts as in the loop", async () => {
    const torn = xml?.body.subarray(0, -20) ?? SHORT;
    const { outcome } = await asked(torn, { contentType: "application/xml" });
    const expected = { code: "GUIDE_DOCUMENT_TORN", facts: { document: "timers", endpoint: "shows/timers" } };
    expect(outcome).toMatchObject(expected);
    const atOnce = await rejection(Promise.resolve().then(() => decodeDocument("timers", torn)));
    expect(outcome).toHaveProperty("message", (atOnce as Error).message);
  });

  it("fails without a change if the thread fails", async () => {
    const { outcome } = await asked(xml?.body ?? SHORT, { threadFile: BROKEN });
    expect(outcome).toMatchObject({
      code: "GUIDE_DOCUMENT_INVALID",
      message: expect.stringContaining("ended with 3"),
    });
  });

  it("is read in the loop if a thread would take longer", async () => {
    const { outcome, times } = await asked(SHORT);
    expect(times).toBe(0);
    expect(outcome).toMatchObject({ value: { timers: [] } });
  });
});
