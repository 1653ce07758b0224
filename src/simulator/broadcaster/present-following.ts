import type { Triplet } from "../../model/service.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import { EIT_PACKETS } from "./lane.ts";
import { sectionPackets } from "./section.ts";
import { eitSection, type ScheduledEvent } from "./tables.ts";

interface PresentFollowing {
  readonly present?: ScheduledEvent;
  readonly following?: ScheduledEvent;
}

/**
 * What is on and what comes next. Must be a function of time alone: what it said for an instant it says for ever.
 */
export type Schedule = (service: Triplet, at: EpochMs) => PresentFollowing;

/** Versions are counted anew from here to here, so that finding one never takes more than so many looks at the schedule. */
const ERA_SECONDS = 512;
const VERSIONS_PER_ERA = 16;

/** EIT present/following of one service, sent each second. */
export class PresentFollowingTable {
  readonly #service: Triplet;
  readonly #schedule: Schedule;
  /** Versions of the era begun at `#era`, second by second, as far as they are known: remembered, not decided here. */
  #era = -1;
  #versions: number[] = [];
  #last = "";
  #made: { readonly second: number; readonly packets: readonly Buffer[] } | undefined;

  constructor(service: Triplet, schedule: Schedule) {
    this.#service = service;
    this.#schedule = schedule;
  }

  /** The packets (EIT_PACKETS of them) for a full second since 1970, to be stamped. */
  packets(second: number): readonly Buffer[] {
    if (this.#made?.second !== second) this.#made = { second, packets: this.#make(second) };
    return this.#made.packets;
  }

  #make(second: number): readonly Buffer[] {
    const version = this.#version(second);
    const { present, following } = this.#schedule(this.#service, second * SECOND);
    const sections = [
      eitSection(this.#service, { which: "present", version, event: present }),
      eitSection(this.#service, { which: "following", version, event: following }),
    ];
    return sections.flatMap((each) => sectionPackets(each, EIT_PACKETS / 2));
  }

  /**
   * Differs from the version a second before if and only if the content does, but for the begin of an era, where it always
   * does: even and odd eras have 16 of the 32 version numbers each.
   */
  #version(second: number): number {
    const era = Math.floor(second / ERA_SECONDS);
    if (era !== this.#era) {
      this.#era = era;
      this.#versions = [];
    }
    for (let index = this.#versions.length; index <= second % ERA_SECONDS; index += 1) {
      const content = JSON.stringify(this.#schedule(this.#service, (era * ERA_SECONDS + index) * SECOND));
      const before = this.#versions.at(-1);
      const same = before === undefined || content === this.#last;
      this.#versions.push((before ?? 0) + (same ? 0 : 1));
      this.#last = content;
    }
    const changes = this.#versions[second % ERA_SECONDS] ?? 0;
    return (era % 2) * VERSIONS_PER_ERA + (changes % VERSIONS_PER_ERA);
  }
}
