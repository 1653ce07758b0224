import { createHash } from "node:crypto";
import type { BroadcastGuide, GuideBlock, GuideService } from "../../../model/broadcast-guide.ts";
import { tripletKey } from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import { GATHER_LIMITS } from "./limits.ts";

/** The smallest unit to send: one block of one service. */
export interface Part {
  readonly key: string;
  /** Digest of the content. */
  readonly digest: string;
  readonly service: Omit<GuideService, "blocks">;
  readonly block: GuideBlock;
}

/** The sent parts, with the instant of the monotonic clock. Oldest first. */
export type SentParts = ReadonlyMap<string, { readonly digest: string; readonly atMs: DurationMs }>;

/** The parts of a guide that differ from the sent ones. */
export function newParts(guide: BroadcastGuide, brought: SentParts, nowMs: DurationMs): readonly Part[] {
  return guide.services.flatMap(partsOf).filter(({ key, digest }) => {
    const before = brought.get(key);
    return before?.digest !== digest || nowMs - before.atMs >= GATHER_LIMITS.againMs;
  });
}

function partsOf({ blocks, ...service }: GuideService): readonly Part[] {
  return blocks.map((block): Part => {
    const { span, events } = block;
    const place = span === undefined ? `event ${events[0]?.eventId}` : `${span.start} ${span.stop}`;
    const { name, isReceived } = service;
    const digest = createHash("sha256")
      .update(JSON.stringify([name, isReceived, events]))
      .digest("base64");
    return { key: `${tripletKey(service.triplet)} ${place}`, digest, service, block };
  });
}

/** Groups parts into requests of acceptable size. */
export function requestsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const requests: Part[][] = [];
  let events = 0;
  let length = 0;
  for (const part of parts) {
    events += part.block.events.length;
    length += lengthOf(part);
    const last = requests.at(-1);
    if (
      last !== undefined &&
      events <= GATHER_LIMITS.requestEvents &&
      length <= GATHER_LIMITS.requestLength
    ) {
      last.push(part);
      continue;
    }
    requests.push([part]);
    events = part.block.events.length;
    length = lengthOf(part);
  }
  return requests;
}

/** The approximate length of the numbers and names around the texts of one event, or of a service and its span. */
const AROUND_TEXT = 300;

/** An empty block is listed as such. */
function lengthOf({ service, block }: Part): number {
  return block.events.reduce(
    (sum, { title, text }) => sum + AROUND_TEXT + title.length + text.length,
    AROUND_TEXT + service.name.length,
  );
}

/** The parts in the form of the port. */
export function servicesOf(parts: readonly Part[]): readonly GuideService[] {
  const services = new Map<string, GuideService>();
  for (const { service, block } of parts) {
    const key = tripletKey(service.triplet);
    services.set(key, { ...service, blocks: [...(services.get(key)?.blocks ?? []), block] });
  }
  return [...services.values()];
}

export function withSent(brought: SentParts, parts: readonly Part[], nowMs: DurationMs): SentParts {
  const kept = new Map([...brought].filter(([, { atMs }]) => nowMs - atMs < GATHER_LIMITS.againMs));
  for (const { key, digest } of parts) {
    kept.delete(key);
    kept.set(key, { digest, atMs: nowMs });
  }
  return new Map([...kept].slice(-GATHER_LIMITS.parts));
}
