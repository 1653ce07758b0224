import type { ErrorCode } from "../../model/errors.ts";

/** The result of one check. `unknown`: there is nothing to check, or nobody answers; not a fault. */
export interface Finding {
  /** Name of the check; stable. */
  readonly check: string;
  readonly verdict: "good" | "bad" | "unknown";
  readonly found: string;
  /** For faults: the expected state, and what to do. */
  readonly expected?: string;
  readonly todo?: string;
  readonly code?: ErrorCode;
}

/** A check's result; the runner adds the check's name. */
export type Result = Omit<Finding, "check">;

export function good(found: string): Result {
  return { verdict: "good", found };
}

export function unknown(found: string): Result {
  return { verdict: "unknown", found };
}

export function bad(
  fault: Required<Pick<Result, "found" | "expected" | "todo">> & Pick<Result, "code">,
): Result {
  return { verdict: "bad", ...fault };
}
