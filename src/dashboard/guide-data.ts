import { computed, signal } from "@preact/signals";
import type { Programme } from "../model/programme.ts";
import { isTerminal, type Recording } from "../model/recording.ts";
import { ask, session } from "./state/api.ts";
import { say } from "./state/language.ts";
import { view } from "./state/live.ts";

/** An entry of `/v1/guide/channels`. */
export interface Station {
  readonly id: string;
  readonly name: string;
}

/** An entry of `/v1/guide/shows`. */
export interface Show {
  readonly id: number;
  readonly channelId: number;
  readonly title: string;
  readonly start: number;
  readonly stop: number;
  readonly programme: Programme;
}

/** The channels of the account's region; loaded once per signed-in user. */
export const stations = signal<readonly Station[] | undefined>(undefined);

let loadedFor: string | undefined;

export async function loadStations(): Promise<void> {
  const user = session.value?.user;
  if (stations.value !== undefined && loadedFor === user) return;
  stations.value = await ask<readonly Station[]>("GET", "/v1/guide/channels");
  loadedFor = user;
}

export function loadShows({
  from,
  to,
  search = "",
}: {
  readonly from: number;
  readonly to?: number;
  readonly search?: string;
}): Promise<readonly Show[]> {
  const query = new URLSearchParams({ from: String(Math.floor(from)) });
  if (to !== undefined) query.set("to", String(Math.floor(to)));
  if (search !== "") query.set("search", search);
  return ask<readonly Show[]>("GET", `/v1/guide/shows?${query}`);
}

const recordings = computed(() => view.value?.recordings);

/** Recordings by show id; of several, an open one wins, else the last. */
export const byShow = computed((): ReadonlyMap<string, Recording> => {
  const shows = new Map<string, Recording>();
  for (const recording of recordings.value?.values() ?? []) {
    if (recording.showId === undefined) continue;
    const before = shows.get(recording.showId);
    if (before === undefined || isTerminal(before.state)) shows.set(recording.showId, recording);
  }
  return shows;
});

/** Shows by channel, in the order of their starts. */
export function byChannel(shows: readonly Show[]): ReadonlyMap<string, readonly Show[]> {
  const found = new Map<string, Show[]>();
  for (const show of shows) {
    const key = String(show.channelId);
    const those = found.get(key);
    if (those === undefined) found.set(key, [show]);
    else those.push(show);
  }
  for (const those of found.values()) those.sort((a, b) => a.start - b.start);
  return found;
}

export function stationName(channelId: number): string {
  return (
    stations.value?.find(({ id }) => id === String(channelId))?.name ??
    say("programme-channel-unknown", { id: String(channelId) })
  );
}
