import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount, Orders } from "../../model/ports.ts";
import type { ProgrammeAnswer, ProgrammeOrder } from "../../model/programme.ts";
import type { Airing, AiringOrder } from "../../model/repeat.ts";
import type { Channel } from "../../model/service.ts";
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";
import type { ReportContent, ReportedState, TimerId, TimerList } from "../../model/timer.ts";
import type { Padding, Window } from "../../model/window.ts";
import type { DaemonDocument } from "../../recorder/engine/core/document.ts";
import type { ChanceNow } from "./chance.ts";
import { failure, Misbehaviour, type Misdeed, twiceAndShuffled, withJunk } from "./misbehaviour.ts";
import type { Booking, FaultStep } from "./script.ts";
import {
  episodeOf,
  isListed,
  isOver,
  noteServed,
  repeatsOf,
  sameWindow,
  showOf,
  type TrueTimer,
  wireTimer,
  withOriginalOrder,
} from "./true-timer.ts";

export interface GuideWatch {
  /** The recorder requests timers or channels, `earlyMs` before the service allows it. */
  polled(earlyMs: DurationMs): void;
  /** The recorder is about to send a report. */
  telling(timerId: TimerId, told: ReportContent): void;
  /** The recorder books a show for the first time. */
  ordered(showId: string): void;
  /** The service accepted it. */
  took(timer: TrueTimer, told: ReportContent): void;
}

interface GuideParts {
  readonly clock: Clock;
  readonly chance: ChanceNow;
  readonly channels: readonly Channel[];
  readonly refusedStates: readonly ReportedState[];
  readonly listsForgottenTwice: boolean;
  readonly watch: GuideWatch;
}

/** Two bookings on one channel this close are one show, for a household and for the recorder. */
const SAME_SHOW_MS = 10 * MINUTE;

/** A household's account at a service that misbehaves on demand. */
export class Guide implements GuideAccount {
  readonly timersById = new Map<TimerId, TrueTimer>();
  /** Reports about entries that were never timers. */
  readonly junk = new Map<TimerId, ReportContent[]>();
  /** Requests and well-formed answers so far. */
  requests = 0;
  goodAnswers = 0;
  /** The errors of the dates that it gave. */
  readonly dates: { readonly at: EpochMs; readonly error: DurationMs }[] = [];
  /** Times of its failed answers. */
  readonly failures: EpochMs[] = [];
  readonly #parts: GuideParts;
  readonly #misbehaviour = new Misbehaviour();
  /** Counts the changes of the timers. */
  version = 0;
  #latest: { readonly version: number; readonly until: EpochMs; readonly list: TimerList } | undefined;
  #noted: TimerList | undefined;
  /** End of the Retry-After that the current daemon received. */
  #notBefore: EpochMs = 0;

  constructor(parts: GuideParts) {
    this.#parts = parts;
  }

  book(booking: Booking): void {
    const { timerId, event } = booking;
    // A show is booked only once.
    if (this.#isTaken(booking.channel, event)) return;
    const fresh = { booking, event, forget: false, state: "new", absences: [], reports: [], served: [] };
    this.timersById.set(timerId, fresh);
    this.version += 1;
  }

  reschedule(timerId: TimerId, event: Window): void {
    this.version += 1;
    const timer = this.timersById.get(timerId);
    // A finished timer is not moved.
    if (timer === undefined || isOver(timer)) return;
    if (timer.event.start === event.start || !this.#isTaken(timer.booking.channel, event))
      timer.event = event;
  }

  #isTaken(channel: number, { start }: Window): boolean {
    const others = [...this.timersById.values()].filter(({ booking }) => booking.channel === channel);
    return others.some(({ event }) => Math.abs(event.start - start) <= SAME_SHOW_MS);
  }

  forget(timerId: TimerId): void {
    this.version += 1;
    const timer = this.timersById.get(timerId);
    if (timer !== undefined) timer.forget = true;
  }

  /** Removes a timer, or gives it another id. */
  lose({ kind, pick }: Extract<FaultStep, { readonly kind: "gone" | "rekey" }>): void {
    this.version += 1;
    const { clock } = this.#parts;
    const open = [...this.timersById.values()].filter((timer) => !isOver(timer) && !timer.forget);
    const timer =
      typeof pick === "number"
        ? open[pick % Math.max(1, open.length)]
        : open.find(({ booking }) => booking.timerId === pick.timerId);
    if (timer === undefined) return;
    timer.removed = kind === "gone" ? "gone" : "rekeyed";
    if (kind === "gone") return;
    const timerId = `${timer.booking.timerId}0`;
    const again = {
      ...timer,
      booking: { ...timer.booking, timerId },
      state: "new",
      // The absence under the old id does not restart.
      absences: timer.absences.map(({ from, to = clock.now() }) => ({ from, to })),
      reports: [],
      served: [],
    };
    delete again.removed;
    this.timersById.set(timerId, again);
  }

  misbehave(misdeed: Misdeed): void {
    this.version += 1;
    this.#misbehaviour.begin(misdeed);
  }

  async timers(signal: AbortSignal): Promise<TimerList> {
    await this.#polled(signal);
    const list = this.#list();
    if (list !== this.#noted) noteServed(this.timersById, list, this.#parts.clock.now());
    this.#noted = list;
    this.goodAnswers += 1;
    return { ...list, serverTime: this.#date() };
  }

  /** Truncated to whole seconds. */
  #date(): EpochMs {
    const at = this.#parts.clock.now();
    const error = this.#misbehaviour.dateErrorMs(at);
    this.dates.push({ at, error });
    return Math.floor((at + error) / SECOND) * SECOND;
  }

  /** The errors of its Date so far. */
  get lies(): readonly DurationMs[] {
    return this.#misbehaviour.lies;
  }

  /** After a crash: a list that was served but is not in the document was never processed. */
  unserve({ timers, refusedEntries }: Pick<DaemonDocument, "timers" | "refusedEntries">): void {
    this.#notBefore = 0;
    this.version += 1;
    for (const [id, { served }] of this.timersById) {
      const last = served.at(-1);
      if (last !== undefined && !last.forget && !sameWindow(timers[id]?.event, last.event)) served.pop();
    }
    for (const [id, told] of this.junk) {
      if (told.length === 0 && refusedEntries[id] === undefined) this.junk.delete(id);
    }
  }

  async channels(signal: AbortSignal): Promise<readonly Channel[]> {
    await this.#polled(signal);
    this.goodAnswers += 1;
    return this.#parts.channels;
  }

  /** Every show is an episode of a series of its channel; channels with an even number have none in the guide. */
  async programmes({ channelIds, showIds }: ProgrammeOrder, signal: AbortSignal): Promise<ProgrammeAnswer> {
    await this.#answered("programmes", signal);
    this.goodAnswers += 1;
    const asked = new Set(channelIds);
    const known = [...this.timersById.values()].filter(({ booking }) => {
      const { channel } = booking;
      return channel % 2 === 1 && asked.has(String(channel)) && showIds.has(showOf(booking));
    });
    const programmes = known.map(({ booking }) => [showOf(booking), episodeOf(booking)] as const);
    return { programmes: Object.fromEntries(programmes), updatedTo: this.#date() };
  }

  /** Every episode is repeated one and two days later on its own channel. */
  async airings({ channelIds, isWanted }: AiringOrder, signal: AbortSignal): Promise<readonly Airing[]> {
    await this.#answered("airings", signal);
    this.goodAnswers += 1;
    const all = [...this.timersById.values()].flatMap(({ booking }) => repeatsOf(booking));
    return all.filter((airing) => channelIds.includes(airing.channelId) && isWanted(airing));
  }

  /** The recorder's own bookings: shows in the guide. */
  readonly orders: Orders = {
    book: async ({ showId, padding }, signal) => {
      let timerId: TimerId | undefined;
      await this.#answered(`booking ${showId}`, signal, () => {
        timerId = this.#ordered(showId, padding);
      });
      return timerId;
    },
    cancel: async (timerId, signal) => {
      await this.#answered(`cancelling ${timerId}`, signal, () => {
        const timer = this.timersById.get(timerId);
        if (timer !== undefined && !timer.forget) timer.removed ??= "cancelled";
      });
    },
  };

  #ordered(showId: string, { beforeMs, afterMs }: Padding): TimerId {
    const all = [...this.timersById.values()];
    const there = all.find(({ booking, removed }) => removed === undefined && showOf(booking) === showId);
    if (there !== undefined) return there.booking.timerId;
    const { clock, chance } = this.#parts;
    const found = all.flatMap(({ booking }) =>
      repeatsOf(booking).flatMap((airing) => (airing.showId === showId ? [{ booking, airing }] : [])),
    )[0];
    if (found === undefined || this.#isTaken(found.booking.channel, found.airing.event)) {
      throw new RecorderdError("GUIDE_NOT_FOUND", `There is no show ${showId}.`);
    }
    const { beforeMinutes: _before, afterMinutes: _after, ...rest } = found.booking;
    const timerId = String(900_000 + this.timersById.size);
    this.book({
      ...rest,
      timerId,
      event: found.airing.event,
      beforeMinutes: Math.round(beforeMs / MINUTE),
      afterMinutes: Math.round(afterMs / MINUTE),
      repeats: found.booking,
    });
    this.#parts.watch.ordered(showId);
    const timer = this.timersById.get(timerId);
    // Some are withdrawn later.
    const later = chance(`withdrawal ${timerId}`);
    if (timer !== undefined && later.percent(10)) timer.forgetAt = clock.now() + later.int(1, 12) * HOUR;
    return timerId;
  }

  async #polled(signal: AbortSignal): Promise<void> {
    const { clock, watch } = this.#parts;
    watch.polled(Math.max(0, this.#notBefore - clock.now()));
    try {
      await this.#answered("poll", signal);
    } catch (error) {
      const asked = error instanceof RecorderdError ? Number(error.facts["retryAfterMs"] ?? 0) : 0;
      this.#notBefore = clock.now() + Math.min(asked, MODEL_LIMITS.guideRetryAfterMsMax);
      throw error;
    }
  }

  async tell(timerId: TimerId, told: ReportContent, signal: AbortSignal): Promise<void> {
    this.#parts.watch.telling(timerId, told);
    await this.#answered(`report ${timerId}`, signal, () => this.#take(timerId, told));
  }

  async remove(timerId: TimerId, signal: AbortSignal): Promise<void> {
    await this.#answered(`removal ${timerId}`, signal, () => {
      this.#existing(timerId).removed = "acknowledged";
    });
  }

  /** One request: its delay, its effect if any, and the failure that hides it. */
  async #answered(about: string, signal: AbortSignal, change?: () => void): Promise<void> {
    const { clock, chance } = this.#parts;
    this.requests += 1;
    const delayMs = this.#misbehaviour.delayMs(clock.now()) + chance(about).int(20, 900);
    await clock.sleep(Math.min(delayMs, MODEL_LIMITS.guideRequestMs), signal);
    const outage = this.#misbehaviour.outage(clock.now());
    if (outage !== undefined) this.failures.push(clock.now());
    if (outage !== undefined && !outage.lost) throw failure(outage);
    if (change !== undefined) {
      this.version += 1;
      change();
    }
    if (outage !== undefined) throw failure(outage);
    if (delayMs > MODEL_LIMITS.guideRequestMs) throw failure({ code: "GUIDE_TIMEOUT", html: false });
  }

  #take(timerId: TimerId, told: ReportContent): void {
    const junk = this.junk.get(timerId);
    if (junk !== undefined) {
      junk.push(told);
      return;
    }
    const timer = this.#existing(timerId);
    if (told.state !== undefined && this.#parts.refusedStates.includes(told.state)) {
      throw new RecorderdError("GUIDE_NOT_ACCEPTABLE", `This service knows no state ${told.state}.`);
    }
    timer.reports.push({ ...told, at: this.#parts.clock.now() });
    if (told.state !== undefined) timer.state = told.state;
    this.#parts.watch.took(timer, told);
    if (timer.forget && told.state === "completed") timer.removed = "acknowledged";
  }

  #existing(timerId: TimerId): TrueTimer {
    const timer = this.timersById.get(timerId);
    if (timer === undefined || timer.removed !== undefined) {
      throw new RecorderdError("GUIDE_NOT_FOUND", `There is no timer ${timerId}.`);
    }
    return timer;
  }

  /** The same list, with the same timers, while the service has nothing else to say. */
  #list(): TimerList {
    const now = this.#parts.clock.now();
    const known = this.#latest;
    if (known?.version === this.version && now < known.until) return known.list;
    for (const timer of this.timersById.values()) if ((timer.forgetAt ?? now + 1) <= now) timer.forget = true;
    const list = this.#newList(now);
    const isDistorted = this.#misbehaviour.distortions(now).size > 0;
    const changes = [...this.timersById.values()].flatMap(({ event, forgetAt = 0 }) => [
      event.stop + DAY,
      forgetAt,
    ]);
    const until = isDistorted ? now : Math.min(...changes.filter((at) => at > now));
    this.#latest = { version: this.version, until, list };
    return list;
  }

  #newList(now: EpochMs): TimerList {
    const { chance, listsForgottenTwice } = this.#parts;
    const how = this.#misbehaviour.distortions(now);
    const current = [...this.timersById.values()].filter((timer) => isListed(timer, now)).map(wireTimer);
    // Always the same timers: long absence means withdrawal, flapping does not.
    const keeps = (id: TimerId) => !how.has("shrunken-list") || Number(id) % 4 === 0;
    const kept = how.has("empty-list") ? [] : current.filter(({ id }) => keeps(id));
    const { timers, malformed } = how.has("malformed")
      ? withJunk(kept, this.#junkId())
      : { timers: kept, malformed: [] };
    const shown = how.has("duplicates") ? twiceAndShuffled(timers, chance("duplicates")) : timers;
    return { timers: listsForgottenTwice ? shown.flatMap(withOriginalOrder) : shown, malformed };
  }

  /** An id of an entry that never was a timer. */
  #junkId(): TimerId {
    const junkId = `junk-${1 + (this.junk.size % 3)}`;
    if (!this.junk.has(junkId)) this.junk.set(junkId, []);
    return junkId;
  }
}
