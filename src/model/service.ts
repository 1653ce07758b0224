/**
 * The name of one DVB service. The three ids are unique only together.
 *
 * @see EN 300 468 §5.2.3 (original_network_id, transport_stream_id, service_id), each 16 bits
 */
export interface Triplet {
  readonly onid: number;
  readonly tsid: number;
  readonly sid: number;
}

/** The unit that one tuner holds: all services of one ONID and TSID. `onid/tsid`, decimal. */
export type MultiplexKey = string;

/** `onid/tsid/sid`, decimal: how a triplet is written in the configuration, in logs and in keys. */
export type TripletKey = string;

export function tripletKey({ onid, tsid, sid }: Triplet): TripletKey {
  return `${onid}/${tsid}/${sid}`;
}

/** A service in an address of the recorder: ONID-TSID-SID. */
export function tripletInAddress({ onid, tsid, sid }: Triplet): string {
  return `${onid}-${tsid}-${sid}`;
}

export function multiplexKey({ onid, tsid }: Pick<Triplet, "onid" | "tsid">): MultiplexKey {
  return `${onid}/${tsid}`;
}

export function sameTriplet(a: Triplet, b: Triplet): boolean {
  return a.onid === b.onid && a.tsid === b.tsid && a.sid === b.sid;
}

/**
 * Stands for a multiplex that can be tuned, but whose services are unknown. It differs from every service: 0 is no service_id
 * (ISO/IEC 13818-1 §2.4.4.5), and 0xffff no original network of a broadcaster (TS 101 162).
 *
 * @param number from 0 to 65535, unique among all unknown ones
 */
export function unknownMultiplex(number: number): Triplet {
  return { onid: 0xffff, tsid: number, sid: 0 };
}

export function isUnknownMultiplex({ onid, sid }: Triplet): boolean {
  return onid === 0xffff && sid === 0;
}

/** Reads `318/18432/3401`, each part decimal or `0x…`. `undefined` when it is not a triplet of 16-bit numbers. */
export function parseTriplet(text: string): Triplet | undefined {
  const parts = text
    .split("/")
    .map((part) => (/^(0x[0-9a-f]{1,4}|\d{1,5})$/i.test(part.trim()) ? Number(part) : -1));
  const [onid = -1, tsid = -1, sid = -1] = parts;
  const fits = parts.length === 3 && parts.every((id) => id >= 0 && id <= 0xffff);
  return fits ? { onid, tsid, sid } : undefined;
}

/** A station, as the guide and people name it. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly nameShort: string;
  /** Other names under which the channel is broadcast. */
  readonly knownNames: readonly string[];
  /** A channel may be broadcast on several multiplexes, or have no known triplet at all. */
  readonly triplets: readonly Triplet[];
  readonly lcns: readonly number[];
  /** The broadcaster's group of channels, as the guide names it. */
  readonly network?: string;
  /** Address of the channel's logo in the guide, unchecked. */
  readonly icon?: string;
}
