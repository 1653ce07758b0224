import type { EpochMs } from "../../model/time.ts";
import type { ClockInvariant } from "./clock-invariants.ts";

/** The names of the invariants. */
export type Invariant =
  | "R-01 an order is never lost, and ends once"
  | "R-01 what was missed while the recorder was off says so"
  | "R-02 an outage is when the recorder was off"
  | "R-04 whole is what is covered"
  | "R-05 running means payload on disk"
  | "R-06 what is over ends"
  | "R-08 an end is final"
  | "R-08 done only once committed"
  | "R-08 told in order"
  | "R-08 the service knows the end"
  | "R-10 the ledger knows every end"
  | "R-08 the service knows what was said"
  | "R-11 only a good answer changes orders"
  | "R-12 what is not withdrawn is kept"
  | "R-13 a forget counts at once"
  | "R-14 the same order changes nothing"
  | "R-15 a malformed entry is told of"
  | "R-16 one event, one recording"
  | "R-17 what is ordered is ordered once"
  | "R-17 what is ordered again is recorded whole once"
  | "R-18 only forget, a fault or the end stops a capture"
  | "R-18 the latest order is followed"
  | "R-20 another tuner is tried first"
  | "R-20 what can be recorded is recorded"
  | "R-21 nothing is held after the end"
  | "R-22 one multiplex to a tuner"
  | "R-29 payload is kept"
  | "R-30 one capture to a recording"
  | ClockInvariant
  | "R-41 what runs on is recorded"
  | "R-42 no loop without a pause"
  | "R-43 what waits is delivered"
  | "R-43 the service is asked again"
  | "R-43 the service is left alone for as long as it asks"
  | "R-44 nothing ends the daemon";

export interface Violation {
  readonly invariant: Invariant;
  readonly at: EpochMs;
  readonly text: string;
  readonly timerId?: string;
}

/** A violation without its time. */
export type Breach = Omit<Violation, "at">;
