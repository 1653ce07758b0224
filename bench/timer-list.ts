import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { encodeDocument, type WireFormat } from "../src/guide-wire/codec.ts";
import type { Document } from "../src/guide-wire/documents.ts";
import { formatInstant, MINUTE } from "../src/model/time.ts";
import { type Benchmark, type Case, mib, ms } from "./harness.ts";
import type { TimerListFigures } from "./timer-list-child.ts";

const TIMERS = 10_000;
const CHILD = join(import.meta.dirname, "timer-list-child.js");
const FIRST = Date.UTC(2026, 10, 20, 20);

/** A list of timers as the service sends it: read and checked, each run in a process of its own. */
export const timerListBenchmark: Benchmark = {
  name: "timer-list",
  open: async (folder) => ({
    cases: await Promise.all([caseOf("json", folder), caseOf("xml", folder)]),
    ratios: [{ over: "xml", under: "json", measures: ["first read", "later reads", "peak memory"] }],
    [Symbol.asyncDispose]: async () => {},
  }),
};

async function caseOf(format: WireFormat, folder: string): Promise<Case> {
  const { body } = encodeDocument("timers", list(), { format });
  const file = join(folder, `timers.${format}`);
  await writeFile(file, body);
  return {
    name: format,
    run: async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", CHILD, file]);
      const { bodyBytes, firstMs, laterMs, peakBytes, keptBytes } = JSON.parse(stdout) as TimerListFigures;
      return {
        "first read": ms(firstMs),
        "later reads": ms(laterMs),
        "peak memory": mib(peakBytes),
        "kept memory": mib(keptBytes),
        body: mib(bodyBytes),
      };
    },
  };
}

function list(): Document<"timers"> {
  const timers = Array.from({ length: TIMERS }, (_, index) => ({
    id: String(index + 1),
    name: `Programme ${index} & its sequel`,
    device_id: 12,
    channel_id: 1 + (index % 60),
    show_id: 100_000 + index,
    start_time: formatInstant(FIRST + index * 7 * MINUTE),
    duration_minutes: 30 + (index % 90),
    action: "record",
    state: "waiting",
    message: "",
    series_recording_id: 0,
    keyword_id: 0,
    "pre-padding": 1,
    "post-padding": 3,
    "padding-type": "none",
  }));
  return { timers };
}
