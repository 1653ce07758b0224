import { type EpochMs, formatInstant } from "../../model/time.ts";

interface Content {
  readonly channels: number;
  readonly programmes: number;
  /** The end of the last programme. */
  readonly end: EpochMs;
}

/** Why a listing without flaws gives the guide nothing, and what to do; `undefined` if it does not. */
export function whyNothing({ channels, programmes, end }: Content, now: EpochMs): string | undefined {
  if (channels + programmes === 0) return "it has neither a <channel> nor a <programme>: check its source";
  if (programmes === 0)
    return `it has no <programme>, only channels (${channels}): tell its source how many days of programmes to provide`;
  return end > now
    ? undefined
    : `all of its programmes are over, the last one at ${formatInstant(end)}: get a newer listing`;
}
