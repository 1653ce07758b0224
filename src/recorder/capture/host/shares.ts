import { LIMITS } from "../../../model/limits.ts";
import { type DurationMs, SECOND } from "../../../model/time.ts";

/** What the sources may take of the thread together before the most expensive ones are held back: the rest is for what is not measured. */
const BUSY_MOST = 0.6;
/** Held back sources get so much more from look to look while there is room, until nothing holds them. */
const EASING = 1.25;
/** Between two looks, about. */
const LOOK_MS: DurationMs = 100;

/** What one source takes of the host, and may take. */
export interface Share {
  /**
   * @param bytes that came, with what each piece costs beside them
   * @param ms for which they kept the thread
   * @returns whether more may be read before the next look
   */
  spend(bytes: number, ms: DurationMs): boolean;
  /** Whether more may be read now. */
  readonly isOpen: boolean;
  /** Whether it has brought all the bytes that it may now. */
  readonly isUsedUp: boolean;
  /** For how long, without a break, it has brought all the bytes that it may. */
  readonly floodedMs: DurationMs;
  leave(): void;
}

/**
 * Divides the host among its sources, so that none takes what the others need. Each may bring `LIMITS.hostSourceBytesPerSecond`; those
 * that want more share that rate among them. Where the thread is busy, those that take most of it are held back to what is left when
 * the others have what they need (max-min fairness).
 */
export class Shares {
  readonly #members = new Set<Member>();
  #lookedMs: number | undefined;
  /** The share of the thread that one source may take; infinite while there is room. */
  #level = Number.POSITIVE_INFINITY;

  /** @param burstBytes that may come at once after a pause */
  join(burstBytes: number = LIMITS.hostSourceBurstBytes): Share {
    const member = new Member(
      burstBytes,
      () => this.#level,
      () => this.#members.delete(member),
    );
    this.#members.add(member);
    return member;
  }

  /** Called many times a second, before the sources are looked at, with a reading of the monotonic clock. */
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
    const bytes = (LIMITS.hostSourceBytesPerSecond * sinceMs) / SECOND;
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
  /** At some moment since the last look. */
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
    // One look may not pay for the last piece.
    this.#wasUsedUp = this.isUsedUp;
  }
}

/** The level to which all that is above it is cut, so that what is left is `room` together; infinite where nothing need be cut. */
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
