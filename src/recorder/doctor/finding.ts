import type { ErrorCode } from "../../model/errors.ts";

/** What one look at the installation gave. `unknown`: there is nothing to look at, or nobody to ask; no fault. */
export interface Finding {
  /** Of which check; a word that stays. */
  readonly check: string;
  readonly verdict: "good" | "bad" | "unknown";
  readonly found: string;
  /** Of what is bad: how it should be, and what a person does about it. */
  readonly expected?: string;
  readonly todo?: string;
  readonly code?: ErrorCode;
}

/** What a check says; which one it was is added by whoever runs it. */
export type Said = Omit<Finding, "check">;

export function good(found: string): Said {
  return { verdict: "good", found };
}

export function unknown(found: string): Said {
  return { verdict: "unknown", found };
}

export function bad(fault: Required<Pick<Said, "found" | "expected" | "todo">> & Pick<Said, "code">): Said {
  return { verdict: "bad", ...fault };
}
