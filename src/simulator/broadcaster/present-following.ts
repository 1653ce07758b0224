import type { Triplet } from "../../model/service.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import { EIT_PACKETS } from "./lane.ts";
import { sectionPackets } from "./section.ts";
import { eitSection, type ScheduledEvent } from "./tables.ts";

interface PresentFollowing {
  readonly present?: ScheduledEvent;
  readonly following?: ScheduledEvent;
}

/** The present and the following event. Must depend on time alone: the same instant always gives the same answer. */
export type Schedule = (service: Triplet, at: EpochMs) => PresentFollowing;

/** Version numbers restart at this interval, which limits the schedule lookups for one version. */
const ERA_SECONDS = 512;
const VERSIONS_PER_ERA = 16;

/** EIT present/following of one service, sent each second. */
export class PresentFollowingTable {
  readonly #service: Triplet;
  readonly #schedule: Schedule;
  /** Cached versions of the era that began at `#era`, second by second. */
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
   * The version changes from one second to the next if and only if the content does, except at the start of an era, where it
   * always changes: even and odd eras have 16 of the 32 version numbers each.
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
