import { openBroadcaster, type Way } from "./capture/broadcast.ts";
import type { Contender } from "./capture/contender.ts";
import { contenders } from "./capture/contenders.ts";
import { costOf } from "./capture/cost.ts";
import type { Benchmark, Case } from "./harness.ts";

export interface CaptureBenchmarkOptions {
  /** How many recordings at once. */
  readonly recordings: readonly number[];
  /** How long they are measured. */
  readonly seconds: number;
  readonly way: Way;
  /** The names of those that take part, all when there are none. */
  readonly contenders: readonly string[];
}

/**
 * The cost of recordings of 8 Mbit/s each on loopback, next to bare programs that do nothing else and to other
 * recorders. All processes of a contender count, its children too; the broadcaster, a process of its own, does not.
 */
export function capturesBenchmark({
  recordings,
  seconds,
  way,
  contenders: names,
}: CaptureBenchmarkOptions): Benchmark {
  return {
    name: way === "http" ? "captures" : `captures-${way}`,
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const all = contenders(way);
      const named = all.filter(({ name }) => names.length === 0 || names.includes(name));
      if (named.length < names.length) {
        throw new Error(`contenders: ${all.map(({ name }) => name).join("; ")}`);
      }
      const there = named.filter(({ missing }) => missing.length === 0);
      const broadcaster = await openBroadcaster(folder);
      const cases = recordings.flatMap((count) =>
        takingPart(there, count).map(
          (contender): Case => ({
            name: caseName(contender, count),
            run: () => costOf(contender, { broadcaster, way, folder, count, seconds }),
          }),
        ),
      );
      return {
        cases,
        ratios: recordings.flatMap((count) => ratiosAt(takingPart(there, count), count)),
        notes: [
          ...broadcaster.notes,
          ...named
            .filter(({ missing }) => missing.length > 0)
            .map(({ name, missing }) => `${name} is left out: ${missing.join(" and ")} not there`),
        ],
        [Symbol.asyncDispose]: () => broadcaster[Symbol.asyncDispose](),
      };
    },
  };
}

/** The one rule by which somebody is left out of a size. */
function takingPart(all: readonly Contender[], count: number): readonly Contender[] {
  return all.filter(({ recordingsMax }) => count <= recordingsMax);
}

/** Each of ours against each of the others: as a whole, and what only captures against the whole of them. */
function ratiosAt(all: readonly Contender[], count: number) {
  const others = all.filter(({ isOurs }) => !isOurs);
  return all
    .filter(({ isOurs }) => isOurs)
    .flatMap((ours) =>
      others.map((other) => ({
        over: caseName(ours, count),
        under: caseName(other, count),
        measures: ["cpu", "memory"],
        parts: { "captures, cpu": "cpu", "captures, memory": "memory" },
      })),
    );
}

function caseName({ name }: Contender, count: number): string {
  return `${name} × ${count}`;
}
