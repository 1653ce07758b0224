import { u8 } from "../../../../mpeg-ts/bytes.ts";
import { allowsRandomAccess, PACKET_BYTES, payloadAt, pidAt } from "../../../../mpeg-ts/packets.ts";
import { ptsOf, stampStep } from "../../../../mpeg-ts/streams/pes.ts";
import { WholePackets } from "../../../../mpeg-ts/whole-packets.ts";

const PAT_PID = 0;

interface Start {
  readonly number: number;
  readonly pts: number;
  /** It begins with a key frame. */
  readonly isKey: boolean;
}

interface Lane {
  readonly isVideo: boolean;
  /** Position in the starts of the segment that it is in; -1 before the first one. */
  at: number;
}

export interface CutSegment {
  readonly number: number;
  readonly bytes: Buffer;
}

interface CutterOptions {
  /** PIDs of the streams. The first one leads: no segment is whole before it has passed the end. */
  readonly pids: readonly number[];
  /** The PID of the picture, which is cut at key frames, or where a segment begins without one. */
  readonly videoPid: number | undefined;
  readonly mapPid: number;
}

/**
 * Cuts a converted transport stream into segments, each stream by its own time stamps: picture and sound of a segment begin with its
 * first access point, wherever a conversion began. Units before the first segment are left out.
 */
export class SegmentCutter {
  readonly #mapPid: number;
  readonly #starts: Start[] = [];
  readonly #lanes: ReadonlyMap<number, Lane>;
  readonly #lead: Lane | undefined;
  /** Packets of the segments that are not yet whole, by position in the starts. */
  readonly #open = new Map<number, Uint8Array[]>();
  /** All segments before this position are whole. */
  #done = 0;
  #pat: Uint8Array | undefined;
  #map: Uint8Array | undefined;
  readonly #packets = new WholePackets();
  #openBytes = 0;

  constructor({ pids, videoPid, mapPid }: CutterOptions) {
    this.#mapPid = mapPid;
    this.#lanes = new Map(pids.map((pid) => [pid, { isVideo: pid === videoPid, at: -1 }]));
    [this.#lead] = this.#lanes.values();
  }

  /** Bytes of segments that are not yet whole. */
  get pendingBytes(): number {
    return this.#openBytes + this.#packets.rest.length;
  }

  /** A segment begins at this PTS. Called in order, before its packets come. */
  begin(start: Start): void {
    this.#starts.push(start);
  }

  /**
   * @param bytes of any size, which follow those before
   * @returns the segments that are whole now
   */
  push(bytes: Buffer): readonly CutSegment[] {
    const whole = this.#packets.push(bytes);
    for (let at = 0; at < whole.length; at += PACKET_BYTES) this.#take(whole.subarray(at, at + PACKET_BYTES));
    return this.#release((position) => this.#isWhole(position));
  }

  /** @returns the remaining segments */
  end(): readonly CutSegment[] {
    return this.#release(() => true);
  }

  #take(packet: Uint8Array): void {
    const pid = pidAt(packet, 0);
    if (pid === PAT_PID) this.#pat ??= packet;
    if (pid === this.#mapPid) this.#map ??= packet;
    const lane = this.#lanes.get(pid);
    if (lane === undefined) return;
    if ((u8(packet, 1) & 0x40) !== 0) this.#advance(lane, packet);
    if (lane.at < this.#done) return;
    const packets = this.#open.get(lane.at) ?? [];
    packets.push(packet);
    this.#open.set(lane.at, packets);
    this.#openBytes += PACKET_BYTES;
  }

  #advance(lane: Lane, packet: Uint8Array): void {
    const pts = ptsOf(packet.subarray(payloadAt(packet, 0)));
    if (pts === undefined) return;
    const canBegin = ({ isKey }: Start) => !lane.isVideo || !isKey || allowsRandomAccess(packet, 0);
    for (let next = this.#starts[lane.at + 1]; next !== undefined; next = this.#starts[lane.at + 1]) {
      if (stampStep(next.pts, pts) < 0 || !canBegin(next)) return;
      lane.at += 1;
    }
  }

  /** A stream that is missing for two segments is not waited for. */
  #isWhole(position: number): boolean {
    const leadAt = this.#lead?.at ?? 0;
    if (leadAt > position + 1) return true;
    return [...this.#lanes.values()].every(({ at }) => at > position);
  }

  #release(isWhole: (position: number) => boolean): readonly CutSegment[] {
    const whole: CutSegment[] = [];
    for (let start = this.#starts[this.#done]; start !== undefined; start = this.#starts[this.#done]) {
      if (!isWhole(this.#done)) break;
      const packets = this.#open.get(this.#done) ?? [];
      this.#open.delete(this.#done);
      this.#openBytes -= packets.length * PACKET_BYTES;
      const tables = [this.#pat, this.#map].filter((packet) => packet !== undefined);
      whole.push({ number: start.number, bytes: Buffer.concat([...tables, ...packets]) });
      this.#done += 1;
    }
    return whole;
  }
}
