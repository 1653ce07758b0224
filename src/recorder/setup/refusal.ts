import { RecorderdError } from "../../model/errors.ts";

export function invalidAnswer(message: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message);
}
