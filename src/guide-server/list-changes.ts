import { Readable } from "node:stream";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { SECOND } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import { isSessionOpen, type Session } from "./domain/accounts.ts";
import { SERVER_LIMITS } from "./limits.ts";
import { type Refusal, tooManyStreams, unavailable } from "./refusal.ts";

/** A comment: clients know by it that the stream is alive, and proxies do not cut it off. */
const BEAT = ": alive\n\n";

interface Subscriber {
  readonly stream: Readable;
  readonly session: Session;
  /** The version of the latest event. */
  sent: string;
}

/** The subscribers of one account. */
interface Circle {
  readonly members: Set<Subscriber>;
  readonly leave: () => void;
  /** A change waits for the disk; the event after it tells of further ones too. */
  isWaiting: boolean;
}

/**
 * Tells subscribed clients that their account's list of timers has changed, as server-sent events. A subscriber costs
 * its stream: all of them share one timer.
 */
export class ListChanges implements Disposable {
  readonly #store: GuideStore;
  readonly #clock: Clock;
  readonly #circles = new Map<string, Circle>();
  /** Each second, one of them gets a sign of life. */
  readonly #turns: readonly Set<Subscriber>[] = Array.from(
    { length: SERVER_LIMITS.changesBeatMs / SECOND },
    () => new Set(),
  );
  #turn = 0;
  #count = 0;
  #isClosed = false;
  #callOffBeat: (() => void) | undefined;

  constructor(store: GuideStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The stream of a session: the version of its account's list at once, and after every change. */
  subscribe(session: Session): Readable | Refusal {
    if (this.#isClosed) return CLOSED;
    const { id } = session.account;
    const members = this.#circles.get(id)?.members ?? new Set();
    const own = [...members].filter((one) => one.session.token.id === session.token.id);
    // A client that comes again may not have noticed that its former connection is dead.
    if (own.length >= SERVER_LIMITS.changesPerSession && own[0] !== undefined) this.#end(own[0]);
    if (members.size >= SERVER_LIMITS.changesPerAccount) {
      return tooManyStreams(SERVER_LIMITS.changesRetryMs);
    }
    if (this.#count >= SERVER_LIMITS.changes) return FULL;
    const subscriber: Subscriber = {
      session,
      sent: this.#store.versions.of(id),
      stream: new Readable({
        read: () => {},
        destroy: (error, done) => {
          this.#forget(subscriber);
          done(error);
        },
      }),
    };
    this.#remember(subscriber);
    subscriber.stream.push(eventOf(subscriber.sent));
    return subscriber.stream;
  }

  /** Ends all streams; there are none afterwards. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { members } of [...this.#circles.values()]) for (const one of [...members]) this.#end(one);
  }

  #remember(subscriber: Subscriber): void {
    const { id } = subscriber.session.account;
    const circle = this.#circles.get(id) ?? this.#openCircle(id);
    circle.members.add(subscriber);
    const emptiest = this.#turns.reduce((least, turn) => (turn.size < least.size ? turn : least));
    emptiest.add(subscriber);
    this.#count += 1;
    this.#callOffBeat ??= this.#clock.after(SECOND, () => this.#beat());
  }

  #openCircle(accountId: string): Circle {
    const circle: Circle = {
      members: new Set(),
      leave: this.#store.versions.subscribe(accountId, () => void this.#tell(accountId, circle)),
      isWaiting: false,
    };
    this.#circles.set(accountId, circle);
    return circle;
  }

  #forget(subscriber: Subscriber): void {
    const { id } = subscriber.session.account;
    const circle = this.#circles.get(id);
    if (circle?.members.delete(subscriber) !== true) return;
    for (const turn of this.#turns) turn.delete(subscriber);
    this.#count -= 1;
    if (circle.members.size === 0) {
      circle.leave();
      this.#circles.delete(id);
    }
    if (this.#count > 0) return;
    this.#callOffBeat?.();
    this.#callOffBeat = undefined;
  }

  #end(subscriber: Subscriber): void {
    this.#forget(subscriber);
    subscriber.stream.push(null);
  }

  /** Tells of a change when it is on the disk. */
  async #tell(accountId: string, circle: Circle): Promise<void> {
    if (circle.isWaiting) return;
    circle.isWaiting = true;
    try {
      await this.#store.settled();
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // The failed request reports it; the server refuses everything from now on.
      for (const one of [...circle.members]) this.#end(one);
    }
    circle.isWaiting = false;
    const version = this.#store.versions.of(accountId);
    const now = this.#clock.now();
    for (const one of [...circle.members]) {
      if (!isSessionOpen(this.#store.of(accountId), one.session, now)) this.#end(one);
      else if (one.sent !== version) {
        one.sent = version;
        this.#send(one, eventOf(version));
      }
    }
  }

  #beat(): void {
    this.#callOffBeat = this.#clock.after(SECOND, () => this.#beat());
    this.#turn = (this.#turn + 1) % this.#turns.length;
    const now = this.#clock.now();
    for (const one of [...(this.#turns[this.#turn] ?? [])]) {
      if (one.session.token.expiresAt <= now) this.#end(one);
      else this.#send(one, BEAT);
    }
  }

  /** A client that does not read is dropped: it comes again and learns the version then. */
  #send({ stream }: Subscriber, text: string): void {
    if (stream.readableLength > SERVER_LIMITS.changesUnread) stream.destroy();
    else stream.push(text);
  }
}

function eventOf(version: string): string {
  return `event: list\ndata: ${JSON.stringify({ version })}\n\n`;
}

const CLOSED = unavailable("The guide server is shutting down.", SERVER_LIMITS.retryAfterMs);
const FULL = unavailable(
  "Too many clients wait for changes: poll, and ask again later.",
  SERVER_LIMITS.changesRetryMs,
);
