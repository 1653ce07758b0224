import { outOfPatience } from "../../patience.ts";
import { send } from "./exchanges.ts";
import { ONE, USER } from "./fakes/air.ts";

interface Grid {
  readonly entries: readonly {
    readonly uuid: string;
    readonly sid: number;
    readonly multiplex_uuid: string;
  }[];
}
interface Streams {
  readonly streams: readonly { readonly pid: number; readonly type: string }[];
}
interface Profiles {
  readonly entries: readonly { readonly key: string; readonly val: string }[];
}

/** The values of the names in `fakes/tvheadend.json` on a server: its ids of `ONE` and of the stock profile, and one that it does not have. */
export async function tvheadendNames(address: string): Promise<Readonly<Record<string, string>>> {
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await send({ address, as: USER }, { path, signal: outOfPatience() });
    return (await answer.json()) as T;
  };
  const { entries } = await ask<Grid>("/api/mpegts/service/grid?start=0&limit=999");
  const one = entries.find(({ sid }) => sid === ONE.sid);
  const { streams } = await ask<Streams>(`/api/service/streams?uuid=${one?.uuid}`);
  const profiles = await ask<Profiles>("/api/profile/list");
  return {
    service: one?.uuid ?? "",
    mux: one?.multiplex_uuid ?? "",
    pids: [0, 0x11, ...streams.map(({ pid }) => pid)].join(","),
    profile: profiles.entries.find(({ val }) => val === "pass")?.key ?? "",
    nothing: "0".repeat(32),
  };
}
