import { RecorderdError } from "../../model/errors.ts";

/** The error for an invalid answer. */
export function invalidAnswer(message: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message);
}
