import type { NetworkSettings, TextTable } from "../../model/network.ts";
import { type DurationMs, HOUR } from "../../model/time.ts";
import { u8, u16 } from "../bytes.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { type Descriptor, descriptors, letters } from "./descriptors.ts";
import type { Section } from "./sections.ts";

/** The coding of a network's tables. The same object until more is known. */
export interface NetworkCoding {
  /** The table for texts without a selector; absent: the bytes decide. */
  readonly text?: TextTable;
  /** Offset of its times from UTC. */
  readonly utcOffsetMs: DurationMs;
}

export const DVB_CODING: NetworkCoding = { utcOffsetMs: 0 };
/** ARIB STD-B10 part 2: times are those of Japan. */
const JAPAN: NetworkCoding = { text: "arib", utcOffsetMs: 9 * HOUR };
/** ABNT NBR 15603-2: times are those of Brasília. A setting overrides this for other countries. */
const SOUTH_AMERICA: NetworkCoding = { text: "arib-latin", utcOffsetMs: -3 * HOUR };

/** Terrestrial networks of Japan, as receivers there distinguish them from satellites. */
const JAPAN_TERRESTRIAL = { first: 0x7880, last: 0x7fef };
/** BS and the two of CS at 110° east. DVB assigns these ids to other satellites. */
const JAPAN_SATELLITE = [0x0004, 0x0006, 0x0007];

const TAG_SHORT_EVENT = 0x4d;
const TAG_PRIVATE_DATA_SPECIFIER = 0x5f;
const TAG_AUDIO_COMPONENT = 0xc4;
const TAG_TS_INFORMATION = 0xcd;
const TAG_ISDB_TERRESTRIAL = 0xfa;
const TAG_SYSTEM_MANAGEMENT = 0xfe;
/** Descriptors that only ISDB has in the NIT (ARIB STD-B10 part 2). */
const ISDB_NETWORK_TAGS = [TAG_TS_INFORMATION, TAG_ISDB_TERRESTRIAL, TAG_SYSTEM_MANAGEMENT];

/** The signs found in a network's tables. */
interface Signs {
  readonly isIsdb: boolean;
  /** The language of its events shows which country's coding an ISDB network has. */
  readonly country?: "japan" | "south america";
}

const COUNTRY_BY_LANGUAGE: Readonly<Record<string, Signs["country"]>> = {
  jpn: "japan",
  por: "south america",
  spa: "south america",
};

/**
 * Recognises networks by their tables. DVB is the default. ISDB needs two signs: descriptors that only ISDB has, and either its
 * network id or the language of its events. The ids of Japan's terrestrial networks suffice alone. Descriptors alone do not: in
 * DVB their tags are private.
 */
export class NetworkCodings {
  readonly #settings: NetworkSettings;
  readonly #signs = new Map<number, Signs>();
  readonly #codings = new Map<number, NetworkCoding>();

  constructor(settings: NetworkSettings = new Map()) {
    this.#settings = settings;
  }

  /** @param onid original_network_id; without it, the default applies */
  codingOf(onid: number | undefined): NetworkCoding {
    if (onid === undefined) return DVB_CODING;
    const known = this.#codings.get(onid);
    if (known !== undefined) return known;
    const coding = this.#readCoding(onid);
    if (this.#codings.size < MPEG_TS_LIMITS.services) this.#codings.set(onid, coding);
    return coding;
  }

  /** A section of the NIT (EN 300 468 §5.2.1). */
  noteNit({ bytes, header }: Section): void {
    const loop = 12 + (u16(bytes, 8) & 0x0fff);
    const isIsdb = hasNetworkSign([
      ...descriptors(bytes, { firstAt: 10, endAt: Math.min(loop - 2, header.end) }),
    ]);
    for (let at = loop; at + 6 <= header.end; ) {
      const end = Math.min(header.end, at + 6 + (u16(bytes, at + 4) & 0x0fff));
      const own = [...descriptors(bytes, { firstAt: at + 6, endAt: end })];
      if (isIsdb || hasNetworkSign(own)) this.#note(u16(bytes, at + 2), { isIsdb: true });
      at = end;
    }
  }

  /** A section of the EIT (EN 300 468 §5.2.4): its first event suffices. */
  noteEit({ bytes, header }: Section): void {
    const end = Math.min(header.end, 26 + (u16(bytes, 24) & 0x0fff));
    if (end <= 26) return;
    const own = [...descriptors(bytes, { firstAt: 26, endAt: end })];
    const title = own.find(({ tag }) => tag === TAG_SHORT_EVENT);
    const language = title === undefined ? "" : letters(title.body, { from: 0, count: 3 }).toLowerCase();
    const country = COUNTRY_BY_LANGUAGE[language];
    if (country === undefined) return;
    this.#note(u16(bytes, 10), { isIsdb: isOpen(own) && own.some(isAudioOfIsdb), country });
  }

  #note(onid: number, { isIsdb, country }: Signs): void {
    const before = this.#signs.get(onid) ?? { isIsdb: false };
    const told = before.country ?? country;
    if ((before.isIsdb || !isIsdb) && before.country === told) return;
    if (!this.#signs.has(onid) && this.#signs.size >= MPEG_TS_LIMITS.services) return;
    this.#signs.set(onid, {
      isIsdb: before.isIsdb || isIsdb,
      ...(told === undefined ? {} : { country: told }),
    });
    if (this.#readCoding(onid) !== this.#codings.get(onid)) this.#codings.delete(onid);
  }

  #readCoding(onid: number): NetworkCoding {
    const shown = codingBy(onid, this.#signs.get(onid) ?? { isIsdb: false });
    const setting = this.#settings.get(onid);
    return setting === undefined ? shown : { ...shown, ...setting };
  }
}

function codingBy(onid: number, { isIsdb, country }: Signs): NetworkCoding {
  if (onid >= JAPAN_TERRESTRIAL.first && onid <= JAPAN_TERRESTRIAL.last) return JAPAN;
  if (!isIsdb) return DVB_CODING;
  if (JAPAN_SATELLITE.includes(onid) || country === "japan") return JAPAN;
  return country === undefined ? DVB_CODING : SOUTH_AMERICA;
}

function hasNetworkSign(own: readonly Descriptor[]): boolean {
  return isOpen(own) && own.some(({ tag, body }) => ISDB_NETWORK_TAGS.includes(tag) && body.length >= 2);
}

/** After a private_data_specifier, tags from 0x80 on are private (EN 300 468 §6.2.32). */
function isOpen(own: readonly Descriptor[]): boolean {
  return own.every(({ tag }) => tag !== TAG_PRIVATE_DATA_SPECIFIER);
}

/** audio_component_descriptor, ARIB STD-B10 part 2: stream_content is 2, and a language is present. */
function isAudioOfIsdb({ tag, body }: Descriptor): boolean {
  return (
    tag === TAG_AUDIO_COMPONENT &&
    body.length >= 9 &&
    (u8(body, 0) & 0x0f) === 2 &&
    /^[a-z]{3}$/.test(letters(body, { from: 6, count: 3 }))
  );
}
