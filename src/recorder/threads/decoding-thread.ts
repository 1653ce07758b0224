// Runs on a thread of its own: see decoding.ts.
import { type Decoded, decodeDocument } from "../../guide-wire/codec.ts";
import type { DocumentKind } from "../../guide-wire/documents.ts";
import { threadQuestion } from "../../kit/process/thread.ts";
import { type ErrorCode, type Facts, RecorderdError } from "../../model/errors.ts";

/** One document of the guide service. */
export interface DecodingQuestion<K extends DocumentKind> {
  readonly kind: K;
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** The result or the error of `decodeDocument`. */
export type DecodingAnswer<K extends DocumentKind> =
  | { readonly decoded: Decoded<K> }
  | { readonly code: ErrorCode; readonly message: string; readonly facts: Facts };

const { question, answer } = threadQuestion();
const { kind, body, contentType } = question as DecodingQuestion<DocumentKind>;
try {
  answer({ decoded: decodeDocument(kind, body, { contentType }) });
} catch (error) {
  if (!(error instanceof RecorderdError)) throw error;
  const { code, message, facts } = error;
  answer({ code, message, facts });
}
