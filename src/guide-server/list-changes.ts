import { Readable } from "node:stream";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { type EpochMs, SECOND } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import type { GuideTables } from "./data/tables.ts";
import { isSessionOpen, type Session } from "./domain/accounts.ts";
import { SERVER_LIMITS } from "./limits.ts";
import { type Refusal, tooManyStreams, unavailable } from "./refusal.ts";

/** A comment: clients know by it that the stream is alive, and proxies do not cut it off. */
const BEAT = ": alive\n\n";

interface Subscriber {
  readonly stream: Readable;
  readonly accountId: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly expiresAt: EpochMs;
  /** The version of the latest event. */
  sent: string;
}

/** The subscribers of one account. */
interface Circle {
  readonly members: Set<Subscriber>;
  readonly leave: () => void;
  /** The account is being read; a further change makes it be read again. */
  isReading: boolean;
  hasChanged: boolean;
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

  /** The number of subscribers. */
  get count(): number {
    return this.#count;
  }

  /** The accounts of the subscribers. */
  get accountIds(): readonly string[] {
    return [...this.#circles.keys()];
  }

  /** The stream of a session: the version of its account's list at once, and after every change. */
  subscribe({ account: { id }, token, user }: Session, version: string): Readable | Refusal {
    if (this.#isClosed) return CLOSED;
    const members = this.#circles.get(id)?.members ?? new Set();
    const own = [...members].filter(({ tokenId }) => tokenId === token.id);
    // A client that comes again may not have noticed that its former connection is dead.
    if (own.length >= SERVER_LIMITS.changesPerSession && own[0] !== undefined) this.#end(own[0]);
    if (members.size >= SERVER_LIMITS.changesPerAccount) {
      return tooManyStreams(SERVER_LIMITS.changesRetryMs);
    }
    if (this.#count >= SERVER_LIMITS.changes) return FULL;
    const subscriber: Subscriber = {
      ...{ accountId: id, tokenId: token.id, userId: user.id, expiresAt: token.expiresAt },
      sent: version,
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
    const { accountId } = subscriber;
    const circle = this.#circles.get(accountId) ?? this.#openCircle(accountId);
    circle.members.add(subscriber);
    const emptiest = this.#turns.reduce((least, turn) => (turn.size < least.size ? turn : least));
    emptiest.add(subscriber);
    this.#count += 1;
    this.#callOffBeat ??= this.#clock.after(SECOND, () => this.#beat());
  }

  #openCircle(accountId: string): Circle {
    const circle: Circle = {
      members: new Set(),
      leave: this.#store.subscribe(accountId, () => void this.#tell(accountId, circle)),
      isReading: false,
      hasChanged: false,
    };
    this.#circles.set(accountId, circle);
    return circle;
  }

  #forget(subscriber: Subscriber): void {
    const { accountId } = subscriber;
    const circle = this.#circles.get(accountId);
    if (circle?.members.delete(subscriber) !== true) return;
    for (const turn of this.#turns) turn.delete(subscriber);
    this.#count -= 1;
    if (circle.members.size === 0) {
      circle.leave();
      this.#circles.delete(accountId);
    }
    if (this.#count > 0) return;
    this.#callOffBeat?.();
    this.#callOffBeat = undefined;
  }

  #end(subscriber: Subscriber): void {
    this.#forget(subscriber);
    subscriber.stream.push(null);
  }

  async #tell(accountId: string, circle: Circle): Promise<void> {
    circle.hasChanged = true;
    if (circle.isReading) return;
    circle.isReading = true;
    while (circle.hasChanged) {
      circle.hasChanged = false;
      await this.#tellOnce(accountId, circle);
    }
    circle.isReading = false;
  }

  async #tellOnce(accountId: string, circle: Circle): Promise<void> {
    const tables = await this.#tablesOf(accountId);
    const now = this.#clock.now();
    for (const one of [...circle.members]) {
      // Without the account's records its clients come again, and learn what there is.
      if (tables === undefined || !isSessionOpen(tables, one, now)) this.#end(one);
      else if (one.sent !== tables.seen) {
        one.sent = tables.seen;
        this.#send(one, eventOf(tables.seen));
      }
    }
  }

  async #tablesOf(accountId: string): Promise<GuideTables | undefined> {
    try {
      return await this.#store.of(accountId);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      return undefined;
    }
  }

  #beat(): void {
    this.#callOffBeat = this.#clock.after(SECOND, () => this.#beat());
    this.#turn = (this.#turn + 1) % this.#turns.length;
    const now = this.#clock.now();
    for (const one of [...(this.#turns[this.#turn] ?? [])]) {
      if (one.expiresAt <= now) this.#end(one);
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
