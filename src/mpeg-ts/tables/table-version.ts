import type { Section } from "./sections.ts";

/**
 * The sections read of a table's current version. After a splice of two streams another table may have the same version number:
 * its sections differ.
 */
export class TableVersion {
  #version: string | undefined;
  readonly #sections = new Map<number, number>();

  addSection({ header }: Section): "known" | "new section" | "new version" {
    const version = `${header.extension} ${header.version}`;
    const known = this.#sections.get(header.number);
    if (version === this.#version && known === header.crc) return "known";
    const isNew = version !== this.#version || known !== undefined;
    if (isNew) this.#sections.clear();
    this.#version = version;
    this.#sections.set(header.number, header.crc);
    return isNew ? "new version" : "new section";
  }
}
