import type { Log } from "../../../kit/log.ts";
import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { NewsDocument, WaitingNews } from "../../../model/news.ts";
import type { Snapshot } from "../../../model/snapshot.ts";
import type { Reader } from "../../../words/reader.ts";
import { type Subscription, withNews } from "./core/news.ts";
import { dueFor, nextDue, undeliverable, withoutNews, withPostponed } from "./core/queue.ts";
import { NOTIFY_LIMITS } from "./limits.ts";
import type { Target } from "./target.ts";
import { worded } from "./wording.ts";

interface Store {
  readonly current: NewsDocument;
  commit(next: NewsDocument): Promise<void>;
}

/** A target with what it receives, and the person that notifications are worded for. */
export interface Receiver extends Omit<Subscription, "id"> {
  readonly target: Target;
  readonly reader: () => Promise<Reader>;
}

export interface NewsParts {
  /** Those of now: browsers come and go. */
  readonly receivers: () => readonly Receiver[];
  readonly store: Store;
  readonly snapshot: () => Snapshot;
  readonly clock: Clock;
  readonly log: Log;
}

export interface NewsLoop {
  /** Signals possible news. */
  readonly wake: () => void;
  /**
   * Finds and sends news until the signal is aborted; an interrupted one is sent again in the next run of the daemon.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Sends news to people. Failures never affect a recording. */
export function createNewsLoop(parts: NewsParts): NewsLoop {
  const { receivers, store, snapshot, clock, log } = parts;
  const wakeSignal = new WakeSignal();
  const sending = new Map<string, Promise<void>>();
  const change = inTurn(store);
  let isFailing = false;

  /**
   * Stores a change. After a failure the folder is tried again; news that were sent meanwhile are sent once more.
   */
  async function storeChange(make: (document: NewsDocument) => NewsDocument): Promise<boolean> {
    try {
      await change(make);
      isFailing = false;
      return true;
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
      if (!isFailing) log.error("notifications cannot be stored; retrying", { text: error.message });
      isFailing = true;
      return false;
    }
  }

  async function look(): Promise<void> {
    const subscriptions = receivers().map(({ target: { id }, ...subscription }) => ({ id, ...subscription }));
    const ids = subscriptions.map(({ id }) => id);
    const dropped = undeliverable(store.current, ids, clock.now());
    for (const waiting of dropped) {
      log.warn("a notification is not sent any more", {
        target: waiting.target,
        news: waiting.news.id,
        tries: waiting.tries,
      });
    }
    const now = snapshot();
    await storeChange((document) => withNews(dropped.reduce(withoutNews, document), now, subscriptions));
  }

  function begin(signal: AbortSignal): void {
    for (const receiver of receivers()) {
      const { target } = receiver;
      const due = dueFor(store.current, target.id, clock.now());
      if (due === undefined || sending.has(target.id)) continue;
      const sent = send(receiver, due, signal).finally(() => {
        sending.delete(target.id);
        wakeSignal.signal();
      });
      sending.set(target.id, sent);
      // Aborted: the next run of the daemon sends it again.
      sent.catch(() => {});
    }
  }

  async function send(receiver: Receiver, waiting: WaitingNews, signal: AbortSignal): Promise<void> {
    const { target } = receiver;
    const outcome = await sendOnce(receiver, waiting, { clock, signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      // A bug; the other targets go on, and it is retried like an unreachable target.
      return new RecorderdError("NOTIFY_UNREACHABLE", `A bug in recorderd: ${error}`);
    });
    const about = { target: target.id, news: waiting.news.id };
    if (outcome === undefined) log.info("a notification was sent", about);
    else
      log.warn("a notification could not be delivered", {
        ...about,
        code: outcome.code,
        text: outcome.message,
      });
    const isOver = outcome === undefined || outcome.code === "NOTIFY_REFUSED";
    const make = (document: NewsDocument) =>
      isOver ? withoutNews(document, waiting) : withPostponed(document, waiting, clock.now());
    // Retried: accepted news must not be sent again because the data folder is full.
    while (!(await storeChange(make))) await clock.sleep(NOTIFY_LIMITS.storeAgainMs, signal);
  }

  /** A recorder that notifies nobody neither looks nor writes. */
  async function anyReceiver(signal: AbortSignal): Promise<void> {
    while (receivers().length === 0 && !signal.aborted) await wakeSignal.wait(signal);
  }

  return {
    wake: () => wakeSignal.signal(),
    run: async (signal) => {
      while (!signal.aborted) {
        if (receivers().length === 0) await anyReceiver(signal);
        await look();
        begin(signal);
        const due = nextDue(store.current) ?? Number.POSITIVE_INFINITY;
        const untilDue = Math.max(NOTIFY_LIMITS.lookMs, due - clock.now());
        await wakeSignal.waitFor(Math.min(NOTIFY_LIMITS.conditionsMs, untilDue), { clock, signal });
        // One look for many commits in a row.
        await clock.sleep(NOTIFY_LIMITS.lookMs, signal).catch(() => {});
      }
      await Promise.allSettled(sending.values());
    },
  };
}

/** @returns why it was not accepted */
async function sendOnce(
  { target, reader }: Receiver,
  { news }: WaitingNews,
  { clock, signal }: Pick<NewsParts, "clock"> & { readonly signal: AbortSignal },
): Promise<RecorderdError | undefined> {
  const timeoutError = () =>
    new RecorderdError("NOTIFY_UNREACHABLE", `Target ${target.id}: no answer in time.`, {
      target: target.id,
    });
  const notification = worded(news, { reader: await reader(), now: clock.now() });
  try {
    await withDeadline(clock, { ms: NOTIFY_LIMITS.sendMs, signal, timeoutError }, (both) =>
      target.send(notification, both),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    return error;
  }
}

/** Makes one change at a time, each based on the latest document; a change without effect writes nothing. */
function inTurn(store: Store): (make: (document: NewsDocument) => NewsDocument) => Promise<void> {
  const turns = new Turns();
  return (make) =>
    turns.run(async () => {
      const next = make(store.current);
      if (next !== store.current) await store.commit(next);
    });
}
