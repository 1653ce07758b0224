// Runs on a thread of its own: see reading.ts.
import { threadQuestion } from "../../kit/process/thread.ts";
import { systemClock } from "../../kit/time/clock.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../../model/errors.ts";
import { type ReadingOrder, type WholeInspection, wholeReader } from "../evidence/whole-file.ts";
import { THREADS_LIMITS } from "./limits.ts";

export interface ReadingQuestion {
  readonly file: string;
  readonly order: ReadingOrder;
}

/** One `found` or `failed` for each question, in order; `alive` while a file is read. */
export type ReadingAnswer =
  | { readonly kind: "alive" }
  | { readonly kind: "found"; readonly found: WholeInspection }
  | {
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly message: string;
      readonly facts: Facts;
    };

const { question, answer } = threadQuestion();
const say: (said: ReadingAnswer) => void = answer;
const clock = systemClock();
let saidMs = clock.monotonicMs();
const onRead = () => {
  const nowMs = clock.monotonicMs();
  if (nowMs - saidMs < THREADS_LIMITS.aliveMs) return;
  saidMs = nowMs;
  say({ kind: "alive" });
};
const readWhole = wholeReader(clock, onRead);
const { signal } = new AbortController();
for (const { file, order } of question as readonly ReadingQuestion[]) {
  try {
    say({ kind: "found", found: await readWhole(file, order, signal) });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const { code, message, facts } = error;
    say({ kind: "failed", code, message, facts });
  }
}
