import type { Clock } from "../../kit/time/clock.ts";
import type { KnownService } from "../../model/channel-match.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import { multiplexKey, type Triplet } from "../../model/service.ts";
import { TUNE_LIMITS } from "./limits.ts";

interface OpenSession {
  readonly service: Triplet;
  readonly session: TunerSession;
  /** Whether a capture uses it; otherwise it waits for a next one. */
  isUsed: boolean;
  readonly over: AbortController;
}

/**
 * Keeps a tuner on its multiplex for a moment after its last use, so that a recording that follows at once finds it tuned. An idle
 * session blocks nothing: it ends before a conflicting service is opened.
 */
export function keepMultiplexOpen(driver: TunerDriver, clock: Clock): TunerDriver {
  const sessions = new Set<OpenSession>();

  const idle = () => [...sessions].filter(({ isUsed }) => !isUsed);

  async function end(one: OpenSession): Promise<void> {
    if (!sessions.delete(one)) return;
    one.over.abort();
    await one.session[Symbol.asyncDispose]();
  }

  async function release(one: OpenSession): Promise<void> {
    if (!one.isUsed) return;
    one.isUsed = false;
    void clock.sleep(TUNE_LIMITS.lingerMs, one.over.signal).then(
      () => end(one),
      () => {},
    );
  }

  /** Ends idle sessions that conflict with a new session of the service. */
  async function makeRoom(service: Triplet): Promise<void> {
    const multiplex = multiplexKey(service);
    const isFull = sessions.size >= driver.facts.servicesAtOnce(multiplex);
    const needless = idle().filter((one) => isFull || multiplexKey(one.service) !== multiplex);
    await Promise.all(needless.map(end));
  }

  function handedOut(one: OpenSession): TunerSession {
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
        await release(one);
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
      const one: OpenSession = { service, session, isUsed: true, over: new AbortController() };
      // The new session holds the multiplex by now.
      await Promise.all(idle().map(end));
      sessions.add(one);
      return handedOut(one);
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
      // Sessions in use belong to the captures that read from them.
      await Promise.all(idle().map(end));
      await driver[Symbol.asyncDispose]();
    },
  };
}
