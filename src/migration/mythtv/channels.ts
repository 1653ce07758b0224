import type { Triplet } from "../../model/service.ts";
import type { Collector } from "../collector.ts";
import type { FoundChannel } from "../found.ts";
import { titleOf } from "../names.ts";
import type { Database } from "./database.ts";
import type { Row } from "./dump.ts";

/** MythTV's channels, by their ids and by the callsigns that rules name. */
export interface MythChannels {
  byId(chanid: string | undefined): FoundChannel;
  byCallsign(callsign: string | undefined): readonly FoundChannel[];
}

export function readChannels(database: Database, into: Collector): MythChannels {
  const rows = database.channels.map((row) => ({ row, channel: channelOf(row, database) }));
  for (const { row, channel } of rows) if (isPresent(row)) into.channel(channel);
  const byId = new Map(rows.map(({ row, channel }) => [row["chanid"], channel]));
  const byCallsign = new Map<string, FoundChannel[]>();
  for (const { row, channel } of rows.filter((each) => isPresent(each.row))) {
    const callsign = row["callsign"] ?? "";
    byCallsign.set(callsign, [...(byCallsign.get(callsign) ?? []), channel]);
  }
  return {
    byId: (chanid) => byId.get(chanid) ?? { name: `channel ${chanid}` },
    byCallsign: (callsign = "") => byCallsign.get(callsign) ?? [],
  };
}

/** MythTV keeps deleted channels for their recordings. */
function isPresent({ deleted }: Row): boolean {
  return deleted === undefined;
}

function channelOf(row: Row, { multiplexes }: Database): FoundChannel {
  const { chanid, name, callsign, channum, mplexid, serviceid } = row;
  const number = /^\d{1,6}$/.test(channum ?? "") ? Number(channum) : undefined;
  const triplet = tripletOf(multiplexes.get(mplexid ?? ""), serviceid);
  return {
    name: titleOf(name) ?? titleOf(callsign) ?? `channel ${chanid}`,
    ...(number === undefined ? {} : { number }),
    ...(triplet === undefined ? {} : { triplet }),
  };
}

/** Networks without DVB ids have none. */
function tripletOf(multiplex: Row | undefined, serviceid: string | undefined): Triplet | undefined {
  const [onid, tsid, sid] = [multiplex?.["networkid"], multiplex?.["transportid"], serviceid].map(idIn);
  return onid === undefined || tsid === undefined || sid === undefined ? undefined : { onid, tsid, sid };
}

function idIn(text: string | undefined): number | undefined {
  const id = Number(text);
  return text !== undefined && Number.isInteger(id) && id > 0 && id <= 0xffff ? id : undefined;
}
