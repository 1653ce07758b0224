import { RecorderdError } from "../../model/errors.ts";
import type { SetupRefusal } from "../../model/setup.ts";

/** @param why absent for an answer that no form gives */
export function invalidAnswer(message: string, why?: SetupRefusal): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message, why === undefined ? {} : { why });
}
