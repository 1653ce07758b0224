import { type DurationMs, SECOND } from "../../../model/time.ts";
import { HOST_LIMITS } from "./limits.ts";

/** Load at which the most expensive sources are held back; the rest is for work that is not measured. */
const BUSY_MOST = 0.6;
/** Growth of a restricted source's share per look while there is room. */
const EASING = 1.25;
/** Approximate time between two looks. */
const LOOK_MS: DurationMs = 100;

/** The share of the host that one source uses and may use. */
export interface Share {
  /**
   * Books the cost of data.
   *
   * @param bytes received, with a surcharge per packet
   * @param ms of thread time
   * @returns whether more may be read before the next look
   */
  spend(bytes: number, ms: DurationMs): boolean;
  /** Whether more may be read now. */
  readonly isOpen: boolean;
  /** Whether its bytes are used up for now. */
  readonly isUsedUp: boolean;
  /** How long its bytes have been used up without a break. */
  readonly floodedMs: DurationMs;
  leave(): void;
}

/**
 * Divides the host among its sources, so that none takes what the others need. Each may bring `HOST_LIMITS.sourceBytesPerSecond`;
 * sources that want more share one such rate. On a busy thread, the largest users are cut to what the others leave (max-min
 * fairness).
 */
export class Shares {
  readonly #members = new Set<Member>();
  #lookedMs: number | undefined;
  /** The share of thread time per source; infinite while there is room. */
  #level = Number.POSITIVE_INFINITY;

  /** @param burstBytes allowed at once after a pause */
  join(burstBytes: number = HOST_LIMITS.sourceBurstBytes): Share {
    const member = new Member(
      burstBytes,
      () => this.#level,
      () => this.#members.delete(member),
    );
    this.#members.add(member);
    return member;
  }

  /** Called many times a second, before the sources' `look`, with a reading of the monotonic clock. */
  look(nowMs: number): void {
    const sinceMs = Math.min(SECOND, nowMs - (this.#lookedMs ?? nowMs));
    this.#lookedMs = nowMs;
    if (sinceMs <= 0) return;
    const members = [...this.#members];
    const used = members.map(({ usedMs }) => usedMs);
    const level = levelOf(used, BUSY_MOST * sinceMs) / sinceMs;
    const eased = this.#level * EASING;
    this.#level = Math.min(level, eased > BUSY_MOST ? Number.POSITIVE_INFINITY : eased);
    for (const member of members) member.judge(sinceMs);
    const floods = members.filter(({ floodedMs }) => floodedMs > 0).length;
    const bytes = (HOST_LIMITS.sourceBytesPerSecond * sinceMs) / SECOND;
    for (const member of members) member.refill(member.floodedMs > 0 ? bytes / floods : bytes);
  }
}

class Member implements Share {
  usedMs: DurationMs = 0;
  floodedMs: DurationMs = 0;
  readonly #burstBytes: number;
  readonly #level: () => number;
  readonly leave: () => void;
  #bytesLeft: number;
  /** True if it was so at any time since the last look. */
  #wasUsedUp = false;

  constructor(burstBytes: number, level: () => number, leave: () => void) {
    this.#burstBytes = burstBytes;
    this.#bytesLeft = burstBytes;
    this.#level = level;
    this.leave = leave;
  }

  get isOpen(): boolean {
    return !this.isUsedUp && this.usedMs < this.#level() * LOOK_MS;
  }

  get isUsedUp(): boolean {
    return this.#bytesLeft <= 0;
  }

  spend(bytes: number, ms: DurationMs): boolean {
    this.usedMs += ms;
    this.#bytesLeft -= bytes;
    if (this.isUsedUp) this.#wasUsedUp = true;
    return this.isOpen;
  }

  judge(sinceMs: DurationMs): void {
    this.floodedMs = this.#wasUsedUp ? this.floodedMs + sinceMs : 0;
    this.usedMs = 0;
  }

  refill(bytes: number): void {
    this.#bytesLeft = Math.min(this.#burstBytes, this.#bytesLeft + bytes);
    // One look need not cover the last packet.
    this.#wasUsedUp = this.isUsedUp;
  }
}

/** The level at which to cut larger values so that the sum is `room`; infinite if no cut is needed. */
export function levelOf(used: readonly number[], room: number): number {
  let left = room;
  const ascending = used.toSorted((a, b) => a - b);
  for (const [index, each] of ascending.entries()) {
    const level = left / (ascending.length - index);
    if (each > level) return level;
    left -= each;
  }
  return Number.POSITIVE_INFINITY;
}
