import type { DurationMs } from "../../../model/time.ts";

/** A sender that has been silent for this long gives way to another one. */
const SILENT_MS: DurationMs = 500;

interface Sent {
  readonly address: string;
  /** The synchronisation source of an RTP packet. */
  readonly source?: number | undefined;
}

/**
 * Follows one of several senders to a group or port, such as a headend and its spare: the packets of two encoders are no stream. RTP
 * packets of one synchronisation source belong together, whoever sends them (SMPTE ST 2022-7).
 */
export class FollowedSender {
  #followed: Sent | undefined;
  #lastMs = 0;
  /** Counts datagrams of other senders. */
  ignored = 0;

  /** @returns whether the datagram belongs to the stream */
  takes(sent: Sent, nowMs: number): boolean {
    const followed = this.#followed;
    const isSameSource = sent.source !== undefined && sent.source === followed?.source;
    const isFollowed = isSameSource || sent.address === followed?.address;
    if (followed !== undefined && !isFollowed && nowMs - this.#lastMs < SILENT_MS) {
      this.ignored += 1;
      return false;
    }
    if (!isSameSource) this.#followed = sent;
    this.#lastMs = nowMs;
    return true;
  }
}
