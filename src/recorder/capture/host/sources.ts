import type { Source } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import { StreamBeginning } from "../../../mpeg-ts/foreign-packets.ts";
import { PacketReader } from "../../../mpeg-ts/packet-reader.ts";
import { openDatagrams } from "./datagram-source.ts";
import { openHttp } from "./http-source.ts";
import { HOST_LIMITS } from "./limits.ts";
import { ServiceFilter } from "./service-filter.ts";
import { Shares } from "./shares.ts";
import { endAfter, type Feed, type OpenSource, type SourceEnd } from "./source.ts";

type WantedService = Pick<Triplet, "sid" | "tsid">;

/** Opens sources; captures with the same source share one connection. */
export class Sources {
  readonly #shared = new Map<string, SharedSource>();
  readonly #nowMs: () => number;
  readonly #shares = new Shares();

  /** @param nowMs reads the monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Called many times a second, before the sources' `look`, with a reading of the monotonic clock. */
  look(nowMs: number): void {
    this.#shares.look(nowMs);
  }

  /** @param service the wanted one, if the source carries several, or one under other ids */
  open(source: Source, service: WantedService, feed: Feed): OpenSource {
    const isHttp = /^https?:/i.test(source.url);
    // Servers start a stream for each client, with tables first: separate connections lose less.
    if (isHttp && source.programme === "single") return this.#openHttp(source, feed);
    const key = JSON.stringify([source.url, source.headers]);
    const known = this.#shared.get(key);
    const shared = known ?? new SharedSource(() => this.#shared.delete(key));
    if (known === undefined) {
      this.#shared.set(key, shared);
      shared.read(isHttp ? this.#openHttp(source, shared) : this.#openDatagrams(source, shared));
    }
    return shared.join(feed, source.programme, service);
  }

  #openHttp(source: Source, feed: Feed): OpenSource {
    return openHttp(source, feed, { share: this.#shares.join(), nowMs: this.#nowMs });
  }

  #openDatagrams(source: Source, feed: Feed): OpenSource {
    const share = this.#shares.join(HOST_LIMITS.datagramsBurstBytes);
    return openDatagrams(source, feed, { share, nowMs: this.#nowMs });
  }
}

interface Member {
  readonly feed: Feed;
  /** Absent: it takes everything. */
  readonly filter?: ServiceFilter;
  isPaused: boolean;
  /** Since when data has come, as far as this capture has looked. */
  dataSinceMs?: number;
  /** Its file has the beginning of what came. */
  hasShown: boolean;
}

/** One source, and the captures that read it. */
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
  readonly #beginning = new StreamBeginning();

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
    if (!hasFilter) return;
    this.#beginning.push(bytes.subarray(from, to));
    this.#packets.push(bytes.subarray(from, to));
  }

  /**
   * A filter finds nothing in a web page, in M2TS, or in packets without a PAT. The file must show what came, or it would seem that
   * nothing did.
   */
  #lookForTables(member: Member, nowMs: number): void {
    if (this.#beginning.bytes.length === 0) return;
    member.dataSinceMs ??= nowMs;
    if (nowMs - member.dataSinceMs >= HOST_LIMITS.withoutTablesMs) this.#showBeginning(member);
  }

  #showBeginning(member: Member): void {
    if (member.filter?.hasPat !== false || member.hasShown) return;
    member.hasShown = true;
    member.feed.bytes(this.#beginning.bytes, 0, this.#beginning.bytes.length);
  }

  ended(end: SourceEnd): void {
    this.#packets.settle();
    for (const member of this.#members) this.#showBeginning(member);
    this.#onEmpty();
    for (const { feed } of this.#members) feed.ended(end);
  }

  join(feed: Feed, programme: Source["programme"], { sid, tsid }: WantedService): OpenSource {
    const wanted = { sid, ...(programme === "sole" ? { soleTsid: tsid } : {}) };
    const filter =
      programme === "single"
        ? undefined
        : new ServiceFilter(wanted, (bytes, from, to) => feed.bytes(bytes, from, to));
    const member: Member = {
      feed,
      isPaused: false,
      hasShown: false,
      ...(filter === undefined ? {} : { filter }),
    };
    this.#members.add(member);
    const setPaused = (isPaused: boolean) => {
      member.isPaused = isPaused;
      this.#steer();
    };
    return {
      // A slow disk pauses all captures of the source; none of them loses data by that.
      pause: () => setPaused(true),
      resume: () => setPaused(false),
      look: (nowMs) => {
        this.#source?.look(nowMs);
        this.#lookForTables(member, nowMs);
      },
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

/** An error in one filter must not end the other captures. */
function guarded({ feed }: Member, work: () => void): void {
  try {
    work();
  } catch (error) {
    feed.ended(endAfter(error));
  }
}
