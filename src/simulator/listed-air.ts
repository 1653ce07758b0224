import { createHash } from "node:crypto";
import { tripletOf } from "../guide-server/xmltv/channels.ts";
import { createXmltvReader, type ListedChannel, type ListedProgramme } from "../guide-server/xmltv/reader.ts";
import { decompressed } from "../kit/files/unpack.ts";
import { systemZone } from "../kit/machine/machine.ts";
import { XmlFlaw } from "../kit/xml/xml-stream.ts";
import { RecorderdError } from "../model/errors.ts";
import {
  type MultiplexKey,
  multiplexKey,
  type Triplet,
  type TripletKey,
  tripletKey,
} from "../model/service.ts";
import { type EpochMs, HOUR } from "../model/time.ts";
import { SERVICES_MAX } from "./broadcaster/multiplex.ts";
import type { Schedule } from "./broadcaster/present-following.ts";
import type { ScheduledEvent } from "./broadcaster/tables.ts";
import { simTriplet } from "./world.ts";

/** The input for a broadcaster that airs a listing. */
export interface ListedAir {
  readonly services: readonly { readonly triplet: Triplet; readonly name: string }[];
  readonly schedule: Schedule;
}

/** A listing for experiments; a larger one is refused. */
const LISTING_BYTES_MAX = 64 * 1024 * 1024;
const CHANNELS_MAX = 64;
/** Private use: no listing contains it. ETSI TS 101 162. */
const ONID_OF_THE_NAMELESS = 0xfffe;
/** A programme without a stop time ends with the next one, or after this. */
const OPEN_MS = HOUR;

/**
 * The channels of a listing as services, with its programmes in the event tables. A channel without a triplet in its id gets
 * one of the simulator's; recorders find it by name. Services beyond a multiplex's capacity are left out.
 *
 * @throws RecorderdError FILE_UNREADABLE, LISTING_MALFORMED naming the line
 */
export async function listedAir(file: string): Promise<ListedAir> {
  const byId = new Map<string, ListedChannel>();
  const programmes = new Map<string, ListedProgramme[]>();
  // Reads it as a guide server on the same machine would; that server reports the flaws.
  const reader = createXmltvReader(
    {
      channel: (channel) => byId.set(channel.id, channel),
      programme: (programme) => {
        const of = programmes.get(programme.channelId) ?? [];
        of.push(programme);
        programmes.set(programme.channelId, of);
      },
      complain: () => {},
    },
    { zone: systemZone(), isForAll: false },
  );
  try {
    for await (const chunk of decompressed(file, { bytesMax: LISTING_BYTES_MAX })) reader.write(chunk);
    reader.end();
  } catch (error) {
    if (!(error instanceof XmlFlaw)) throw error;
    throw new RecorderdError("LISTING_MALFORMED", `${file}, line ${error.line}: ${error.message}.`, { file });
  }
  const aired = new Map<TripletKey, AiredChannel>();
  const perMultiplex = new Map<MultiplexKey, number>();
  for (const [index, { id, names }] of [...byId.values()].slice(0, CHANNELS_MAX).entries()) {
    const triplet = airedTriplet(id, index + 1);
    const [name = id] = names;
    const beside = perMultiplex.get(multiplexKey(triplet)) ?? 0;
    if (aired.has(tripletKey(triplet)) || beside >= SERVICES_MAX) continue;
    perMultiplex.set(multiplexKey(triplet), beside + 1);
    aired.set(tripletKey(triplet), { triplet, name, events: eventsOf(programmes.get(id) ?? []) });
  }
  if (aired.size === 0) {
    throw new RecorderdError("LISTING_MALFORMED", `${file} names no channels.`, { file });
  }
  return {
    services: [...aired.values()],
    schedule: (service, at) => presentFollowing(aired.get(tripletKey(service))?.events ?? [], at),
  };
}

interface AiredChannel {
  readonly triplet: Triplet;
  readonly name: string;
  readonly events: readonly ScheduledEvent[];
}

function airedTriplet(id: string, number: number): Triplet {
  const named = tripletOf(id);
  if (named === undefined) return { ...simTriplet(number), onid: ONID_OF_THE_NAMELESS };
  return { onid: named.original_network_id, tsid: named.transport_stream_id, sid: named.service_id };
}

function eventsOf(programmes: readonly ListedProgramme[]): readonly ScheduledEvent[] {
  const inOrder = programmes.toSorted((a, b) => a.start - b.start);
  return inOrder.map(({ start, stop, title, subtitle }, index) => {
    const next = inOrder[index + 1]?.start ?? start + OPEN_MS;
    const end = stop ?? Math.min(next, start + OPEN_MS);
    return { eventId: eventIdOf(start, title), start, durationMs: end - start, title, text: subtitle };
  });
}

/** Stable for an event, whenever the listing is read. */
export function eventIdOf(start: EpochMs, title: string): number {
  return createHash("sha256").update(`${start} ${title}`).digest().readUInt16BE(0);
}

export function presentFollowing(events: readonly ScheduledEvent[], at: EpochMs): ReturnType<Schedule> {
  const present = events.find(({ start, durationMs }) => start <= at && at < start + durationMs);
  const following = events.find(({ start }) => start > at);
  return { ...(present === undefined ? {} : { present }), ...(following === undefined ? {} : { following }) };
}
