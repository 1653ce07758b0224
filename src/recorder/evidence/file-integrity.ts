import type { Verdict } from "../../model/evidence.ts";
import type { Inspection } from "../../model/inspection.ts";
import type { Integrity } from "../../model/integrity.ts";
import { DEFAULT_COMPLETE_FROM } from "../../model/policy.ts";
import type { Digest } from "../../model/ports.ts";
import { verdictOf } from "../../model/verdict.ts";
import { evidenceOf } from "./evidence.ts";
import { integrityOf } from "./integrity.ts";

/** The integrity report of a file without a recording; all times are stream times from its first PCR. */
export interface FileIntegrity extends Omit<Integrity, "segments" | "services"> {
  /** Hexadecimal. */
  readonly sha256: string;
  /** The verdict for an event as long as the file; absent if no clock shows that length. */
  readonly verdict?: Verdict;
}

export function integrityOfFile(inspection: Inspection, { bytes, sha256 }: Digest): FileIntegrity {
  const { streamMs } = inspection;
  const window = { start: 0, stop: streamMs };
  const segments = [{ number: 1, inspection, writtenAt: streamMs, bytes }];
  const { segments: _one, services: _known, ...integrity } = integrityOf(segments, window);
  const evidence = evidenceOf({ segments, event: window, window });
  const verdict = verdictOf(evidence, DEFAULT_COMPLETE_FROM);
  return {
    sha256,
    ...(streamMs === 0 || verdict === undefined ? {} : { verdict }),
    ...integrity,
  };
}
