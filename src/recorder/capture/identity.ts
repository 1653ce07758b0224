import type { Inspection } from "../../model/inspection.ts";
import { sameTriplet, type Triplet } from "../../model/service.ts";

/** original_network_id from here on is for private use: remultiplexers such as ffmpeg set it, and it names no network (ETSI TS 101 162). */
const PRIVATE_NETWORKS_FROM = 0xff00;

/**
 * Whether the PAT does not list the service, or the tables name three other ids. Streams that lost some ids in a remultiplexer
 * pass: either the SDT or the PAT must have the right transport_stream_id.
 */
export function namesAnother(found: Inspection, service: Triplet): boolean {
  const named = namedIn(found, service);
  const { transportStreamId: tsid = service.tsid, services } = found;
  const isOther = named !== undefined && !sameTriplet(named, service);
  if (isOther && !sameTriplet({ ...named, tsid }, service)) return true;
  const listed = services.filter(({ pmtPid }) => pmtPid !== undefined);
  return listed.length > 0 && listed.every(({ sid }) => sid !== service.sid);
}

/** Whether the PAT names another transport stream and no SDT has identified the service yet. */
export function mayBeAnother(found: Inspection, service: Triplet): boolean {
  const { transportStreamId: tsid = service.tsid } = found;
  return namedIn(found, service) === undefined && tsid !== service.tsid;
}

/** The ids that the tables give the service with this service_id, unless they name no network. */
function namedIn({ services }: Inspection, service: Triplet): Triplet | undefined {
  const triplet = services.find(({ sid }) => sid === service.sid)?.triplet;
  const isPrivate = triplet !== undefined && triplet.onid >= PRIVATE_NETWORKS_FROM;
  return isPrivate && triplet.onid !== service.onid ? undefined : triplet;
}
