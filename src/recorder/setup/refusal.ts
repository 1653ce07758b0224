import { RecorderdError } from "../../model/errors.ts";

/** What was answered is none of what can be. */
export function noAnswer(message: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message);
}
