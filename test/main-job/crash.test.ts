import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { chanceOf } from "../../src/simulator/weeks/chance.ts";
import { casesOf } from "../lane.ts";
import { aftermathOf, capturesOf, leftovers, lost, misremembered, untold } from "./aftermath.ts";
import { Evening } from "./evening.ts";
import { onSimulator, pause, type Recorder, temporaryFolder, testWorld } from "./recorder.ts";
import { storedDocument } from "./stored-document.ts";

const clock = systemClock();

/** The whole hundred takes minutes on a busy machine: `npm run crash-test`. */
const KILLS = Number(process.env["CRASH_KILLS"] ?? casesOf({ sample: 4, all: 100 }));
/** `auto` is the capture host for these tuners; or `ffmpeg`. */
const ENGINE = process.env["CRASH_ENGINE"] ?? "auto";
/** Three multiplexes, two tuners: not everything can be recorded at once. */
const CHANNELS = 12;
const TUNERS = 2;
/** Kills in the first moments of a life, among all. */
const EARLY_PERCENT = 35;

it("R-08 R-34 a daemon killed at random moments of a busy evening loses no file and no report, and keeps their order", {
  timeout: 15 * MINUTE,
}, async ({ annotate }) => {
  const seed = Number(process.env["CRASH_SEED"] ?? 20_261_122);
  await annotate(`CRASH_SEED=${seed}`);
  await using folder = await temporaryFolder();
  await using home = await testWorld(folder.path, CHANNELS);
  const more = { capture: { engine: ENGINE } };
  await using recorder = await onSimulator(folder.path, home, { tuners: TUNERS, more });
  const evening = new Evening(home, { seed, channels: CHANNELS });
  const over = new AbortController();
  const household = evening.run(over.signal);
  const seen = await killAgainAndAgain(recorder, seed);
  over.abort();
  await household;
  await recorder.start();
  await calm(recorder, evening.end + 2 * MINUTE);

  const after = await aftermathOf(recorder, home, evening.timers);
  const lives = after.ledger.filter(({ fact }) => fact === "started").length;
  const figures = { seed, lives, ...seen, ...countsOf(after.recordings.map(({ state }) => state)) };
  await annotate(JSON.stringify(figures));
  // Sidecars are written after the recordings are reported.
  await expect.poll(() => leftovers(recorder)).toEqual([]);
  const losses = await Promise.all(after.recordings.map((recording) => lost(recording, after.files)));
  const wrong = {
    endedByItself: seen.endedByItself,
    twoCapturesOfOne: seen.twoCapturesOfOne,
    untold: after.timers.flatMap(untold),
    misremembered: after.recordings.flatMap((recording) => misremembered(recording, after.ledger)),
    lost: losses.flat(),
    leftovers: await leftovers(recorder),
    streams: home.world.broadcaster.openStreams(),
  };
  expect(wrong, JSON.stringify(figures)).toEqual({
    endedByItself: [],
    twoCapturesOfOne: [],
    untold: [],
    misremembered: [],
    lost: [],
    leftovers: [],
    streams: 0,
  });
  const named = after.recordings.flatMap(({ evidence }) => evidence?.file ?? []);
  expect(after.files.map((file) => join(recorder.recordings, file))).toEqual([...named].sort());
});

/** The work in progress when the daemon was killed, counted. */
interface Seen {
  readonly kills: number;
  writing: number;
  tuning: number;
  recording: number;
  closing: number;
  reporting: number;
  readonly endedByItself: string[];
  readonly twoCapturesOfOne: string[];
}

/** Starts at once after each kill. How long a life is follows from how long this machine takes to start one. */
async function killAgainAndAgain(recorder: Recorder, seed: number): Promise<Seen> {
  const chance = chanceOf(seed, "kills");
  const seen: Seen = {
    kills: KILLS,
    writing: 0,
    tuning: 0,
    recording: 0,
    closing: 0,
    reporting: 0,
    endedByItself: [],
    twoCapturesOfOne: [],
  };
  const before = clock.monotonicMs();
  await recorder.start();
  const startMs = Math.ceil(clock.monotonicMs() - before);
  let temporary: readonly string[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const isEarly = chance.percent(EARLY_PERCENT);
    await pause(isEarly ? chance.int(0, startMs) : startMs + chance.int(0, 0.8 * SECOND));
    if (recorder.exitCode !== null)
      seen.endedByItself.push(`${recorder.exitCode}: ${recorder.said.slice(-500)}`);
    await recorder.kill();
    temporary = await look(recorder, { seen, before: temporary });
    recorder.launch();
  }
  await recorder.kill();
  return seen;
}

/** Counts the work in progress in `seen`; temporary files in `before` do not count. @returns the temporary files there now */
async function look(
  { data }: Recorder,
  { seen, before }: { readonly seen: Seen; readonly before: readonly string[] },
): Promise<readonly string[]> {
  const running = await capturesOf(data);
  const recordings = running.map((attempt) => attempt.split(".")[0]);
  if (new Set(recordings).size < recordings.length) seen.twoCapturesOfOne.push(running.join(", "));
  const temporary = (await readdir(data)).filter((name) => name.endsWith(".tmp"));
  // One that lay there before is of an earlier kill: it goes with the first write.
  if (temporary.some((name) => !before.includes(name))) seen.writing += 1;
  const document = await storedDocument(data);
  const states = Object.values(document.recordings).map(({ state }) => state);
  if (states.includes("tuning")) seen.tuning += 1;
  if (states.includes("recording")) seen.recording += 1;
  if (states.includes("closing")) seen.closing += 1;
  if (document.outbox.length > 0) seen.reporting += 1;
  return temporary;
}

/** Until every recording has ended and the service knows. */
async function calm(recorder: Recorder, deadline: number): Promise<void> {
  for (;;) {
    const snapshot = await recorder.snapshot();
    const open = snapshot?.recordings.filter(({ state }) => !isTerminal(state)) ?? [];
    if (snapshot !== undefined && open.length === 0 && snapshot.guide.reportsWaiting === 0) return;
    if (clock.now() > deadline)
      throw new Error(`did not come to rest: ${JSON.stringify(open)}\n${recorder.said}`);
    await pause(200);
  }
}

function countsOf(states: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
