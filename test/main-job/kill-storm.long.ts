import { expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { type Chance, chanceOf } from "../../src/simulator/weeks/chance.ts";
import { lost } from "./aftermath.ts";
import { onSimulator, pause, type Recorder, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

const clock = systemClock();

const KILLS = Number(process.env["CRASH_KILLS"] ?? 100);
const SEED = Number(process.env["CRASH_SEED"] ?? 20_261_122);
/** Each can be recorded at any time: only a kill can cost an event. */
const CHANNELS = 8;
const PADDING_SECONDS = 8;
/** A tuner and a capture begin within this time of a daemon that has its timers. */
const BEGIN_MS = 2 * SECOND;
/** The longest life between two kills, but for its start. */
const LIFE_MS = 10 * SECOND;
/** Kills in the first moments of a life, among all. */
const EARLY_PERCENT = 20;

/** A time in which a daemon had its timers. */
interface Life {
  readonly from: number;
  readonly to: number;
}

it.for(["auto", "ffmpeg"])(
  "R-08 R-34 engine %s: kills at random cost no event that a living daemon could begin",
  {
    timeout: 60 * MINUTE,
  },
  async (engine, { annotate }) => {
    const chance = chanceOf(SEED, "kill-storm");
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, CHANNELS);
    const more = { capture: { engine } };
    await using recorder = await onSimulator(folder.path, home, {
      tuners: CHANNELS,
      paddingSeconds: PADDING_SECONDS,
      more,
    });
    const over = new AbortController();
    const household = bookUntil(over.signal, home);
    const lives = await livesUntilKilled(recorder, chance);
    over.abort();
    const booked = await household;
    await recorder.start();
    lives.push({ from: clock.now(), to: Number.POSITIVE_INFINITY });
    const ended = await Promise.all(
      booked.map((timerId) => recorder.until(timerId, ({ state }) => isTerminal(state))),
    );

    const possible = ended.filter((recording) => lives.some((life) => couldBegin(recording, life)));
    const files = possible.flatMap(({ evidence }) => evidence?.file?.split("/").at(-1) ?? []);
    const losses = await Promise.all(possible.map((recording) => lost(recording, files)));
    const incomplete = possible
      .filter(({ state }) => state !== "completed")
      .map(({ id, state, attempts, evidence }) => ({ id, state, attempts, evidence }));
    const figures = `${KILLS} kills, ${ended.length} events, ${possible.length} of them possible`;
    await annotate(`CRASH_SEED=${SEED}: ${figures}`);
    expect({ incomplete, lost: losses.flat() }, figures).toEqual({ incomplete: [], lost: [] });
    expect(possible.length).toBeGreaterThan(0.6 * ended.length);
  },
);

/** Books a show on the next channel again and again. @returns the timers */
async function bookUntil(over: AbortSignal, { world, deviceId }: TestWorld): Promise<readonly string[]> {
  const timers: string[] = [];
  while (!over.aborted) {
    const number = timers.length + 1;
    const start = Math.ceil(clock.now() / SECOND) * SECOND + (PADDING_SECONDS + 4) * SECOND;
    const show = { channel: 1 + (number % CHANNELS), title: `Show ${number}`, start, durationMs: 8 * SECOND };
    timers.push(await world.book(show, deviceId));
    await pause(4 * SECOND);
  }
  return timers;
}

async function livesUntilKilled(recorder: Recorder, chance: Chance): Promise<Life[]> {
  const lives: Life[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    if (chance.percent(EARLY_PERCENT)) {
      recorder.launch();
      await pause(chance.int(0, SECOND));
    } else {
      await recorder.start();
      const from = clock.now();
      await pause(chance.int(SECOND, LIFE_MS));
      lives.push({ from, to: clock.now() });
    }
    await recorder.kill();
    // systemd waits before it starts a service again.
    await pause(chance.int(0, 2 * SECOND));
  }
  return lives;
}

/** Whether the daemon lived long enough before the event to have a capture that runs when it begins. */
function couldBegin({ event, window }: Recording, { from, to }: Life): boolean {
  return Math.min(to, event.start) - Math.max(from, window.start) >= BEGIN_MS;
}
