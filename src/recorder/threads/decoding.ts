import type { DocumentKind } from "../../guide-wire/documents.ts";
import type { DecodeOnThread } from "../../guide-wire/exchange.ts";
import { askThread } from "../../kit/process/thread.ts";
import { type Clock, yieldToLoop } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { DecodingAnswer, DecodingQuestion } from "./decoding-thread.ts";
import { THREADS_LIMITS } from "./limits.ts";

/**
 * Reads documents of the guide service, each on a thread of its own: thousands of timers would block the loop for too
 * long.
 */
export function createDecoding({
  threadFile,
  clock,
}: {
  /** `decoding-thread`, compiled. */
  readonly threadFile: URL;
  readonly clock: Clock;
}): DecodeOnThread {
  return async <K extends DocumentKind>(
    kind: K,
    body: Uint8Array,
    { contentType, signal }: { readonly contentType: string; readonly signal: AbortSignal },
  ) => {
    const question: DecodingQuestion<K> = { kind, body, contentType };
    const { readMs: patienceMs, readMiB: memoryMiB } = THREADS_LIMITS;
    const answers: DecodingAnswer<K>[] = [];
    const onAnswer = (answer: DecodingAnswer<K>) => void answers.push(answer);
    const end = await askThread(
      { file: threadFile, question, onAnswer, patienceMs, memoryMiB, clock },
      signal,
    );
    const [answer] = answers;
    if (answer === undefined) {
      signal.throwIfAborted();
      const why = end.kind === "failed" ? end.text : "it gave no answer";
      const text = `The ${kind} document cannot be used: the thread that reads it has failed (${why})`;
      throw new RecorderdError("GUIDE_DOCUMENT_INVALID", text, { document: kind });
    }
    // Copying the result has kept others waiting long enough.
    await yieldToLoop();
    if ("decoded" in answer) return answer.decoded;
    throw new RecorderdError(answer.code, answer.message, answer.facts);
  };
}
