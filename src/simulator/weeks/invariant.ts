import type { EpochMs } from "../../model/time.ts";

/** The invariants of the simulated weeks, each with the requirement that it checks. */
export type Invariant =
  | "R-01 every timer has exactly one outcome"
  | "R-01 a recording missed during an outage names the outage"
  | "R-02 a reported outage covers only downtime"
  | "R-04 the final state matches the coverage"
  | "R-05 a running recording has payload on disk"
  | "R-06 a recording never outlives its window"
  | "R-08 a final state never changes"
  | "R-08 every action follows its commit"
  | "R-08 reported states never go back"
  | "R-08 the service receives every outcome"
  | "R-08 no report is lost"
  | "R-10 the ledger contains every final state"
  | "R-11 only a valid answer changes timers"
  | "R-12 only a forget or a confirmed absence cancels a recording"
  | "R-13 a forget takes effect at once"
  | "R-14 an unchanged timer is never rewritten"
  | "R-15 a malformed entry is reported as failed"
  | "R-16 an event with a new id has one recording"
  | "R-17 recorderd books a show at most once"
  | "R-17 a booked repeat yields one complete recording"
  | "R-18 only a forget, a fault or the end of the event stops a capture"
  | "R-18 a recording follows the latest version of its timer"
  | "R-20 an untried tuner is used before one that failed"
  | "R-20 every gap in a recording has a cause"
  | "R-21 a tuner is released after use"
  | "R-22 a tuner receives one multiplex at a time"
  | "R-29 recorded payload is never lost"
  | "R-30 a recording has one capture at a time"
  | "R-36 a wrong clock ends no recording"
  | "R-36 a recording that a wrong clock missed names the clock"
  | "R-36 a correct clock stays trusted"
  | "R-36 every clock step is detected"
  | "R-41 a recording continues through an overrun"
  | "R-42 retries stay within their rate limit"
  | "R-43 a waiting report is delivered once the service recovers"
  | "R-43 polling resumes after every failure"
  | "R-43 polling waits for Retry-After"
  | "R-44 no failure ends the daemon";

export interface Violation {
  readonly invariant: Invariant;
  readonly at: EpochMs;
  readonly text: string;
  readonly timerId?: string;
}

/** A violation without its time. */
export type Breach = Omit<Violation, "at">;
