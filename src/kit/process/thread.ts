import os from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { DurationMs } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";

export interface ThreadOrder<A> {
  /** The script that runs on the thread. */
  readonly file: URL;
  readonly question: unknown;
  /** Receives each answer, in order. */
  readonly onAnswer: (answer: A) => void;
  /** A thread that is silent for this long is ended. */
  readonly patienceMs: DurationMs;
  /**
   * A thread that takes more is ended, on a best-effort basis: a single allocation far beyond the limit, such as a Map that
   * doubles, can end the whole process (https://github.com/nodejs/node/issues/47224).
   */
  readonly memoryMiB: number;
  readonly clock: Clock;
}

/** The end of a thread: success, or a fault in words for the log. */
export type ThreadEnd = { readonly kind: "done" } | { readonly kind: "failed"; readonly text: string };

/**
 * The most that one collection can move to the old space. Node.js allows a thread at its limit 16 MiB more while it ends it:
 * with the larger young generation of Node.js 24, one collection took more and ended the process.
 */
const YOUNG_MIB = 8;

/**
 * Runs a script on its own thread, so that the loop stays free. Aborting the signal ends it. Its answers are trusted: the
 * script is ours.
 */
export async function askThread<A>(order: ThreadOrder<A>, signal: AbortSignal): Promise<ThreadEnd> {
  const { file, question, onAnswer, patienceMs, memoryMiB, clock } = order;
  if (signal.aborted) return { kind: "failed", text: "ended on request" };
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
    signal.addEventListener("abort", () => resolve({ kind: "failed", text: "ended on request" }), {
      once: true,
      signal: over.signal,
    });
  });
  const patience = async (): Promise<ThreadEnd> => {
    for (;;) {
      const leftMs = heardAt + patienceMs - clock.monotonicMs();
      if (leftMs <= 0) return { kind: "failed", text: `did not answer for ${patienceMs} ms` };
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

/** Threads yield to the loop and to captures when CPU time is short (nice(2)). */
const NICENESS = os.constants.priority.PRIORITY_BELOW_NORMAL;

/** A sandbox may forbid it, as the system call filter of a service does: the thread works all the same. */
function yieldToOthers(): void {
  // On Linux, 0 means this thread alone (setpriority(2)); elsewhere it is the whole process.
  if (process.platform !== "linux") return;
  try {
    os.setPriority(0, NICENESS);
  } catch {
    // At the usual priority.
  }
}

/** On such a thread: the question, and a function that answers. */
export function threadQuestion(): { readonly question: unknown; readonly answer: (answer: unknown) => void } {
  if (isMainThread || parentPort === null) throw new Error("this script runs on a thread of its own");
  yieldToOthers();
  const port = parentPort;
  return { question: workerData, answer: (answer) => port.postMessage(answer) };
}
