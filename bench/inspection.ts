import { createCipheriv, createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { openInspection } from "../src/recorder/evidence/file-inspection.ts";
import { Inspector } from "../src/recorder/evidence/inspector.ts";
import { inspectWhole } from "../src/recorder/evidence/whole-file.ts";
import { type Benchmark, elapsedMs, type Measures, perSecond } from "./harness.ts";

/** Paths are those of the project's folder, where npm runs this. */
const MULTIPLEX = "test/fixtures/ts/rai-dvbt-mux.ts";
const SERVICE = { onid: 318, tsid: 18_432, sid: 3401 };
/** The capture is short: as often in a row. */
const TIMES = 20;
const PORTION_BYTES = 2 ** 20;
/** A daemon runs for weeks: so many in each round that it counts little how fast the code is before the engine has compiled it. */
const INSPECTIONS = 12;

/**
 * A broadcast multiplex, from memory in portions of 1 MiB, without and with its access points, and from a file that the system has in its
 * cache, growing and closed. The checksums are those that decision 65 compares.
 */
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
        { name: "closed file", run: async () => speed(await elapsedMs(() => inspectClosed(file))) },
        ...Object.entries(CHECKSUMS).map(([name, sum]) => ({
          name,
          run: async () => speed(await elapsedMs(() => sum(stream))),
        })),
      ],
      ratios: [
        { over: "file", under: "memory", measures: ["throughput"] },
        { over: "indexed", under: "memory", measures: ["throughput"] },
        { over: "closed file", under: "sha-256", measures: ["throughput"] },
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

async function inspectClosed(file: string): Promise<void> {
  for (let time = 0; time < INSPECTIONS; time += 1) {
    await inspectWhole(file, { service: SERVICE }, new AbortController().signal);
  }
}

const CHECKSUMS: Readonly<Record<string, (stream: Buffer) => void>> = {
  "sha-256": (stream) => {
    const hash = createHash("sha256");
    forPortions(stream, (portion) => hash.update(portion));
    hash.digest();
  },
  "crc-32": (stream) => {
    let sum = 0;
    forPortions(stream, (portion) => {
      sum = crc32(portion, sum);
    });
  },
  poly1305: (stream) => {
    forPortions(stream, (portion) => {
      const tag = createCipheriv("chacha20-poly1305", Buffer.alloc(32), Buffer.alloc(12), {
        authTagLength: 16,
      });
      tag.setAAD(portion, { plaintextLength: 0 });
      tag.final();
    });
  },
};

function forPortions(stream: Buffer, take: (portion: Buffer) => void): void {
  for (let time = 0; time < INSPECTIONS; time += 1) {
    for (let at = 0; at < stream.length; at += PORTION_BYTES) take(stream.subarray(at, at + PORTION_BYTES));
  }
}
