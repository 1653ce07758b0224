import type { Triplet } from "../../../model/service.ts";
import { addressOf } from "./address.ts";
import {
  BadLine,
  type ChannelList,
  defined,
  ListBuilder,
  type ListedService,
  linesOf,
  numberFrom,
} from "./list.ts";

/*
 * Bouquets of enigma2 (userbouquet.NAME.tv): the services that a person chose, in their order.
 *
 * #SERVICE     type:flags:service type:SID:TSID:ONID:namespace (hex):0:0:0:address:name
 *              ids and namespace kept; an address, in which : is written %3a, kept; flags 64: a heading, not kept
 * #DESCRIPTION kept as the name
 * #NAME        name of the bouquet, kept as group
 *
 * Names and frequencies of services from the air are in the box's lamedb.
 */

const HEADING = 0x40;
const FOLDER = 0x07;

export function isBouquet(lines: readonly string[]): boolean {
  return lines.some((line) => /^#SERVICE[: ]\s*\d+:\d+:/.test(line));
}

export function parseBouquet(text: string): ChannelList {
  const builder = new ListBuilder();
  const lines = linesOf(text).map((line) => line.trim());
  const group = lines
    .find((line) => line.startsWith("#NAME "))
    ?.slice("#NAME ".length)
    .trim();
  for (const [index, line] of lines.entries()) {
    const reference = /^#SERVICE[: ]\s*(.+)$/.exec(line)?.[1];
    if (reference === undefined) continue;
    const described = /^#DESCRIPTION:?\s(.+)$/.exec(lines[index + 1] ?? "")?.[1]?.trim();
    builder.try(index + 1, () => serviceOf(reference, { described, group, line: index + 1 }));
  }
  return builder.list("enigma2 bouquet");
}

interface About {
  readonly described: string | undefined;
  readonly group: string | undefined;
  readonly line: number;
}

function serviceOf(reference: string, { described, group, line }: About): ListedService | undefined {
  const fields = reference.split(":");
  const flags = numberFrom(fields[1], { what: "flags" });
  if ((flags & HEADING) !== 0) return undefined;
  if ((flags & FOLDER) !== 0) throw new BadLine("expected a service: import each bouquet by itself");
  const [sid, tsid, onid] = [3, 4, 5].map((at) => numberFrom(fields[at], { what: "an id", base: 16 }));
  const namespace = numberFrom(fields[6], { what: "a namespace", base: 16, max: 0xffffffff });
  const [address = "", name = ""] = fields.slice(10);
  if (address === "" && sid === 0) throw new BadLine("expected a service_id or an address");
  return defined<ListedService>({
    line,
    name: described ?? name.trim(),
    group,
    ids: sid === 0 ? {} : ({ onid, tsid, sid } as Triplet),
    namespace: sid === 0 ? undefined : namespace,
    url: address === "" ? undefined : addressOf(address.replace(/%3a/gi, ":")),
  });
}

/** The services of a bouquet with what the lamedb of the same box knows about them. */
export function withLamedb(bouquet: ChannelList, lamedb: ChannelList): ChannelList {
  const known = new Map(lamedb.services.map((service) => [keyOf(service), service]));
  const services = bouquet.services.map((service) => {
    const { name, line, group } = service;
    const found = service.url === undefined ? known.get(keyOf(service)) : undefined;
    if (found === undefined) return service;
    return defined<ListedService>({ ...found, line, group, name: name === "" ? found.name : name });
  });
  return { ...bouquet, services };
}

function keyOf({ ids: { onid, tsid, sid }, namespace }: ListedService): string {
  return [onid, tsid, sid, namespace].join(":");
}
