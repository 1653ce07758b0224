import { createHash } from "node:crypto";
import type { KnownService } from "../../model/channel-match.ts";
import { nameKey } from "../../model/channel-name.ts";
import type { Source } from "../../model/ports.ts";
import { type MultiplexKey, multiplexKey, type Triplet } from "../../model/service.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { ListedService } from "./channel-lists/list.ts";
import { completeTriplet } from "./match.ts";

/** Original networks for private use (TS 101 162 §5.1): no broadcaster has them. */
const NETWORK_MIN = 0xfff0;
const MULTIPLEXES = 12 * 0x10000;
const SID = 1;

export interface SoleService extends KnownService {
  readonly source: Source;
}

/**
 * The services of a list that have an address of their own. Those without ids get some, which depend on the name alone where no other
 * entry has it: providers change addresses. Each is a multiplex of its own, since each is a connection.
 */
export function soleServices(services: readonly ListedService[]): readonly SoleService[] {
  const addressed = services.flatMap((service) =>
    service.url === undefined ? [] : [{ ...service, url: service.url }],
  );
  const used = new Set<MultiplexKey>();
  const names = new Set<string>();
  const idsOf = ({ ids, name, url }: (typeof addressed)[number]): Triplet => {
    const known = completeTriplet(ids);
    if (known !== undefined) return known;
    const key = nameKey(name);
    const isFirst = key !== "" && !names.has(key);
    names.add(key);
    return { ...madeUp(isFirst ? key : `${key} ${url}`, used), sid: ids.sid ?? SID };
  };
  return addressed.map((service) => {
    const { name, lcn, url } = service;
    const headers = /^https?:/i.test(url) ? service.headers : undefined;
    const source = { url, programme: "sole", ...withoutUndefined({ headers }) } as const;
    return { triplet: idsOf(service), name, ...withoutUndefined({ lcn }), source };
  });
}

/** Two texts seldom give one number: then the second one gets the next free number. */
function madeUp(text: string, used: Set<MultiplexKey>): Pick<Triplet, "onid" | "tsid"> {
  const first = createHash("sha256").update(text).digest().readUInt32BE(0);
  for (let step = 0; ; step += 1) {
    const number = (first + step) % MULTIPLEXES;
    const multiplex = { onid: NETWORK_MIN + Math.floor(number / 0x10000), tsid: number % 0x10000 };
    const key = multiplexKey(multiplex);
    if (used.has(key)) continue;
    used.add(key);
    return multiplex;
  }
}
