import { expect, it } from "vitest";
import { encodeDocument, encodeInTurns } from "../../src/guide-wire/codec.ts";
import type { Document } from "../../src/guide-wire/documents.ts";
import { turnsDuring } from "./loopback.ts";

/** A month of thirty channels. */
const LONG: Document<"shows"> = {
  shows: Array.from({ length: 20_000 }, (_, id) => ({
    ...{ id, channel_id: id % 30, series_id: "1", episode_id: "", title: `Été & “${id}” 📺`, subtitle: "" },
    ...{ start: "2026-11-20T10:00:00+00:00", stop: "2026-11-20T11:00:00+00:00", start_unix: 1, stop_unix: 2 },
    ...{ desc: "x".repeat(200), category: [{ name: "News" }], eit_id: id, rating: "", date: "" },
    ...{ deleted_record: id % 2 },
  })),
  timers: [],
  channels: [],
  last_update_time: 3,
};

it.each([
  { format: "json" },
  { format: "json", encoding: "ISO-8859-1" },
  { format: "xml" },
  { format: "xml", encoding: "ISO-8859-1" },
] as const)(
  "a long document as $format, $encoding is read in turns, with the same result as in one go",
  async (options) => {
    const { value, turns } = await turnsDuring(() => encodeInTurns("shows", LONG, options));
    // A hundred kilobytes of text at most for each, and 250 records.
    expect(turns).toBeGreaterThan(150);
    const whole = encodeDocument("shows", LONG, options);
    expect(value.contentType).toBe(whole.contentType);
    expect(value.body.equals(whole.body)).toBe(true);
  },
);

it("a short document is read without a turn", async () => {
  const short = { ...LONG, shows: LONG.shows.slice(0, 100) };
  const { turns } = await turnsDuring(() => encodeInTurns("shows", short, { format: "json" }));
  expect(turns).toBe(0);
});
