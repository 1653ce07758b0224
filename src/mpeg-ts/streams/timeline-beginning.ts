import { SECOND } from "../../model/time.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import type { ProgrammeMap } from "../tables/tables.ts";
import type { SourceId } from "./service-clock.ts";
import { ServiceTimeline, type TimelineEntry } from "./service-timeline.ts";
import { TICKS_PER_MS } from "./spans.ts";
import { between } from "./stream-clock.ts";

/** After this much reading, a source becomes the clock if the one named by the PMT is missing: PCRs before timestamps. */
const CHOICE_TICKS = { pcr: 2 * SECOND * TICKS_PER_MS, timestamps: 3 * SECOND * TICKS_PER_MS };

interface FoundClock {
  readonly source: SourceId;
  readonly first: number;
  /** Packets of all PIDs up to its first reading. */
  readonly packets: number;
  /** From its first reading to its latest. */
  ticks: number;
}

/** Keeps possible clock readings and units until the tables show which packets belong to the service, then replays them. */
export class TimelineBeginning {
  #entries: TimelineEntry[] = [];
  readonly #clocks = new Map<string, FoundClock>();

  /** @param packets of all PIDs, up to this one */
  add(entry: TimelineEntry, packets: number): void {
    // After this long without tables, nothing is known of the beginning.
    if (this.#entries.length >= MPEG_TS_LIMITS.beginnings)
      this.#entries = this.#entries.slice(MPEG_TS_LIMITS.beginnings / 2);
    if (entry.kind === "flaw" && isSameFlaw(entry, this.#entries.at(-1))) return;
    if (entry.kind === "map" && entry.isSame === true) return this.#amend(entry);
    this.#entries.push(entry);
    if (entry.kind === "pcr")
      this.#noteClock({ kind: "pcr", pid: entry.pid }, { reading: entry.ticks, packets });
    if (entry.kind === "unit" && entry.stamp !== undefined)
      this.#noteClock({ kind: "timestamps", pid: entry.pid }, { reading: entry.stamp, packets });
  }

  /**
   * The chosen service and its timeline.
   *
   * @param programmes candidate services, the best first
   * @param isLast nothing more will come: any clock counts, although a better one could appear
   */
  timeline(
    programmes: readonly Programme[],
    { isLast }: { readonly isLast: boolean },
  ): ChosenTimeline | undefined {
    if (this.#clocks.size === 0) return undefined;
    for (const programme of programmes) {
      const named = this.#clocks.get(`pcr ${programme.map.pcrPid}`);
      if (named !== undefined) return this.#read(programme, named);
    }
    for (const programme of programmes) {
      const streams = programme.map.streams.filter(({ kind }) => kind === "video" || kind === "audio");
      const sources = (["pcr", "timestamps"] as const).flatMap((kind) =>
        streams.flatMap(({ pid }) => this.#clocks.get(`${kind} ${pid}`) ?? []),
      );
      const best = sources.find(({ source, ticks }) => isLast || ticks >= CHOICE_TICKS[source.kind]);
      if (best !== undefined) return this.#read(programme, best);
    }
    return undefined;
  }

  #read({ sid, map }: Programme, { source, packets }: FoundClock): ChosenTimeline {
    const first = this.#entries.find((entry) => entry.kind === "map" && entry.sid === sid);
    const timeline = new ServiceTimeline(source, (first?.kind === "map" ? first.map : undefined) ?? map);
    for (const entry of this.#entries) {
      if (entry.kind !== "map" || (entry.sid === sid && entry !== first)) timeline.apply(entry);
    }
    return { sid, timeline, packetsBefore: packets };
  }

  /** Units before it count as those of the streams that are known now. */
  #amend({ sid, map }: TimelineEntry & { readonly kind: "map" }): void {
    const at = this.#entries.findLastIndex((entry) => entry.kind === "map" && entry.sid === sid);
    if (at >= 0) this.#entries[at] = { kind: "map", sid, map };
  }

  #noteClock(
    source: SourceId,
    { reading, packets }: { readonly reading: number; readonly packets: number },
  ): void {
    const key = `${source.kind} ${source.pid}`;
    const known = this.#clocks.get(key);
    if (known === undefined) this.#clocks.set(key, { source, first: reading, packets, ticks: 0 });
    else known.ticks = Math.max(known.ticks, between(known.first, reading));
  }
}

/** Many flaws at one instant must not displace the readings of clocks. */
function isSameFlaw({ pid }: { readonly pid?: number }, before: TimelineEntry | undefined): boolean {
  return before?.kind === "flaw" && before.pid === pid;
}

export interface ChosenTimeline {
  readonly sid: number;
  readonly timeline: ServiceTimeline;
  /** Packets of all PIDs up to the first reading of its clock. */
  readonly packetsBefore: number;
}

export interface Programme {
  readonly sid: number;
  readonly map: ProgrammeMap;
}
