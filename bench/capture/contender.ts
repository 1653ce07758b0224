import { systemClock } from "../../src/kit/time/clock.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import type { Sent } from "./broadcast.ts";

export interface Order extends Sent {
  readonly folder: string;
  /** How long everything must run at once, settling included. */
  readonly seconds: number;
  /** Nothing is recorded. */
  readonly isIdle?: boolean;
  /** A profile is taken of it. */
  readonly isProfiled?: boolean;
  /** The daemon has a dashboard there. */
  readonly webPort?: number;
}

/** All recordings run. */
export interface Running {
  /** Every process that takes part. */
  readonly processes: () => readonly number[];
  /** The one that looks after the others, where there is one. */
  readonly supervisor?: number;
  /** The capture host of the daemon, while one runs: the daemon has other children. */
  readonly host?: () => Promise<number | undefined>;
  /** Ends it and looks at what was recorded. */
  readonly end: () => Promise<Recorded>;
}

export interface Recorded {
  readonly continuityErrors: number;
  /** Recordings that are not whole. */
  readonly damaged: number;
  /** Per recording: from the order to the first byte in its file. */
  readonly firstByteMs: readonly number[];
  /** CPU time of the supervisor from the end of all windows until everything is kept. */
  readonly closingSeconds?: number;
  /** Bytes of all that were sent and not kept: of those that keep the bytes as they are. */
  readonly lostBytes?: number;
  /**
   * Per recording with a window: the lead of the first due packet before its start, and the lag of the last one after its end.
   */
  readonly margins?: readonly { readonly startMs: number; readonly endMs: number }[];
}

export interface Contender {
  readonly name: string;
  /** It is held against each that is not. */
  readonly isOurs: boolean;
  /** The required programs that are missing. */
  readonly missing: readonly string[];
  /** With more than these it makes no sense. */
  readonly recordingsMax: number;
  readonly start: (order: Order) => Promise<Running>;
}

const { signal } = new AbortController();
const PATIENCE_MS = 120_000;
const LOOK_MS = 250;
const clock = systemClock();

/** By the inspection, as recorderd judges its own. */
export async function lookAt(
  files: readonly string[],
): Promise<Pick<Recorded, "continuityErrors" | "damaged">> {
  let [continuityErrors, damaged] = [0, 0];
  for (const file of files) {
    await using inspection = openInspection(file, undefined);
    const found = await inspection.advance(signal);
    continuityErrors += found.continuityErrors;
    if (found.continuityErrors > 0 || found.spans.length !== 1) damaged += 1;
  }
  return { continuityErrors, damaged };
}

export function pauseMs(ms: number): Promise<void> {
  return clock.sleep(ms, signal);
}

/** Looks again and again, for two minutes at most. */
export async function until(holds: () => Promise<boolean> | boolean, otherwise: string): Promise<void> {
  const deadline = clock.monotonicMs() + PATIENCE_MS;
  while (!(await holds())) {
    if (clock.monotonicMs() > deadline) throw new Error(otherwise);
    await pauseMs(LOOK_MS);
  }
}
