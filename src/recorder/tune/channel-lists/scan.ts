import type { Inspection } from "../../../model/inspection.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { ChannelList, ListedService } from "./list.ts";

/** The services of a received multiplex: from its SDT, with the PIDs of their PMTs and the channel numbers of its NIT. */
export function listOfScan({ services, channelNumbers }: Inspection): ChannelList {
  const numbers = new Map(channelNumbers.map(({ sid, number }) => [sid, number]));
  return {
    format: "scan",
    mistakes: [],
    services: services
      .filter(({ name, triplet }) => name !== undefined && triplet !== undefined)
      .map(({ sid, triplet, name = "", provider, serviceType, streams, pmtPid, pcrPid }): ListedService => {
        const lcn = numbers.get(sid);
        const pids = [...streams.map(({ pid }) => pid), pmtPid, pcrPid].filter((pid) => pid !== undefined);
        return {
          line: 0,
          name,
          ids: triplet ?? { sid },
          ...(provider === undefined || provider === "" ? {} : { provider }),
          ...withoutUndefined({ serviceType, lcn }),
          ...(pids.length === 0 ? {} : { pids: [...new Set(pids)].sort((a, b) => a - b) }),
        };
      }),
  };
}
