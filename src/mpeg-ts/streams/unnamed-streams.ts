import type { StreamFacts } from "../../model/inspection.ts";
import { u8, u16 } from "../bytes.ts";
import { FRAME_HEADER_BYTES, FRAME_LENGTHS } from "../looks/sound-frames.ts";
import { PACKET_BYTES, payloadAt } from "../packets.ts";
import type { ProgrammeMap } from "../tables/tables.ts";
import { isUnnamed } from "./codecs.ts";
import { pesPayloadAt } from "./pes.ts";

type Named = Pick<StreamFacts, "kind" | "codec" | "isSupplement">;

/** stream_id, ISO/IEC 13818-1 table 2-22: private_stream_1, extended_stream_id, sound and picture of MPEG. */
const PRIVATE_STREAM = 0xbd;
const EXTENDED = 0xfd;
const isSoundOfMpeg = (streamId: number) => streamId >= 0xc0 && streamId <= 0xdf;
const isPictureOfMpeg = (streamId: number) => streamId >= 0xe0 && streamId <= 0xef;
/** Syncword of DTS, ETSI TS 102 114 §5.3.1. */
const isDts = (header: Uint8Array) => u16(header, 0) === 0x7ffe && u16(header, 2) === 0x8001;
/** bsid of E-AC-3, ETSI TS 102 366 §E.1.3.1.6. */
const EAC3_BSIDS = { from: 11, to: 16 };

/**
 * Sound and pictures that the PMT lists without a word on their codec, as private data or with a type that is unknown here. Players
 * find them by their content, so they count: a PES packet has a stream_id of sound or picture, or begins with a frame of sound.
 */
export class UnnamedStreams {
  /** By PID. */
  readonly #found = new Map<number, Named>();
  readonly #open = new Set<number>();
  #named = new Map<ProgrammeMap, ProgrammeMap>();

  /** @returns the map with what was found; the same one as long as nothing more is found */
  named(map: ProgrammeMap): ProgrammeMap {
    const known = this.#named.get(map);
    if (known !== undefined) return known;
    const unnamed = map.streams.filter(isUnnamed);
    for (const { pid } of unnamed) if (!this.#found.has(pid)) this.#open.add(pid);
    const isNews = unnamed.some(({ pid }) => this.#found.has(pid));
    const named = isNews ? { ...map, streams: map.streams.map((facts) => this.#namedStream(facts)) } : map;
    // Only the latest maps are asked for again.
    if (this.#named.size >= MAPS_MAX) this.#named.clear();
    this.#named.set(map, named);
    return named;
  }

  namedStreams(streams: readonly StreamFacts[]): readonly StreamFacts[] {
    return this.#found.size === 0 ? streams : streams.map((facts) => this.#namedStream(facts));
  }

  /** Looks at a packet in which a unit begins. @returns whether its stream turned out to be sound or picture */
  recognises(pid: number, bytes: Uint8Array, at: number): boolean {
    if (!this.#open.has(pid)) return false;
    const named = contentIn(bytes, at);
    if (named === undefined) return false;
    this.#open.delete(pid);
    this.#found.set(pid, named);
    this.#named = new Map();
    return true;
  }

  #namedStream(facts: StreamFacts): StreamFacts {
    return isUnnamed(facts) ? { ...facts, ...this.#found.get(facts.pid) } : facts;
  }
}

/** A multiplex has some tens of services. */
const MAPS_MAX = 256;

/** The kind and codec of what begins in a packet, if it is sound or picture. */
function contentIn(bytes: Uint8Array, at: number): Named | undefined {
  const from = payloadAt(bytes, at);
  const first = pesPayloadAt(bytes, at);
  const hasStartCode = u16(bytes, from) === 0 && u8(bytes, from + 2) === 1;
  if (first + FRAME_HEADER_BYTES > at + PACKET_BYTES || first <= from || !hasStartCode) return undefined;
  const streamId = u8(bytes, from + 3);
  // A stream without a name replaces none that has one.
  if (isPictureOfMpeg(streamId)) return { kind: "video", codec: "unknown video", isSupplement: true };
  const isSound = isSoundOfMpeg(streamId);
  if (!isSound && streamId !== PRIVATE_STREAM && streamId !== EXTENDED) return undefined;
  const header = bytes.subarray(first, first + FRAME_HEADER_BYTES);
  const codec = codecIn(header, isSound);
  if (codec !== undefined) return { kind: "audio", codec };
  return isSound ? { kind: "audio", codec: "unknown audio", isSupplement: true } : undefined;
}

function codecIn(header: Uint8Array, mayBeMpeg: boolean): string | undefined {
  if (isFrame("AAC", header)) return u8(header, 0) === 0xff ? "AAC" : "AAC LATM";
  if (mayBeMpeg && isFrame("MPEG-2 audio", header)) return "MPEG-2 audio";
  if (isDts(header)) return "DTS";
  if (!isFrame("AC-3", header)) return undefined;
  const bsid = u8(header, 5) >> 3;
  if (bsid < EAC3_BSIDS.from) return "AC-3";
  return bsid <= EAC3_BSIDS.to ? "E-AC-3" : undefined;
}

function isFrame(codec: string, header: Uint8Array): boolean {
  return (FRAME_LENGTHS[codec]?.(header) ?? 0) > FRAME_HEADER_BYTES;
}
