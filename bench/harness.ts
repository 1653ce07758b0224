/** One figure of one run. */
interface Measure {
  readonly value: number;
  readonly unit: string;
}

/** The results of one run of a case, by name. */
export type Measures = Readonly<Record<string, Measure>>;

export interface Case {
  readonly name: string;
  run(): Promise<Measures> | Measures;
}

/** Cases that are looked at together. */
export interface Benchmark {
  readonly name: string;
  /** It takes so long that it runs for those who ask for it. */
  readonly onlyWhenNamed?: boolean;
  /** Each case settles by itself: there is no round before the first that only warms up. */
  readonly settles?: boolean;
  /** Prepares everything that is not to be measured. */
  readonly open: (folder: string) => Promise<OpenBenchmark>;
}

export interface OpenBenchmark extends AsyncDisposable {
  readonly cases: readonly Case[];
  readonly ratios?: readonly Ratio[];
  /** Notes for readers of the figures, such as missing programs. */
  readonly notes?: readonly string[];
}

/** For each of these measures: the figure of one case divided by that of another in the same round. */
interface Ratio {
  readonly over: string;
  readonly under: string;
  readonly measures: readonly string[];
  /** Measures that are parts, and the one of `under` that each is held against. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** How far a benchmark is. */
export interface Progress {
  readonly results: readonly Result[];
  readonly notes: readonly string[];
}

/** Figures of all rounds. */
export interface Result {
  readonly benchmark: string;
  readonly case: string;
  readonly measure: string;
  readonly unit: string;
  readonly min: number;
  readonly median: number;
  readonly max: number;
  readonly rounds: number;
}

/**
 * Runs the cases in turns, round after round, so that what else the machine does meets all of them alike; the first round
 * warms up and does not count, unless the cases settle by themselves.
 */
export async function measured(
  { name, open, settles = false }: Benchmark,
  {
    folder,
    rounds,
    told,
    found,
  }: {
    readonly folder: string;
    readonly rounds: number;
    /** Hears of each case that begins, and of what a benchmark has to say before. */
    readonly told: (what: string) => void;
    /** Gets all figures so far whenever there are more. */
    readonly found: (progress: Progress) => Promise<void>;
  },
): Promise<void> {
  await using opened = await open(folder);
  const { cases, ratios = [], notes = [] } = opened;
  for (const note of notes) told(note);
  const runs = new Map<string, Measures[]>(cases.map((each) => [each.name, []]));
  for (let round = settles ? 1 : 0; round <= rounds; round += 1) {
    for (const [nth, each] of cases.entries()) {
      told(`round ${round} of ${rounds}, case ${nth + 1} of ${cases.length}: ${each.name}`);
      collectGarbage();
      const measures = await each.run();
      if (round === 0) continue;
      runs.get(each.name)?.push(measures);
      const own = [...runs].flatMap(([case_, so]) => resultsOf(name, case_, so));
      await found({
        results: [...own, ...ratios.flatMap((ratio) => ratioResults(name, ratio, runs))],
        notes,
      });
    }
  }
}

function ratioResults(
  benchmark: string,
  { over, under, measures, parts = {} }: Ratio,
  found: ReadonlyMap<string, readonly Measures[]>,
): readonly Result[] {
  const unders = found.get(under) ?? [];
  const pairs = [...measures.map((name) => [name, name] as const), ...Object.entries(parts)];
  const ratios = (found.get(over) ?? []).flatMap((run, round) => {
    const other = unders[round];
    if (other === undefined) return [];
    const ratio = ([own, theirs]: readonly [string, string]) =>
      (run[own]?.value ?? Number.NaN) / (other[theirs]?.value ?? Number.NaN);
    return [Object.fromEntries(pairs.map((pair) => [pair[0], { value: ratio(pair), unit: "×" }]))];
  });
  return resultsOf(benchmark, `${over} / ${under}`, ratios);
}

/** Frees the garbage of the previous case, which must not count for the next; needs `--expose-gc`. */
export function collectGarbage(): void {
  globalThis.gc?.();
}

function resultsOf(benchmark: string, case_: string, runs: readonly Measures[]): readonly Result[] {
  return Object.entries(runs[0] ?? {}).map(([measure, { unit }]) => {
    const values = runs.map((run) => run[measure]?.value ?? Number.NaN);
    const spread = { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) };
    return { benchmark, case: case_, measure, unit, ...spread, rounds: values.length };
  });
}

/** The value below which the given share of all lies, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** How long `work` takes, once. */
export async function elapsedMs(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const ms = (value: number): Measure => ({ value, unit: "ms" });
export const mib = (bytes: number): Measure => ({ value: bytes / 2 ** 20, unit: "MiB" });
/** A bound in 10⁶ bytes. */
export const megabytes = (bytes: number): Measure => ({ value: bytes / 1e6, unit: "MB" });
export const kilobytes = (bytes: number): Measure => ({ value: bytes / 1e3, unit: "kB" });
export const count = (value: number): Measure => ({ value, unit: "" });
export const perSecond = (value: number, what: string): Measure => ({ value, unit: `${what}/s` });
