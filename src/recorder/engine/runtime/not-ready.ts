import { RecorderdError } from "../../../model/errors.ts";

/** The engine is still starting. */
export function startingError(): RecorderdError {
  return new RecorderdError(
    "DAEMON_NOT_READY",
    "The recorder is still starting. Nothing was changed: try again in a moment.",
  );
}

/** The answer to every question while the recorder stops. */
export function stoppingError(): RecorderdError {
  return new RecorderdError("DAEMON_NOT_READY", "The recorder is stopping. Try again when it runs.");
}

/** @param isWithdrawn the question was not begun, and will not be */
export function busyError(isWithdrawn: boolean): RecorderdError {
  const what = isWithdrawn
    ? "Nothing was changed: try again in a moment."
    : "The request stays queued, and takes effect as soon as possible.";
  return new RecorderdError("DAEMON_NOT_READY", `The recorder is busy. ${what}`);
}

/** The question is decided about and waits for the disk. */
export function notStoredError(): RecorderdError {
  return new RecorderdError(
    "STORE_WRITE_FAILED",
    "The change is not stored yet, because the state of the recorder cannot be written. It is stored as soon as that is possible.",
  );
}
