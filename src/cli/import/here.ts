import { channelFor } from "../../migration/channels.ts";
import type { FoundRecorder } from "../../migration/found.ts";
import type { KnownHere, KnownShow } from "../../migration/plan.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { LibraryEntry } from "../../model/library.ts";
import { isTerminal } from "../../model/recording.ts";
import type { Rule } from "../../model/rule.ts";
import type { Channel } from "../../model/service.ts";
import type { EpochMs } from "../../model/time.ts";
import { overlaps, type Window } from "../../model/window.ts";
import { askDaemon, askSnapshot } from "../../recorder/api/ask.ts";
import type { CliIo } from "../io.ts";

/** Asks the daemon for everything that it has already and that matters for the things found. A guide that does not answer keeps no recording back. */
export async function knownHere(
  socket: string,
  found: FoundRecorder,
  io: Pick<CliIo, "clock" | "signal">,
): Promise<KnownHere> {
  const get = <T>(path: string) => askDaemon<T>(socket, { method: "GET", path }, io);
  const entries = await get<readonly LibraryEntry[]>("/v1/recordings");
  const { recordings } = await askSnapshot(socket, io);
  const ordered = recordings.flatMap(({ state, showId }) =>
    isTerminal(state) || showId === undefined ? [] : [Number(showId)],
  );
  const now = io.clock.now();
  const guide = await orReason(async () => {
    const channels = await get<readonly Channel[]>("/v1/guide/channels");
    return { channels, shows: await showsFor(found, { channels, now, get }) };
  });
  const kept = await orReason(() => get<{ readonly rules: readonly Rule[] }>("/v1/rules"));
  return {
    entries: entries.filter(({ deleted }) => deleted?.done !== true),
    ordered: new Set(ordered),
    now,
    channels: "why" in guide ? [] : guide.channels,
    shows: "why" in guide ? () => [] : guide.shows,
    rules: "why" in kept ? [] : kept.rules,
    ...("why" in guide ? { noTimers: guide.why, noRules: guide.why } : {}),
    ...("why" in kept ? { noRules: kept.why } : {}),
  };
}

async function orReason<T extends object>(ask: () => Promise<T>): Promise<T | { readonly why: string }> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return { why: error.message };
  }
}

interface ShowParts {
  readonly channels: readonly Channel[];
  readonly now: EpochMs;
  readonly get: <T>(path: string) => Promise<T>;
}

/** The shows at the times of the timers: one question for each channel. */
async function showsFor(
  { timers }: FoundRecorder,
  { channels, now, get }: ShowParts,
): Promise<KnownHere["shows"]> {
  const spans = new Map<string, Window>();
  for (const { channel, event } of timers) {
    const { id } = channelFor(channel, channels) ?? {};
    if (id === undefined || event.stop <= now) continue;
    const { start, stop } = spans.get(id) ?? event;
    spans.set(id, { start: Math.min(start, event.start), stop: Math.max(stop, event.stop) });
  }
  const shows = new Map<string, readonly KnownShow[]>();
  for (const [id, { start, stop }] of spans)
    shows.set(id, await get(`/v1/guide/shows?channels=${id}&from=${start}&to=${stop}`));
  return (channelId, span) => (shows.get(channelId) ?? []).filter((show) => overlaps(show, span));
}
