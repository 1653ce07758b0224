import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { SECOND } from "../../src/model/time.ts";
import { readBroadcastGuide } from "../../src/mpeg-ts/tables/broadcast-guide.ts";

const FOLDER = "test/fixtures/ts";

/** The facts that test/fixtures/ts/take-event-facts.py writes: GStreamer, which shares no code with us, reads them from the same bytes. Blanks at the end of a title are left out. */
async function factsOf(name: string): Promise<readonly string[]> {
  const text = await readFile(`${FOLDER}/${name}.events.tsv`, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.trimEnd());
}

describe("the event tables of a capture agree with another reader", () => {
  it.each([
    ["french-dvbt-si", 346],
    ["rai-dvbt-mux", 16],
  ])("%s: services, ids, times, durations and titles of %d events", async (name, count) => {
    const { events } = await readBroadcastGuide(`${FOLDER}/${name}.ts`);
    const ours = events.map(({ service, eventId, start, durationMs, title }) =>
      [
        service.onid,
        service.tsid,
        service.sid,
        eventId,
        new Date(start).toISOString().replace(".000", ""),
        durationMs / SECOND,
        title,
      ].join("\t"),
    );
    const facts = await factsOf(name);
    expect(facts.length).toBe(count);
    expect([...ours].sort()).toEqual([...facts].sort());
  });
});
