import type { Source } from "../../model/ports.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import type { ChannelList } from "./channel-lists/list.ts";
import { TABLE_PIDS } from "./config-parts.ts";
import { type Listed, Places } from "./places.ts";
import { satipQuery } from "./satip-query.ts";
import type { Scanned } from "./scanned.ts";

interface SatipHow {
  /** Frequency and other tuning parameters. */
  readonly query: string;
  /** PIDs of the service, if the list names them. */
  readonly pids: readonly number[];
}

interface SatipWay {
  readonly id: string;
  readonly host: string;
  readonly rtspPort: number;
  readonly pids: "all" | "listed";
  /** Orbital positions of its inputs. */
  readonly sources: readonly number[];
}

/** The services of a list that a SAT>IP server can be asked for. */
export function satipPlaces(
  { id, sources }: SatipWay,
  list: ChannelList,
  scanned: Scanned,
): Places<SatipHow> {
  const all = [...list.services, ...(list.multiplexes ?? [])];
  const listed = all.flatMap(({ ids, name, lcn, tuning, pids = [] }): Listed<SatipHow>[] => {
    const query = tuning === undefined ? undefined : satipQuery(tuning, sources);
    return query === undefined ? [] : [{ ids, name, lcn, place: query, how: { query, pids } }];
  });
  return new Places({ tunerId: id, listed, bare: ({ query }) => ({ query, pids: [] }), scanned });
}

/** The source of a service; `undefined` if it is unknown. */
export function satipSource(
  { host, rtspPort, pids: manner }: SatipWay,
  places: Places<SatipHow>,
  service: Triplet,
): Source | undefined {
  const how = places.services.get(tripletKey(service));
  if (how === undefined) return undefined;
  // One mode for all requests: servers hang if `all` and a list meet on one multiplex.
  const pids = manner === "all" ? "all" : [...TABLE_PIDS, ...how.pids].join(",");
  const url = `satip://${inAddress(host)}:${rtspPort}/?${how.query}&pids=${pids}`;
  return { url, programme: manner === "all" ? "multi" : "single" };
}

/** A host in the form for an address. */
export function inAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
