import type { PlanRequest } from "../../../src/model/plan.ts";
import { multiplexKey, tripletKey } from "../../../src/model/service.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";

// Brute force, straight from docs/dev/planning.md and sharing nothing with src/recorder/plan: which tuner each recording gets (all
// assignments), when each begins (all instants that could matter), how much padding each gets (all amounts).
// Instants are small integers: windows are tried unit by unit.

/** Whole events and units of the others per priority, hope, avoidance, weakness, padding, stayed, tunings, order. */
export type Value = readonly number[];

export function bestValue(wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Value {
  const jobs = [...wishes].sort(
    (a, b) => b.event.stop - a.event.stop || (a.recordingId < b.recordingId ? -1 : 1),
  );
  const priorities = [...new Set(jobs.map(({ priority }) => priority))].sort((a, b) => b - a);
  const context = { jobs, priorities, tuners };
  const all = (1 << jobs.length) - 1;
  const forced = tuners.map((tuner) => maskOf(jobs, ({ runningOnTuner }) => runningOnTuner === tuner.id));
  const may = tuners.map((tuner) => maskOf(jobs, (job) => mayRecord(job, tuner)));
  const events = tuners.map((tuner, at) =>
    Array.from({ length: all + 1 }, (_, set) => {
      const isAllowed = (set & ~(may[at] ?? 0)) === 0 && ((forced[at] ?? 0) & ~set) === 0;
      return isAllowed ? beginsOn(set, tuner, context) : undefined;
    }),
  );
  // best[t][set]: the most by the first aims that the tuners from t on make of a set of recordings.
  const best: (Value | undefined)[][] = [Array.from({ length: all + 1 }, () => zero(context))];
  for (let t = tuners.length - 1; t >= 0; t -= 1) {
    const later = best[0] ?? [];
    const row: (Value | undefined)[] = [];
    for (let set = 0; set <= all; set += 1) {
      let most: Value | undefined;
      for (let own = set; ; own = (own - 1) & set) {
        const [mine, rest] = [events[t]?.[own]?.value, later[set & ~own]];
        if (mine !== undefined && rest !== undefined) {
          if (most === undefined || isMoreSum(mine, rest, most)) most = sum(mine, rest);
        }
        if (own === 0) break;
      }
      row.push(most);
    }
    best.unshift(row);
  }
  const target = best[0]?.[all];
  if (target === undefined) throw new Error("leaving everything out is possible");
  // The best by the other aims, among all assignments that reach the target.
  const more = new Map<number, Value>();
  const restOf = (t: number, set: number): Value => {
    const known = more.get(t * 512 + set);
    if (known !== undefined) return known;
    const tuner = tuners[t] as TunerFacts;
    const found = events[t]?.[set];
    if (found === undefined) throw new Error("only what is possible is asked for");
    const padding = Math.max(...found.begins.map((begins) => paddingOn(begins, tuner, context)));
    const members = jobs.filter((_, at) => (set >> at) & 1);
    const stayed = members.filter(({ previousTuner }) => previousTuner === tuner.id).length;
    const value = [padding, stayed, -tuningsOf(members), -t * members.length];
    more.set(t * 512 + set, value);
    return value;
  };
  const finish = (t: number, set: number): Value => {
    if (t === tuners.length) return [0, 0, 0, 0];
    let most: Value | undefined;
    const goal = best[t]?.[set] as Value;
    for (let own = set; ; own = (own - 1) & set) {
      const [mine, rest] = [events[t]?.[own]?.value, best[t + 1]?.[set & ~own]];
      if (mine !== undefined && rest !== undefined && compared(sum(mine, rest), goal) === 0) {
        const value = sum(restOf(t, own), memoFinish(t + 1, set & ~own));
        if (most === undefined || compared(value, most) > 0) most = value;
      }
      if (own === 0) break;
    }
    return most as Value;
  };
  const finished = new Map<number, Value>();
  const memoFinish = (t: number, set: number): Value => {
    const key = t * 512 + set;
    const value = finished.get(key) ?? finish(t, set);
    finished.set(key, value);
    return value;
  };
  return [...target, ...memoFinish(0, all)];
}

interface Context {
  readonly jobs: readonly PlanRequest[];
  readonly priorities: readonly number[];
  readonly tuners: readonly TunerFacts[];
}

function mayRecord({ service, runningOnTuner }: PlanRequest, tuner: TunerFacts): boolean {
  if (runningOnTuner !== undefined) return runningOnTuner === tuner.id;
  return tuner.services === "any" || tuner.services.has(tripletKey(service));
}

function maskOf(jobs: readonly PlanRequest[], test: (job: PlanRequest) => boolean): number {
  return jobs.reduce((mask, job, at) => mask | (test(job) ? 1 << at : 0), 0);
}

function zero({ priorities }: Context): Value {
  return Array.from({ length: 2 * priorities.length + 3 }, () => 0);
}

function sum(a: Value, b: Value): Value {
  return a.map((one, at) => one + (b[at] ?? 0));
}

function isMoreSum(a: Value, b: Value, than: Value): boolean {
  for (let at = 0; at < than.length; at += 1) {
    const less = (a[at] ?? 0) + (b[at] ?? 0) - (than[at] ?? 0);
    if (less !== 0) return less > 0;
  }
  return false;
}

function compared(a: Value, b: Value): number {
  for (let at = 0; at < a.length; at += 1) {
    const less = (a[at] ?? 0) - (b[at] ?? 0);
    if (less !== 0) return less;
  }
  return 0;
}

interface Begun {
  readonly job: PlanRequest;
  readonly begin: number;
}

/** The best that one tuner makes of all the recordings of a set, and every way to begin them that is as good. */
function beginsOn(
  set: number,
  tuner: TunerFacts,
  context: Context,
): { readonly value: Value; readonly begins: readonly (readonly Begun[])[] } | undefined {
  const members = context.jobs.filter((_, at) => (set >> at) & 1);
  let value: Value | undefined;
  let begins: (readonly Begun[])[] = [];
  const instants = members.flatMap((one) => [
    one.event.stop,
    ...members.map((other) => one.event.stop + gapBefore(other, tuner)),
  ]);
  const go = (chosen: readonly Begun[]): void => {
    const job = members[chosen.length];
    if (job === undefined) {
      const found = eventValue(chosen, tuner, context);
      const order = value === undefined ? 1 : compared(found, value);
      if (order > 0) [value, begins] = [found, [chosen]];
      else if (order === 0) begins.push(chosen);
      return;
    }
    const { start, stop } = job.event;
    const late = job.runningOnTuner === undefined ? instants.filter((at) => at > start && at < stop) : [];
    for (const begin of new Set([start, ...late])) {
      const next = [...chosen, { job, begin }];
      if (
        next.every((one) => next.every((other) => one === other || areApart(one, other, tuner))) &&
        fits(next, tuner)
      )
        go(next);
    }
  };
  go([]);
  return value === undefined ? undefined : { value, begins };
}

function gapBefore({ lateMs }: PlanRequest, { warmUpMs }: TunerFacts): number {
  return Math.max(0, warmUpMs - lateMs);
}

function areApart(a: Begun, b: Begun, tuner: TunerFacts): boolean {
  if (multiplexKey(a.job.service) === multiplexKey(b.job.service)) return true;
  return (
    a.job.event.stop + gapBefore(b.job, tuner) <= b.begin ||
    b.job.event.stop + gapBefore(a.job, tuner) <= a.begin
  );
}

/** No more at once than the tuner delivers, looked at unit by unit. */
function fits(begun: readonly Begun[], tuner: TunerFacts): boolean {
  return begun.every(({ job, begin }) => {
    const most = tuner.servicesAtOnce(multiplexKey(job.service));
    if (most >= begun.length) return true;
    for (let at = begin; at < job.event.stop; at += 1) {
      if (begun.filter((one) => one.begin <= at && at < one.job.event.stop).length > most) return false;
    }
    return true;
  });
}

function eventValue(begun: readonly Begun[], tuner: TunerFacts, { priorities, tuners }: Context): Value {
  const ranks = priorities.length;
  const value = [...zero({ jobs: [], priorities, tuners })];
  const add = (at: number, by: number) => {
    value[at] = (value[at] ?? 0) + by;
  };
  for (const { job, begin } of begun) {
    const rank = priorities.indexOf(job.priority);
    const sound = tuners.filter((one) => one.isDoubtful !== true && mayRecord(job, one));
    const haveAllFailed = job.avoid.length > 0 && sound.every(({ id }) => job.avoid.includes(id));
    const isNext = haveAllFailed && !job.avoid.includes(tuner.id);
    const isCounted = tuner.isDoubtful !== true || job.runningOnTuner !== undefined || isNext;
    if (!isCounted) add(2 * ranks, (job.event.stop - begin) * (job.priority + 1));
    else if (begin === job.event.start && !job.isLate) add(rank, 1);
    else add(ranks + rank, job.event.stop - begin);
    add(2 * ranks + 1, -(job.avoid.lastIndexOf(tuner.id) + 1));
    add(2 * ranks + 2, -(job.weak?.[tuner.id] ?? 0) * (job.priority + 1));
  }
  return value;
}

/** The most padding, by trying every amount for every recording. */
function paddingOn(begun: readonly Begun[], tuner: TunerFacts, _context: Context): number {
  const byBegin = [...begun].sort((a, b) => a.begin - b.begin);
  const runs: Begun[][] = [];
  for (const one of byBegin) {
    const last = runs.at(-1)?.at(-1);
    const isSame = last !== undefined && multiplexKey(last.job.service) === multiplexKey(one.job.service);
    if (isSame) runs.at(-1)?.push(one);
    else runs.push([one]);
  }
  const spans = new Map<PlanRequest, readonly [number, number]>();
  const wantedOf = ({ job, begin }: Begun) =>
    [
      begin === job.event.start ? job.event.start - job.window.start : 0,
      job.window.stop - job.event.stop,
    ] as const;
  let most = -1;
  const wishedFor = byBegin.map((one) => wantedOf(one)[0] + wantedOf(one)[1]);
  const go = (at: number, have: number): void => {
    if (have + wishedFor.slice(at).reduce((a, b) => a + b, 0) <= most) return;
    const one = byBegin[at];
    if (one === undefined) {
      most = have;
      return;
    }
    const [before, after] = wantedOf(one);
    for (let pre = before; pre >= 0; pre -= 1) {
      for (let post = after; post >= 0; post -= 1) {
        spans.set(one.job, [one.begin - pre, one.job.event.stop + post]);
        const done = byBegin.slice(0, at + 1);
        if (isCarriedOut(runs, done, spans, tuner)) go(at + 1, have + pre + post);
      }
    }
    spans.delete(one.job);
  };
  go(0, 0);
  return most;
}

function isCarriedOut(
  runs: readonly (readonly Begun[])[],
  done: readonly Begun[],
  spans: ReadonlyMap<PlanRequest, readonly [number, number]>,
  tuner: TunerFacts,
): boolean {
  const known = runs.map((run) => run.filter((one) => done.includes(one)));
  for (let at = 1; at < known.length; at += 1) {
    const [a, b] = [known[at - 1] ?? [], known[at] ?? []];
    if (a.length === 0 || b.length === 0) continue;
    const stop = Math.max(...a.map(({ job }) => spans.get(job)?.[1] ?? 0));
    const start = Math.min(...b.map(({ job }) => spans.get(job)?.[0] ?? 0));
    if (start >= stop + tuner.warmUpMs) continue;
    // Touching: no padding at the change of multiplex. The ends and begins of all of the runs count.
    const end = Math.max(...(runs[at - 1] ?? []).map(({ job }) => job.event.stop));
    const begin = Math.min(...(runs[at] ?? []).map((one) => one.begin));
    if (stop > end || start < begin) return false;
  }
  for (const run of known) {
    const most = tuner.servicesAtOnce(
      multiplexKey((run[0]?.job ?? { service: { onid: 0, tsid: 0 } }).service),
    );
    if (most >= run.length) continue;
    for (const { job } of run) {
      const [from, to] = spans.get(job) ?? [0, 0];
      for (let at = from; at < to; at += 1) {
        const busy = run.filter((one) => {
          const [start, stop] = spans.get(one.job) ?? [0, 0];
          return start <= at && at < stop;
        });
        if (busy.length > most) return false;
      }
    }
  }
  return true;
}

/** How often the tuner is tuned for them: not for one whose window meets those of its multiplex that end later. */
function tuningsOf(members: readonly PlanRequest[]): number {
  let tunings = 0;
  let run: PlanRequest[] = [];
  for (const job of members) {
    const [first] = run;
    if (first !== undefined && multiplexKey(first.service) !== multiplexKey(job.service)) run = [];
    if (!run.some(({ window }) => window.start < job.window.stop)) tunings += 1;
    run.push(job);
  }
  return tunings;
}
