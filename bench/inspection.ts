import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openInspection } from "../src/recorder/evidence/file-inspection.ts";
import { Inspector } from "../src/recorder/evidence/inspector.ts";
import { type Benchmark, elapsedMs, type Measures, perSecond } from "./harness.ts";

/** Paths are those of the project's folder, where npm runs this. */
const MULTIPLEX = "test/fixtures/ts/rai-dvbt-mux.ts";
const SERVICE = { onid: 318, tsid: 18_432, sid: 3401 };
/** The capture is short: as often in a row. */
const TIMES = 20;
const PORTION_BYTES = 2 ** 20;
/** A daemon runs for weeks: so many in each round that it counts little how fast the code is before the engine has compiled it. */
const INSPECTIONS = 12;

/** A broadcast multiplex, from memory in portions of 1 MiB, without and with its access points, and from a file that the system has in its cache. */
export const inspectionBenchmark: Benchmark = {
  name: "inspection",
  open: async (folder) => {
    const capture = await readFile(MULTIPLEX);
    const stream = Buffer.concat(Array.from({ length: TIMES }, () => capture));
    const file = join(folder, "multiplex.ts");
    await writeFile(file, stream);
    const speed = (elapsed: number): Measures => ({
      throughput: perSecond((INSPECTIONS * stream.length) / 1e6 / (elapsed / 1000), "MB"),
    });
    return {
      cases: [
        { name: "memory", run: async () => speed(await elapsedMs(() => inspectMemory(stream))) },
        { name: "indexed", run: async () => speed(await elapsedMs(() => inspectMemory(stream, () => {}))) },
        { name: "file", run: async () => speed(await elapsedMs(() => inspectFile(file))) },
      ],
      ratios: [
        { over: "file", under: "memory", measures: ["throughput"] },
        { over: "indexed", under: "memory", measures: ["throughput"] },
      ],
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

function inspectMemory(stream: Buffer, accessPoint?: () => void): void {
  for (let time = 0; time < INSPECTIONS; time += 1) {
    const inspector = new Inspector(SERVICE, accessPoint === undefined ? {} : { accessPoint });
    for (let at = 0; at < stream.length; at += PORTION_BYTES) {
      inspector.push(stream.subarray(at, at + PORTION_BYTES));
    }
    inspector.settle();
    inspector.inspection();
  }
}

async function inspectFile(file: string): Promise<void> {
  for (let time = 0; time < INSPECTIONS; time += 1) {
    await using inspection = openInspection(file, SERVICE);
    await inspection.advance(new AbortController().signal);
  }
}
