import { judge } from "../judge.ts";
import type { Target } from "../target.ts";
import { type CountedModule, Coverage } from "./coverage.ts";
import { type Dice, mutated } from "./mutate.ts";
import { END, LENGTH, RUNS, type SharedInput } from "./shared.ts";

export interface Exploration {
  readonly target: Target;
  readonly modules: readonly CountedModule[];
  /** Inputs that earlier explorations found worth keeping. */
  readonly known: readonly Uint8Array[];
  readonly dice: Dice;
  readonly shared: SharedInput;
  /** Told of every input that takes a branch that none took before. */
  readonly keep: (input: Uint8Array) => void;
}

export interface Explored {
  readonly runs: number;
  readonly branches: number;
  readonly inputs: number;
  /** The slowest run, by the wall clock. */
  readonly slowestMs: number;
  readonly finding?: { readonly input: Uint8Array; readonly reason: string };
}

/** Events of the process have their turn after so many runs. */
const RUNS_AT_ONCE = 500;

/** Tries inputs made of earlier ones until it must end, or finds one that breaks a law or a budget. */
export async function explore(order: Exploration): Promise<Explored> {
  const { target, dice, shared } = order;
  const input = new Uint8Array(shared.input);
  const state = new Int32Array(shared.state);
  const coverage = new Coverage(order.modules);
  const corpus: Uint8Array[] = [];
  let slowestMs = 0;
  const result = () => ({
    runs: Atomics.load(state, RUNS),
    branches: coverage.branches,
    inputs: corpus.length,
    slowestMs,
  });

  /** The shortest input with the same reason that is found by leaving pieces out. */
  async function finding(bytes: Uint8Array, reason: string): Promise<Explored> {
    const [kind] = reason.split("\n");
    let input = bytes;
    for (let piece = Math.ceil(bytes.length / 2); piece > 0; piece = Math.floor(piece / 2)) {
      for (let at = 0; at < input.length && Atomics.load(state, END) === 0; ) {
        const shorter = Buffer.concat([input.subarray(0, at), input.subarray(at + piece)]);
        if ((await judge(target, shorter))?.split("\n")[0] === kind) input = shorter;
        else at += piece;
      }
    }
    return { ...result(), finding: { input, reason } };
  }

  /** @returns why it is a finding */
  async function run(bytes: Uint8Array): Promise<string | undefined> {
    input.set(bytes);
    Atomics.store(state, LENGTH, bytes.length);
    Atomics.add(state, RUNS, 1);
    coverage.begin();
    const begunMs = performance.now();
    const reason = await judge(target, bytes);
    slowestMs = Math.max(slowestMs, performance.now() - begunMs);
    if (coverage.end()) {
      corpus.push(bytes);
      order.keep(bytes);
    }
    return reason;
  }

  for (const bytes of [new Uint8Array(), ...target.seeds(), ...order.known]) {
    const reason = await run(bytes.subarray(0, target.bytesMax));
    if (reason !== undefined) return await finding(bytes, reason);
  }
  let words = coverage.words;
  const any = () => corpus[dice(corpus.length)] ?? new Uint8Array();
  // The latest finds lead further more often.
  const recent = () => corpus[corpus.length - 1 - dice(Math.min(corpus.length, 32))] ?? any();
  for (let runs = 0; Atomics.load(state, END) === 0; runs += 1) {
    const parent = dice(2) === 0 ? any() : recent();
    const bytes = mutated(parent, { dice, other: any, words, bytesMax: target.bytesMax });
    const reason = await run(bytes);
    if (reason !== undefined) return await finding(bytes, reason);
    if (runs % RUNS_AT_ONCE !== 0) continue;
    words = coverage.words;
    await new Promise(setImmediate);
  }
  return result();
}
