import type { EpochMs } from "../../../src/model/time.ts";

export interface Slot {
  readonly channel: string;
  readonly start: EpochMs;
  readonly minutes: number;
  readonly title: string;
  readonly subtitle?: string;
  /** Further elements of the programme, after the description. */
  readonly more?: string;
}

function xmltvTime(at: EpochMs): string {
  return `${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)} +0000`;
}

/** A listing as grabbers write it. */
export function listing(
  channels: Readonly<Record<string, string>>,
  slots: readonly Slot[],
  head = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">',
): string {
  const declared = Object.entries(channels).map(
    ([id, inside]) => `<channel id="${id}">${inside.startsWith("<") ? inside : named(inside)}</channel>`,
  );
  const programmes = slots.map(
    ({ channel, start, minutes, title, subtitle, more = "" }) =>
      `<programme start="${xmltvTime(start)}" stop="${xmltvTime(start + minutes * 60_000)}" channel="${channel}">` +
      `<title>${title}</title>${subtitle === undefined ? "" : `<sub-title>${subtitle}</sub-title>`}${more}</programme>`,
  );
  return `${head}\n<tv>\n${[...declared, ...programmes].join("\n")}\n</tv>\n`;
}

function named(name: string): string {
  return `<display-name>${name}</display-name>`;
}
