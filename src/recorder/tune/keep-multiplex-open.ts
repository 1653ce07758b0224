import type { Clock } from "../../kit/time/clock.ts";
import type { KnownService } from "../../model/channel-match.ts";
import { LIMITS } from "../../model/limits.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import { multiplexKey, type Triplet } from "../../model/service.ts";

interface Kept {
  readonly service: Triplet;
  readonly session: TunerSession;
  /** Whether somebody uses it; otherwise it waits for one that follows. */
  isUsed: boolean;
  readonly over: AbortController;
}

/**
 * Keeps a tuner on its multiplex for a moment after its last use, so that a recording that follows at once finds it tuned. What
 * lingers is in nobody's way: it ends before anything else is opened that could not be beside it.
 */
export function keepMultiplexOpen(driver: TunerDriver, clock: Clock): TunerDriver {
  const kept = new Set<Kept>();

  const idle = () => [...kept].filter(({ isUsed }) => !isUsed);

  async function end(one: Kept): Promise<void> {
    if (!kept.delete(one)) return;
    one.over.abort();
    await one.session[Symbol.asyncDispose]();
  }

  async function letGo(one: Kept): Promise<void> {
    if (!one.isUsed) return;
    one.isUsed = false;
    void clock.sleep(LIMITS.lingerMs, one.over.signal).then(
      () => end(one),
      () => {},
    );
  }

  /** Ends what must not be there beside another session of that service. */
  async function makeRoom(service: Triplet): Promise<void> {
    const multiplex = multiplexKey(service);
    const isFull = kept.size >= driver.facts.servicesAtOnce(multiplex);
    const needless = idle().filter((one) => isFull || multiplexKey(one.service) !== multiplex);
    await Promise.all(needless.map(end));
  }

  function lent(one: Kept): TunerSession {
    let isOver = false;
    const { session } = one;
    return {
      source: session.source,
      ...(session.explain === undefined
        ? {}
        : { explain: async (asking) => await session.explain?.(asking) }),
      async [Symbol.asyncDispose]() {
        if (isOver) return;
        isOver = true;
        await letGo(one);
      },
    };
  }

  return {
    get facts() {
      return driver.facts;
    },
    async open(service, signal) {
      signal.throwIfAborted();
      await makeRoom(service);
      const session = await driver.open(service, signal);
      const one: Kept = { service, session, isUsed: true, over: new AbortController() };
      // The new one holds the multiplex by now.
      await Promise.all(idle().map(end));
      kept.add(one);
      return lent(one);
    },
    ...(driver.reception === undefined
      ? {}
      : { reception: async (service: Triplet, asking: AbortSignal) => driver.reception?.(service, asking) }),
    ...(driver.learn === undefined
      ? {}
      : {
          learn: async (heard: Triplet, services: readonly KnownService[]) =>
            (await driver.learn?.(heard, services)) ?? false,
        }),
    ...(driver.askAgain === undefined
      ? {}
      : {
          askAgain: async (signal: AbortSignal) =>
            (await driver.askAgain?.(signal))?.map((more) => keepMultiplexOpen(more, clock)),
        }),
    ...(driver.lookAgain === undefined
      ? {}
      : { lookAgain: async (signal: AbortSignal) => (await driver.lookAgain?.(signal)) ?? false }),
    ...(driver.answers === undefined
      ? {}
      : { answers: async (signal: AbortSignal) => (await driver.answers?.(signal)) ?? false }),
    ...(driver.example === undefined ? {} : { example: () => driver.example?.() }),
    async [Symbol.asyncDispose]() {
      // What is in use is left to the captures that read from it.
      await Promise.all(idle().map(end));
      await driver[Symbol.asyncDispose]();
    },
  };
}
