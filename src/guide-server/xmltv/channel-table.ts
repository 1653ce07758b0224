import type { ChannelTarget } from "../data/listing-records.ts";
import type { ChannelTable } from "./channels.ts";

export interface TableMistake {
  /** Counts from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * Reads a channel table: one line per channel with its id in the listing, `=`, and its target. Empty lines and lines
 * that begin with `#` are ignored.
 *
 *     tv.101002210220 = 0x1010/0x0221/0x0220    # ONID/TSID/SID
 *     c4.example      = lcn 4
 *     bbc1.example    = channel 101
 *     news.example    = name Harbour News
 *     shop.example    = ignore
 */
export function readChannelTable(text: string): {
  readonly table: ChannelTable;
  readonly mistakes: readonly TableMistake[];
} {
  const table = new Map<string, ChannelTarget>();
  const mistakes: TableMistake[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, id = "", what = ""] = /^\s*(.+?)\s*=\s*(.*?)(?:\s+#.*)?$/.exec(line) ?? [];
    const target = readTarget(what);
    if (id === "" || target === undefined) mistakes.push({ line: index + 1, text: line.trim() });
    else table.set(id, target);
  }
  return { table, mistakes };
}

/** Reads the text after the `=`. */
export function readTarget(what: string): ChannelTarget | undefined {
  if (what === "ignore") return { kind: "ignore" };
  const [, word, value = ""] = /^(channel|lcn|name)\s+(.+)$/.exec(what) ?? [];
  if (word === "name") return { kind: "name", name: value };
  if (word === "lcn" && /^\d+$/.test(value)) return { kind: "lcn", lcn: value };
  if (word === "channel" && /^\d+$/.test(value)) return { kind: "channel", id: Number(value) };
  const numbers = /^(0x[0-9a-f]+|\d+)\/(0x[0-9a-f]+|\d+)\/(0x[0-9a-f]+|\d+)$/i
    .exec(what)
    ?.slice(1)
    .map(Number);
  const [onid = -1, tsid = -1, sid = -1] = numbers ?? [];
  if (![onid, tsid, sid].every((each) => each >= 0 && each <= 0xffff)) return undefined;
  return {
    kind: "triplet",
    triplet: { original_network_id: onid, transport_stream_id: tsid, service_id: sid },
  };
}

/** Formats a target for `readTarget`. */
export function targetText(target: ChannelTarget): string {
  switch (target.kind) {
    case "ignore":
      return "ignore";
    case "channel":
      return `channel ${target.id}`;
    case "lcn":
      return `lcn ${target.lcn}`;
    case "name":
      return `name ${target.name}`;
    case "triplet": {
      const { original_network_id, transport_stream_id, service_id } = target.triplet;
      return [original_network_id, transport_stream_id, service_id]
        .map((part) => `0x${part.toString(16).padStart(4, "0")}`)
        .join("/");
    }
  }
}
