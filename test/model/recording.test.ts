import { describe, expect, it } from "vitest";
import { type Attempt, attemptId, currentAttempt } from "../../src/model/attempt.ts";
import {
  inMotion,
  isTerminal,
  move,
  RECORDING_MOVES,
  type Recording,
  type RecordingInput,
  type RecordingState,
} from "../../src/model/recording.ts";
import { fc } from "../properties.ts";

const STATES = Object.keys(RECORDING_MOVES) as readonly RecordingState[];
const INPUTS = [
  ...new Set(STATES.flatMap((state) => Object.keys(RECORDING_MOVES[state]))),
] as RecordingInput[];
const state = fc.constantFrom(...STATES);
const input = fc.constantFrom(...INPUTS);

/** Every state that some row of inputs leads to. */
function reachableFrom(
  start: RecordingState,
  inputs: readonly RecordingInput[] = INPUTS,
): ReadonlySet<RecordingState> {
  const found = new Set<RecordingState>([start]);
  for (const from of found) {
    for (const each of inputs) {
      const to = move(from, each);
      if (to !== undefined) found.add(to);
    }
  }
  return found;
}

describe("a recording", () => {
  it("stays in a terminal state, whatever happens next", () => {
    const property = fc.property(
      state,
      input,
      (from, next) => !isTerminal(from) || move(from, next) === undefined,
    );
    fc.assert(property);
  });

  it("R-06 can be ended from every state", () => {
    for (const from of STATES) {
      expect([...reachableFrom(from)].some(isTerminal), from).toBe(true);
    }
  });

  it("R-06 moves towards its end after its window or its withdrawal, from every state", () => {
    for (const from of STATES.filter((each) => !isTerminal(each) && each !== "closing")) {
      for (const end of ["expired", "withdrawn"] as const) {
        const to = move(from, end);
        expect(to !== undefined && (to === "closing" || isTerminal(to)), `${from} ${end}`).toBe(true);
      }
    }
  });

  it("ends after closing, whatever is on disk, and has no other exit", () => {
    expect(
      Object.keys(RECORDING_MOVES.closing).map((each) => move("closing", each as RecordingInput)),
    ).toSatisfy((ends: readonly (RecordingState | undefined)[]) =>
      ends.every((end) => end !== undefined && isTerminal(end)),
    );
  });

  it("R-04 is completed, partial or failed only after closing, never directly", () => {
    for (const verdict of ["completed", "partial", "failed"] as const) {
      const from = STATES.filter((each) => INPUTS.some((by) => move(each, by) === verdict));
      expect(from, verdict).toEqual(["closing"]);
    }
  });

  it("R-05 is recording only after payload arrived", () => {
    const by = STATES.flatMap((from) =>
      INPUTS.filter((each) => from !== "recording" && move(from, each) === "recording"),
    );
    expect(by).toEqual(["flowing"]);
    const withoutFlow = INPUTS.filter((each) => each !== "flowing");
    expect(reachableFrom("planned", withoutFlow)).not.toContain("recording");
  });

  it("R-34 continues after a restart if its capture continues, and waits otherwise", () => {
    for (const running of ["tuning", "recording"] as const) {
      expect(move(running, "adopted")).toBe(running);
      expect(move(running, "interrupted")).toBe("waiting");
    }
  });

  it("can reach every state", () => {
    expect(reachableFrom("planned")).toEqual(new Set(STATES));
  });

  it("is in motion between planned and terminal states", () => {
    expect(STATES.filter(inMotion)).toEqual(["tuning", "waiting", "recording", "closing"]);
    expect(STATES.filter((each) => inMotion(each) && isTerminal(each))).toEqual([]);
  });
});

describe("an attempt", () => {
  const attempt = (number: number, endedAt?: number): Attempt => ({
    number,
    tunerId: "a",
    startedAt: number,
    ...(endedAt === undefined ? {} : { endedAt }),
  });
  const having = (...attempts: readonly Attempt[]) => ({ attempts }) as unknown as Recording;

  it("is current while it is the last and has not ended", () => {
    expect(currentAttempt(having())).toBeUndefined();
    expect(currentAttempt(having(attempt(1, 5)))).toBeUndefined();
    expect(currentAttempt(having(attempt(1, 5), attempt(2)))).toEqual(attempt(2));
  });

  it("R-30 has a name that is unique among all attempts of all recordings", () => {
    const id = fc.integer({ min: 1 }).map((n) => `r${n}`);
    const property = fc.property(id, id, fc.nat(), fc.nat(), (a, b, m, n) => {
      return (attemptId(a, m) === attemptId(b, n)) === (a === b && m === n);
    });
    fc.assert(property);
  });
});
