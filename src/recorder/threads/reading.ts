import { askThread, type ThreadEnd } from "../../kit/process/thread.ts";
import { type Clock, onAbort } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { unreadable } from "../evidence/file-inspection.ts";
import type { ReadWhole, WholeInspection } from "../evidence/whole-file.ts";
import { THREADS_LIMITS } from "./limits.ts";
import type { ReadingAnswer, ReadingQuestion } from "./reading-thread.ts";

interface Waiting {
  readonly question: ReadingQuestion;
  readonly signal: AbortSignal;
  readonly resolve: (found: WholeInspection) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Inspects and hashes whole files beside the loop, one after the other: recordings that end together would keep the loop
 * busy for minutes, and a disk reads one file faster than many. A thread takes all files that wait, and ends after them.
 */
export function createReading({
  threadFile,
  clock,
}: {
  /** `reading-thread`, compiled. */
  readonly threadFile: URL;
  readonly clock: Clock;
}): ReadWhole {
  let waiting: readonly Waiting[] = [];
  let isReading = false;

  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      const left = await readTogether(together);
      waiting = [...left, ...waiting];
    }
    isReading = false;
  }

  /** @returns those that another thread must read */
  async function readTogether(all: readonly Waiting[]): Promise<readonly Waiting[]> {
    const wanted = all.filter(({ signal }) => !signal.aborted);
    if (wanted.length === 0) return [];
    let answered = 0;
    const onAnswer = (answer: ReadingAnswer) => {
      if (answer.kind === "alive") return;
      settle(wanted[answered], answer);
      answered += 1;
    };
    const end = await onThread(wanted, onAnswer);
    const [stuck, ...others] = wanted.slice(answered);
    if (stuck === undefined) return [];
    const why = end.kind === "failed" ? end.text : "it gave no answer";
    stuck.reject(unreadable(stuck.question.file, `the thread that reads it has failed (${why})`));
    return others;
  }

  /** The thread ends early when nobody waits for it any more. */
  async function onThread(
    wanted: readonly Waiting[],
    onAnswer: (answer: ReadingAnswer) => void,
  ): Promise<ThreadEnd> {
    const over = new AbortController();
    const endIfUnwanted = () => {
      if (wanted.every(({ signal }) => signal.aborted)) over.abort();
    };
    const unfollow = wanted.map(({ signal }) => onAbort(signal, endIfUnwanted));
    const { readingMs: patienceMs, readingMiB: memoryMiB } = THREADS_LIMITS;
    const question = wanted.map((each) => each.question);
    try {
      return await askThread(
        { file: threadFile, question, onAnswer, patienceMs, memoryMiB, clock },
        over.signal,
      );
    } catch (error) {
      return { kind: "failed", text: String(error) };
    } finally {
      for (const end of unfollow) end();
    }
  }

  return (file, order, signal) =>
    new Promise((resolve, reject) => {
      const unfollow = onAbort(signal, () => reject(signal.reason));
      const question = { file, order };
      waiting = [
        ...waiting,
        {
          question,
          signal,
          resolve: (found) => {
            unfollow();
            resolve(found);
          },
          reject: (error) => {
            unfollow();
            reject(error);
          },
        },
      ];
      void readAll();
    });
}

function settle(
  waiting: Waiting | undefined,
  answer: Exclude<ReadingAnswer, { readonly kind: "alive" }>,
): void {
  if (answer.kind === "found") waiting?.resolve(answer.found);
  else waiting?.reject(new RecorderdError(answer.code, answer.message, answer.facts));
}
