import type { GuideClient } from "../../../guide-wire/client.ts";
import { broadcastOf } from "../../../guide-wire/programmes.ts";
import { forgetOldest } from "../../../kit/forget-oldest.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { ShowView } from "../../../web/guide-api.ts";
import { BOOKING_LIMITS } from "./limits.ts";

interface ChannelShows {
  readonly at: EpochMs;
  readonly shows: readonly ShowView[];
}

interface RecentShowsParts {
  readonly client: Pick<GuideClient, "shows">;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
}

/** The shows of the guide by channel. Recent answers are cached; those who ask at the same time ask the service once. */
export class RecentShows {
  readonly #parts: RecentShowsParts;
  /** The channel requested longest ago comes first. */
  readonly #byChannel = new Map<number, ChannelShows>();
  readonly #requests = new Turns();

  constructor(parts: RecentShowsParts) {
    this.#parts = parts;
  }

  async of(channelIds: readonly number[]): Promise<readonly ShowView[]> {
    const ids = [...new Set(channelIds)];
    const fresh = ids.flatMap((id) => this.#freshOf(id) ?? []);
    const found = fresh.length === ids.length ? fresh : await this.#requests.run(() => this.#complete(ids));
    return found.flatMap(({ shows }) => shows);
  }

  #freshOf(id: number): ChannelShows | undefined {
    const found = this.#byChannel.get(id);
    return found !== undefined && found.at > this.#parts.clock.now() - BOOKING_LIMITS.freshMs
      ? found
      : undefined;
  }

  /** Requests what is missing. The answer is independent of what the cache forgets meanwhile. */
  async #complete(channelIds: readonly number[]): Promise<readonly ChannelShows[]> {
    const { client, clock, signal } = this.#parts;
    const all = new Map(channelIds.map((id) => [id, this.#freshOf(id)]));
    const missing = [...all].flatMap(([id, found]) => (found === undefined ? [id] : []));
    for (let from = 0; from < missing.length; from += MODEL_LIMITS.programmeChannels) {
      const some = missing.slice(from, from + MODEL_LIMITS.programmeChannels);
      const { value } = await client.shows({ channelIds: some, hideTimers: true }, signal);
      const views = value.shows.flatMap((show) => broadcastOf(show) ?? []);
      for (const id of some) {
        const shows = views.filter(({ channelId }) => channelId === id).toSorted((a, b) => a.start - b.start);
        const found = { at: clock.now(), shows };
        all.set(id, found);
        this.#remember(id, found);
      }
    }
    return [...all.values()].flatMap((found) => found ?? []);
  }

  #remember(id: number, found: ChannelShows): void {
    this.#byChannel.delete(id);
    this.#byChannel.set(id, found);
    forgetOldest(this.#byChannel, BOOKING_LIMITS.freshChannels);
  }
}
