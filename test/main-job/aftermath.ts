import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { findMarked } from "../../src/kit/process/marked-process.ts";
import type { LedgerFact } from "../../src/model/ledger.ts";
import { isTerminal, type Recording, type RecordingState } from "../../src/model/recording.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { readLedger } from "../../src/recorder/store/ledger.ts";
import type { Recorder, TestWorld } from "./recorder.ts";

/** The state that a recorder leaves at the end, and the reports to its service. */
export interface Aftermath {
  readonly timers: readonly TimerStory[];
  readonly recordings: readonly Recording[];
  readonly ledger: readonly LedgerFact[];
  readonly files: readonly string[];
}

interface TimerStory {
  readonly timerId: string;
  /** The timer's recordings, oldest first. */
  readonly recordings: readonly Recording[];
  readonly ledger: readonly LedgerFact[];
  readonly told: Awaited<ReturnType<TestWorld["world"]["guide"]["timerReports"]>>;
}

export async function aftermathOf(
  recorder: Recorder,
  { world }: TestWorld,
  timerIds: readonly string[],
): Promise<Aftermath> {
  const recordings = (await recorder.snapshot())?.recordings ?? [];
  const ledger: LedgerFact[] = [];
  for await (const fact of readLedger(join(recorder.data, "ledger"))) ledger.push(fact);
  const names = await readdir(recorder.recordings);
  const timers = timerIds.map(async (timerId) => ({
    timerId,
    recordings: recordings.filter((recording) => recording.timerId === timerId),
    ledger: ledger.filter((fact) => fact.timerId === timerId),
    told: await world.guide.timerReports(timerId),
  }));
  return {
    recordings,
    ledger,
    files: names.filter((name) => name.endsWith(".ts")).sort(),
    timers: await Promise.all(timers),
  };
}

const RANK: Readonly<Record<string, number>> = { waiting: 0, running: 1, completed: 2, failed: 2 };

/** The service's name for each final state of a recording. */
const TOLD_AS: Readonly<Partial<Record<RecordingState, string>>> = {
  completed: "completed",
  partial: "failed",
  failed: "failed",
  missed: "failed",
  cancelled: "completed",
};

/** Faults in the reports to the service; empty when all is well. */
export function untold({ timerId, recordings, ledger, told }: TimerStory): readonly string[] {
  const made = ledger.filter(({ fact }) => fact === "report-made").map(({ facts }) => facts);
  const lastMade = made.findLast((facts) => facts?.["state"] !== undefined)?.["state"];
  const states = told.flatMap(({ state }) => (state === undefined ? [] : [state]));
  const last = recordings.at(-1);
  const wrong: string[] = [];
  if (states.at(-1) !== lastMade)
    wrong.push(`the service has ${states.at(-1)}, the ledger ends with ${lastMade}`);
  // A recording that is forgotten after its end gets one more report: completed.
  const expected = last === undefined || wasForgotten(ledger) ? "completed" : TOLD_AS[last.state];
  if (made.length > 0 && states.at(-1) !== expected) wrong.push(`is ${last?.state}`);
  if (states.some((state, index) => (RANK[state] ?? 0) < (RANK[states[index - 1] ?? ""] ?? 0))) {
    wrong.push("a state went backwards");
  }
  // Once more after a crash is allowed, an older one after a newer one is not.
  const heard = told.map(({ message }) => message).filter((message, at, all) => message !== all[at - 1]);
  const said = made.map((facts) => facts?.["message"]);
  if (!isWithin(heard, said)) wrong.push(`told in another order than made: ${JSON.stringify(said)}`);
  if (heard.at(-1) !== said.at(-1)) wrong.push(`the last report did not arrive: ${said.at(-1)}`);
  return wrong.map((what) => `timer ${timerId}: ${what} (told ${JSON.stringify(told)})`);
}

function wasForgotten(ledger: readonly LedgerFact[]): boolean {
  return ledger.some(
    ({ fact, facts }) => fact === "report-made" && String(facts?.["message"]).startsWith("Withdrawn"),
  );
}

/** Whether `part` is what is left of `whole` when some of it is taken out. */
function isWithin(part: readonly unknown[], whole: readonly unknown[]): boolean {
  let from = 0;
  return part.every((item) => {
    from = whole.indexOf(item, from) + 1;
    return from > 0;
  });
}

/** Contradictions between the ledger and the document about a recording. */
export function misremembered(recording: Recording, ledger: readonly LedgerFact[]): readonly string[] {
  const own = ledger.filter(({ recordingId }) => recordingId === recording.id);
  const moves = own.flatMap(({ facts = {} }) =>
    "to" in facts ? [{ from: facts["from"], to: facts["to"] }] : [],
  );
  const last = moves.at(-1)?.to;
  const wrong: string[] = [];
  if (!isTerminal(recording.state)) wrong.push(`is still ${recording.state}`);
  if (last !== recording.state) wrong.push(`is ${recording.state}, the ledger ends with ${last}`);
  const gaps = moves.filter(
    ({ from }, index) => from !== (index === 0 ? "conflicted" : moves[index - 1]?.to),
  );
  if (gaps.length > 0) wrong.push(`moves are missing in the ledger before ${JSON.stringify(gaps)}`);
  return wrong.map((what) => `${recording.id}: ${what}`);
}

/** Payload that was seen and is not on disk, or differs from the report. */
export async function lost(recording: Recording, files: readonly string[]): Promise<readonly string[]> {
  const { attempts, evidence, state, id } = recording;
  const flowed = attempts.some(({ flowingAt }) => flowingAt !== undefined);
  const file = evidence?.file;
  if (file === undefined) return flowed ? [`${id}: payload flowed, and there is no file`] : [];
  const wrong: string[] = [];
  if (!files.includes(basename(file))) wrong.push(`${file} is not there`);
  else {
    const { size } = await stat(file);
    if (size !== evidence?.bytes) wrong.push(`${file} has ${size} bytes of ${evidence?.bytes}`);
    wrong.push(...(await damage(file, recording)));
  }
  if (attempts.some(({ cause, flowingAt }) => cause === "CAPTURE_DIED" && flowingAt !== undefined)) {
    wrong.push("a capture died with the recorder");
  }
  return wrong.map((what) => `${id} (${state}): ${what}`);
}

/** An independent look into the file. */
async function damage(file: string, { attempts, state, event }: Recording): Promise<readonly string[]> {
  await using inspection = openInspection(file, undefined);
  const { damagedPackets, junkBytes, continuityErrors, streamMs } = await inspection.advance(
    new AbortController().signal,
  );
  const wrong: string[] = [];
  if (damagedPackets > 0) wrong.push(`${damagedPackets} packets are damaged`);
  if (junkBytes > 0) wrong.push(`${junkBytes} bytes are no packets`);
  // where one capture wrote it all, however often the recorder died meanwhile, no packet is missing.
  if (attempts.length === 1 && continuityErrors > 0) wrong.push(`${continuityErrors} continuity errors`);
  if (state === "completed" && streamMs < 0.97 * (event.stop - event.start)) {
    wrong.push(`is said to be complete, and is ${streamMs} ms long`);
  }
  return wrong;
}

/** Leftovers of work that should be done: processes, segments, reservations, temporary files. */
export async function leftovers({ data, recordings }: Recorder): Promise<readonly string[]> {
  const processes = (await capturesOf(data)).map((attempt) => `capture ${attempt}`);
  const work = await readdir(join(recordings, ".recorderd"));
  const temporary = (await readdir(data)).filter((name) => name.endsWith(".tmp"));
  return [...processes, ...work, ...temporary];
}

/** Attempts whose captures run. */
export async function capturesOf(data: string): Promise<readonly string[]> {
  const marked = await findMarked("RECORDERD_CAPTURE");
  const own = marked.filter(({ mark, isGroupLeader }) => isGroupLeader && mark.startsWith(`${data}/`));
  return own.map(({ mark }) => mark.slice(data.length + 1));
}
