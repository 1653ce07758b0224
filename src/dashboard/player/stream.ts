import { ask, isMissing } from "../state/api.ts";
import type { StreamFacts } from "./model.ts";

/** A recording, or a live service. */
export type Stream =
  | { readonly kind: "recording"; readonly id: string }
  /** `service` is ONID-TSID-SID, decimal. */
  | { readonly kind: "live"; readonly service: string };

/** The address of a stream, without a slash at its end. */
export function addressOf(stream: Stream): string {
  return stream.kind === "live"
    ? `/v1/live/${stream.service}`
    : `/v1/recordings/${encodeURIComponent(stream.id)}`;
}

/**
 * The facts about a stream; `undefined` from a recorder without them. A live service is tuned first.
 *
 * @throws Refusal for example if no tuner is free
 */
export async function factsOf(stream: Stream): Promise<StreamFacts | undefined> {
  try {
    return await ask<StreamFacts>("GET", `${addressOf(stream)}/hls/tracks`);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
