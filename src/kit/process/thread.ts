import os from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { DurationMs } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";

export interface ThreadOrder<A> {
  /** The script that answers. */
  readonly file: URL;
  readonly question: unknown;
  /** Called with each answer, in their order. */
  readonly onAnswer: (answer: A) => void;
  /** A thread that has said nothing for so long is ended. */
  readonly patienceMs: DurationMs;
  /**
   * A thread that takes more is ended. Node.js promises no more than to try: a single allocation far beyond it, such as a Map that
   * doubles, can end the whole process (https://github.com/nodejs/node/issues/47224).
   */
  readonly memoryMiB: number;
  readonly clock: Clock;
}

/** How a thread ended: by itself, or by a fault, which is said in words for the log. */
export type ThreadEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly text: string };

/**
 * What one collection can add to the old objects at most. Node.js lets a thread at its limit take 16 MiB more while it ends it: with
 * the larger young generation of Node.js 24 one collection took more, and that ended the process.
 */
const YOUNG_MIB = 8;

/**
 * Has a script answer a question on a thread of its own, so that the loop goes on meanwhile. It is ended when the signal is aborted.
 * What it answers is believed: it is our own.
 */
export async function askThread<A>(order: ThreadOrder<A>, signal: AbortSignal): Promise<ThreadEnd> {
  const { file, question, onAnswer, patienceMs, memoryMiB, clock } = order;
  if (signal.aborted) return { kind: "failed", text: "told to end" };
  const worker = new Worker(file, {
    workerData: question,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB, maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const over = new AbortController();
  let heardAt = clock.monotonicMs();
  const ended = new Promise<ThreadEnd>((resolve) => {
    worker.on("message", (answer: A) => {
      heardAt = clock.monotonicMs();
      onAnswer(answer);
    });
    worker.on("error", (error) => resolve({ kind: "failed", text: String(error) }));
    worker.on("exit", (code) =>
      resolve(code === 0 ? { kind: "done" } : { kind: "failed", text: `ended with ${code}` }),
    );
    signal.addEventListener("abort", () => resolve({ kind: "failed", text: "told to end" }), {
      once: true,
      signal: over.signal,
    });
  });
  const patience = async (): Promise<ThreadEnd> => {
    for (;;) {
      const leftMs = heardAt + patienceMs - clock.monotonicMs();
      if (leftMs <= 0) return { kind: "failed", text: `said nothing for ${patienceMs} ms` };
      await clock.sleep(leftMs, over.signal);
    }
  };
  try {
    return await Promise.race([ended, patience().catch(() => ended)]);
  } finally {
    over.abort();
    await worker.terminate();
  }
}

/** Who thinks beside the loop waits for the loop and for captures where there is not enough for all (nice(2)). */
const NICENESS = os.constants.priority.PRIORITY_BELOW_NORMAL;

/** In such a thread: the question, and how to answer. */
export function askedHere(): { readonly question: unknown; readonly answer: (answer: unknown) => void } {
  if (isMainThread || parentPort === null) throw new Error("this script runs on a thread of its own");
  // Linux alone means this one thread by 0 (setpriority(2)): elsewhere it is all of the process.
  if (process.platform === "linux") os.setPriority(0, NICENESS);
  const port = parentPort;
  return { question: workerData, answer: (answer) => port.postMessage(answer) };
}
