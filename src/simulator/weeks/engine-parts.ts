import { silentLog } from "../../kit/log.ts";
import type { AttemptNotes } from "../../model/attempt.ts";
import type { GuideAccount, Orders } from "../../model/ports.ts";
import type { Closing } from "../../recorder/engine/runtime/closing-acts.ts";
import type { EngineRuntimeParts } from "../../recorder/engine/runtime/engine-runtime.ts";
import { englishReader } from "../../words/english.ts";
import { ABSENCE, EVERY_FIVE_MINUTES } from "./setting.ts";

/** Wraps a call that leaves the daemon: the daemon may be gone before the answer. */
type Port = <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) => (...args: A) => Promise<T>;

/** The parts that are the same for every simulated engine. */
export const SAME_PARTS = {
  channels: () => [],
  reader: async () => englishReader("UTC"),
  segmentFile: (attempt) => `/recordings/${attempt}`,
  schedule: EVERY_FIVE_MINUTES,
  absence: ABSENCE,
  refreshSignIn: async () => false,
  log: silentLog,
} as const satisfies Partial<EngineRuntimeParts>;

/** The guide service and the finished files, each call through a port. */
export function outerParts(
  port: Port,
  {
    account,
    orders,
    shelf,
  }: {
    readonly account: GuideAccount;
    readonly orders: Orders;
    readonly shelf: Closing & { readonly notes: AttemptNotes };
  },
): Pick<EngineRuntimeParts, "account" | "orders" | "closing" | "notes"> {
  return {
    account: {
      timers: port((ending) => account.timers(ending)),
      channels: port((ending) => account.channels(ending)),
      programmes: port((order, ending) => account.programmes(order, ending)),
      airings: port((order, ending) => account.airings(order, ending)),
      tell: port((timerId, told, ending) => account.tell(timerId, told, ending)),
      remove: port((timerId, ending) => account.remove(timerId, ending)),
    },
    orders: {
      book: port((order, ending) => orders.book(order, ending)),
      cancel: port((timerId, ending) => orders.cancel(timerId, ending)),
    },
    notes: {
      keep: port((id, note) => shelf.notes.keep(id, note)),
      all: port(() => shelf.notes.all()),
    },
    closing: {
      trust: (...asked) => shelf.trust(...asked),
      inspect: port((recording, ending) => shelf.inspect(recording, ending)),
      publish: port((recording, ending) => shelf.publish(recording, ending)),
      annotate: port((recording, ending) => shelf.annotate(recording, ending)),
    },
  };
}
