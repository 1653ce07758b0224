import { dirname, join } from "node:path";
import { decompressed } from "../../../kit/files/unpack.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { isBouquet, parseBouquet, withLamedb } from "./bouquet.ts";
import { parseDvbv5 } from "./dvbv5.ts";
import { parseLamedb } from "./enigma2.ts";
import { isFrequencyLine, parseFrequencies } from "./frequencies.ts";
import { CHANNEL_LISTS_LIMITS } from "./limits.ts";
import { type ChannelList, linesOf } from "./list.ts";
import { parseM3u } from "./m3u.ts";
import { parsePls } from "./pls.ts";
import { parseVdr } from "./vdr.ts";
import { parseWritten } from "./written.ts";
import { parseXspf } from "./xspf.ts";
import { parseZap } from "./zap.ts";

/** Detects the format and parses the list. `undefined` if the format is unknown. */
export function parseChannelList(text: string): ChannelList | undefined {
  const lines = linesOf(text.slice(0, 64 * 1024)).map((line) => line.trim());
  const contentLines = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (/^eDVB services \//.test(lines[0] ?? "")) return parseLamedb(text);
  if (isBouquet(lines)) return parseBouquet(text);
  const beforeContent = lines.slice(0, lines.indexOf(contentLines[0] ?? ""));
  if (beforeContent.some((line) => /^#EXTM3U|^#EXTINF:/i.test(line))) return parseM3u(text);
  // Some programs write the addresses alone.
  if (/^(?:https?|udp|rtp|rtsp):\/\//i.test(contentLines[0] ?? "")) return parseM3u(text);
  if (contentLines[0]?.startsWith("{") === true) return parseWritten(text);
  if (contentLines[0]?.startsWith("<") === true) return parseXspf(text);
  if (/^\[playlist\]$/i.test(contentLines[0] ?? "")) return parsePls(text);
  if (/^\[[^"{[\]]+\]/.test(contentLines[0] ?? "")) return parseDvbv5(text);
  // A few broken lines must not hide the format.
  const shapes = contentLines.slice(0, 100).map(shapeOf);
  const count = (shape: string) => shapes.filter((each) => each === shape).length;
  if (count("frequency") > 0 && count("frequency") >= count("zap") + count("vdr"))
    return parseFrequencies(text);
  if (count("vdr") > 0 && count("vdr") >= count("zap")) return parseVdr(text);
  return count("zap") > 0 ? parseZap(text) : undefined;
}

/** A letter for the kind of source, and for satellites the orbit. Plugins of VDR add letters, such as I for IPTV. */
const VDR_SOURCE = /^[A-Z](\d+(\.\d)?[EW]|\d*)$/;
/** The third field of a zap list, by how many fields it has. */
const ZAP_FIELDS: Readonly<Record<number, RegExp>> = {
  13: /^INVERSION_/,
  9: /^INVERSION_/,
  8: /^[hvlr]$/i,
  6: /VSB|QAM|PSK/i,
};

function shapeOf(line: string): "vdr" | "zap" | "frequency" | "other" {
  if (isFrequencyLine(line)) return "frequency";
  const fields = line.split(":");
  if (fields.length === 13 && VDR_SOURCE.test(fields[3] ?? "")) return "vdr";
  const isZap = ZAP_FIELDS[fields.length]?.test(fields[2] ?? "") === true;
  return isZap && /^\d+$/.test(fields.at(-1) ?? "") ? "zap" : "other";
}

/**
 * Reads a channel list of any known format.
 *
 * @throws RecorderdError FILE_UNREADABLE if it cannot be read or is too large
 * @throws RecorderdError CHANNEL_LIST_UNKNOWN if its format is unknown
 */
export async function readChannelList(file: string): Promise<ChannelList> {
  const list = parseChannelList(await textOf(file));
  if (list?.format === "enigma2 bouquet") return await namedByLamedb(list, dirname(file));
  if (list !== undefined) return list;
  throw new RecorderdError(
    "CHANNEL_LIST_UNKNOWN",
    `${file} is not in a known format: enigma2 lamedb or bouquet, VDR or zap channels.conf, dvbv5, M3U, PLS, XSPF, a list of frequencies, or one that \`recorderd tuners import\` wrote.`,
    { file },
  );
}

/** Names and frequencies are in the box's other file, which people copy along, or not. */
async function namedByLamedb(bouquet: ChannelList, folder: string): Promise<ChannelList> {
  const lacking = bouquet.services.find(({ url, namespace }) => url === undefined && namespace !== undefined);
  if (lacking === undefined) return bouquet;
  for (const name of ["lamedb", "lamedb5"]) {
    const text = await textOf(join(folder, name)).catch(() => undefined);
    const lamedb = text === undefined ? undefined : parseChannelList(text);
    if (lamedb !== undefined) return withLamedb(bouquet, lamedb);
  }
  const text = "expected the file lamedb of the same box beside this one: it has names and frequencies";
  return { ...bouquet, mistakes: [...bouquet.mistakes, { line: lacking.line, text }] };
}

async function textOf(file: string): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of decompressed(file, { bytesMax: CHANNEL_LISTS_LIMITS.bytes }))
      chunks.push(chunk);
    return decoded(Buffer.concat(chunks));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `cannot read the channel list ${file}: ${why}`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file }, { cause: error });
  }
}

/** Decodes UTF-16 with a byte order mark, UTF-8, or ISO 8859-15 for old lists of VDR and zap. */
function decoded(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  if (mark === "fffe" || mark === "feff")
    return new TextDecoder(mark === "fffe" ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-15").decode(bytes);
  }
}
