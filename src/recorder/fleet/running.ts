import { attemptId, runningAttempts } from "../../model/attempt.ts";
import { type Recording, titleOf } from "../../model/recording.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { Statements } from "./database.ts";

/** A running capture, by the state. */
export interface RunningCapture {
  /** The id of its attempt. */
  readonly id: string;
  readonly title: string;
  readonly tunerId: TunerId;
}

/** The running captures of a fleet. @throws RecorderdError STORE_WRITE_FAILED */
export async function runningCaptures(database: Statements): Promise<readonly RunningCapture[]> {
  const rows = await database.query(
    `SELECT body FROM fleet_values WHERE document = 'document' AND collection = 'now:recordings'
       AND body::jsonb ->> 'state' IN ('tuning', 'recording')`,
  );
  return rows.flatMap(({ body }) => {
    const recording: Recording = JSON.parse(String(body));
    return runningAttempts(recording).map(({ number, tunerId }) => ({
      ...{ id: attemptId(recording.id, number), title: titleOf(recording), tunerId },
    }));
  });
}

/** @throws RecorderdError STORE_WRITE_FAILED */
export async function recordsNothing(database: Statements): Promise<boolean> {
  return (await runningCaptures(database)).length === 0;
}
