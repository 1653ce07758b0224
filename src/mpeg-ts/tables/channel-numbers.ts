import type { ChannelNumber } from "../../model/inspection.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import type { Section } from "./sections.ts";
import { TableVersion } from "./table-version.ts";
import { readNit } from "./tables.ts";

/** The channel numbers of the NIT's current version, for each transport stream of the network. */
export class ChannelNumbers {
  readonly #version = new TableVersion();
  /** By TSID and ONID. */
  readonly #lists = new Map<string, readonly ChannelNumber[]>();

  /** @returns whether the section is new */
  addSection(section: Section): boolean {
    const news = this.#version.addSection(section);
    if (news === "known") return false;
    if (news === "new version") this.#lists.clear();
    for (const { tsid, onid, numbers } of readNit(section)) {
      if (this.#lists.size < MPEG_TS_LIMITS.services) this.#lists.set(`${tsid} ${onid}`, numbers);
    }
    return true;
  }

  of(tsid: number | undefined, onid: number | undefined): readonly ChannelNumber[] {
    return this.#lists.get(`${tsid} ${onid}`) ?? [];
  }
}
