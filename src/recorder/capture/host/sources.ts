import { LIMITS } from "../../../model/limits.ts";
import type { Source } from "../../../model/ports.ts";
import { PacketReader } from "../../../mpeg-ts/packet-reader.ts";
import { openDatagrams } from "./datagram-source.ts";
import { endAfter } from "./excess.ts";
import { openHttp } from "./http-source.ts";
import { ServiceFilter } from "./service-filter.ts";
import { Shares } from "./shares.ts";
import type { Feed, OpenSource, SourceEnd } from "./source.ts";

/** Opens sources; one that several captures read is read once. */
export class Sources {
  readonly #shared = new Map<string, SharedSource>();
  readonly #nowMs: () => number;
  readonly #shares = new Shares();

  /** @param nowMs reads the monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Called many times a second, before the sources are, with a reading of the monotonic clock. */
  look(nowMs: number): void {
    this.#shares.look(nowMs);
  }

  /** @param sid of the service that is wanted, where the source carries others too */
  open(source: Source, sid: number, feed: Feed): OpenSource {
    const isHttp = /^https?:/i.test(source.url);
    // A server begins a stream anew for whoever asks: with tables, and where it thinks best.
    if (isHttp && source.programme === "single") return this.#openHttp(source, feed);
    const key = JSON.stringify([source.url, source.headers]);
    const known = this.#shared.get(key);
    const shared = known ?? new SharedSource(() => this.#shared.delete(key));
    if (known === undefined) {
      this.#shared.set(key, shared);
      shared.read(isHttp ? this.#openHttp(source, shared) : this.#openDatagrams(source, shared));
    }
    return shared.join(feed, source.programme === "multi" ? sid : undefined);
  }

  #openHttp(source: Source, feed: Feed): OpenSource {
    return openHttp(source, feed, { share: this.#shares.join(), nowMs: this.#nowMs });
  }

  #openDatagrams(source: Source, feed: Feed): OpenSource {
    const share = this.#shares.join(LIMITS.hostDatagramsBurstBytes);
    return openDatagrams(source, feed, { share, nowMs: this.#nowMs });
  }
}

interface Member {
  readonly feed: Feed;
  /** Absent where it takes all that comes. */
  readonly filter?: ServiceFilter;
  isPaused: boolean;
}

/** One source, and the captures that take something of it. */
class SharedSource implements Feed {
  readonly #members = new Set<Member>();
  readonly #onEmpty: () => void;
  readonly #packets = new PacketReader({
    packet: (bytes, at) => {
      for (const member of this.#members) guarded(member, () => member.filter?.packet(bytes, at));
    },
    release: (bytes) => {
      for (const member of this.#members) guarded(member, () => member.filter?.flush(bytes));
    },
  });
  #source: OpenSource | undefined;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  read(source: OpenSource): void {
    this.#source = source;
  }

  bytes(bytes: Uint8Array, from: number, to: number): void {
    let hasFilter = false;
    for (const { filter, feed } of this.#members) {
      if (filter === undefined) feed.bytes(bytes, from, to);
      else hasFilter = true;
    }
    if (hasFilter) this.#packets.push(bytes.subarray(from, to));
  }

  ended(end: SourceEnd): void {
    this.#packets.settle();
    this.#onEmpty();
    for (const { feed } of this.#members) feed.ended(end);
  }

  join(feed: Feed, sid: number | undefined): OpenSource {
    const filter =
      sid === undefined
        ? undefined
        : new ServiceFilter(sid, (bytes, from, to) => feed.bytes(bytes, from, to));
    const member: Member = { feed, isPaused: false, ...(filter === undefined ? {} : { filter }) };
    this.#members.add(member);
    const setPaused = (isPaused: boolean) => {
      member.isPaused = isPaused;
      this.#steer();
    };
    return {
      // What has a slow disk holds up all that share its source: nothing of theirs is lost by it either.
      pause: () => setPaused(true),
      resume: () => setPaused(false),
      look: (nowMs) => this.#source?.look(nowMs),
      isMissing: () => filter?.isMissing === true,
      remarks: () => this.#source?.remarks() ?? "",
      close: () => this.#leave(member),
    };
  }

  #steer(): void {
    const isHeldUp = [...this.#members].some(({ isPaused }) => isPaused);
    if (isHeldUp) this.#source?.pause();
    else this.#source?.resume();
  }

  #leave(member: Member): void {
    if (!this.#members.has(member)) return;
    if (this.#members.size === 1) {
      this.#onEmpty();
      this.#source?.close();
      this.#packets.settle();
    }
    this.#members.delete(member);
    this.#steer();
  }
}

/** A stream that one filter stumbles over is not the end of the others. */
function guarded({ feed }: Member, work: () => void): void {
  try {
    work();
  } catch (error) {
    feed.ended(endAfter(error));
  }
}
