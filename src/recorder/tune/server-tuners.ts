import type { Log } from "../../kit/log.ts";
import type { KnownService } from "../../model/channel-match.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Source, TunerDriver } from "../../model/ports.ts";
import { parseTriplet, type Triplet, type TripletKey, tripletKey } from "../../model/service.ts";
import type { DurationMs } from "../../model/time.ts";
import type { Reception, TunerFacts } from "../../model/tuner.ts";
import { codeOf, type StreamAnswer, type TunerParts, type TunerServer } from "./server.ts";

export interface Lineup {
  /** The ids by which the server knows its services, such as triplets. */
  readonly ids: Iterable<string>;
  readonly services: TunerFacts["services"];
  readonly sourceOf: (service: Triplet) => Source | undefined;
  /** A service for testing the server. */
  readonly example?: Triplet | undefined;
  readonly offers?: readonly KnownService[];
  readonly unknown?: readonly Triplet[];
  /** The number of multiplexes it can receive at once, if it reports one. */
  readonly tuners?: number;
}

/** The present state of one of the server's own tuners. */
export interface ServerInput extends Reception {
  /** Whether this input delivers the service. */
  readonly holds: (service: Triplet) => boolean;
}

/** The reason why a server sends no stream. */
export interface Refusal {
  readonly code: ErrorCode;
  /** Set if the usual text for the code is not enough. */
  readonly text?: string;
}

/** The specific parts of one kind of server. */
export interface ServerKind {
  readonly config: {
    readonly kind: string;
    /** By default the number that the server reports. */
    readonly count?: number | undefined;
    readonly warmUpMs: DurationMs;
  };
  readonly server: Pick<TunerServer, "tunerId" | "failure" | "answers"> & AsyncDisposable;
  readonly servicesAtOnce: number;
  /** @throws RecorderdError TUNER_… */
  readonly lineup: (signal: AbortSignal) => Promise<Lineup>;
  /** Completes a source just before use, if the lineup lacks a part of it. @throws RecorderdError TUNER_… */
  readonly completed?: (source: Source, service: Triplet, signal: AbortSignal) => Promise<Source>;
  /** Reads the channel list again; only for kinds with one. @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN */
  readonly readList?: () => Promise<void>;
  /** The changed parts of the lineup after these services were received together with `heard`; `undefined` if there are none. */
  readonly learn?: (
    heard: Triplet,
    services: readonly KnownService[],
  ) => Promise<Partial<Lineup> | undefined>;
  /** Requests the stream and explains a refusal; `undefined` if the server would send it now. */
  readonly whyNot: (source: Source, signal: AbortSignal, service: Triplet) => Promise<Refusal | undefined>;
  /** The state of the server's own tuners. @throws RecorderdError TUNER_… */
  readonly inputs: (signal: AbortSignal) => Promise<readonly ServerInput[]>;
}

/**
 * The tuners of one server. It is asked for its services at the start, and whenever one is opened. The capture's own request shows
 * whether a tuner is free; it is the only request for the stream unless its source must be completed.
 */
export async function serverTuners(of: ServerKind, { log }: TunerParts): Promise<readonly TunerDriver[]> {
  const { server, config } = of;
  const { kind, warmUpMs } = config;
  let lineup: Lineup | undefined;
  const refresh = async (signal: AbortSignal) => {
    lineup = await of.lineup(signal);
    return lineup;
  };
  /** The content at the last `lookAgain`; opening a tuner refreshes the lineup too. */
  let seen: string | undefined;
  const lookAgain = async (signal: AbortSignal) => {
    // A server without a first answer is handled by `askAgain`.
    if (lineup === undefined) return false;
    await of.readList?.();
    const now = contentOf(await refresh(signal));
    const isNews = now !== seen;
    seen = now;
    return isNews;
  };
  let asking: Promise<readonly ServerInput[]> | undefined;
  /** Concurrent calls for several tuners share one request. */
  const inputs = (signal: AbortSignal) => {
    asking ??= of.inputs(signal).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const learn = async (heard: Triplet, services: readonly KnownService[]) => {
    const news = await of.learn?.(heard, services);
    if (news === undefined || lineup === undefined) return false;
    lineup = { ...lineup, ...news };
    seen = contentOf(lineup);
    return true;
  };
  const tuner = (id: string, askAgain?: TunerDriver["askAgain"]): TunerDriver => ({
    get facts() {
      return {
        id,
        kind,
        warmUpMs,
        services: lineup?.services ?? "any",
        ...(lineup?.offers === undefined ? {} : { offers: lineup.offers }),
        ...(lineup?.unknown === undefined ? {} : { unknown: lineup.unknown }),
        servicesAtOnce: () => of.servicesAtOnce,
      };
    },
    async open(service, signal) {
      signal.throwIfAborted();
      const listed = (await refresh(signal)).sourceOf(service);
      if (listed === undefined) {
        throw server.failure("TUNER_SERVICE_UNKNOWN", `its server has no service ${tripletKey(service)}`);
      }
      const source = (await of.completed?.(listed, service, signal)) ?? listed;
      return {
        source,
        explain: (asked) => explained(of, { source, service }, asked),
        async [Symbol.asyncDispose]() {},
      };
    },
    async reception(service, signal) {
      const input = (await inputs(signal)).find(({ holds }) => holds(service));
      if (input === undefined) return undefined;
      const { holds: _holds, ...reception } = input;
      return reception;
    },
    ...(of.learn === undefined ? {} : { learn }),
    ...(id === server.tunerId ? { lookAgain } : {}),
    ...(askAgain === undefined ? {} : { askAgain }),
    answers: (signal) => server.answers(signal),
    example: () => lineup?.example,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
  const others = (from: number) => {
    const count = config.count ?? lineup?.tuners ?? 1;
    return Array.from({ length: Math.max(0, count - from) }, (_, at) =>
      tuner(`${server.tunerId}#${from + at + 1}`),
    );
  };
  try {
    seen = contentOf(await refresh(new AbortController().signal));
    return [tuner(server.tunerId), ...others(1)];
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const { code, message: text } = error;
    const count = config.count ?? 1;
    const about = { tunerId: server.tunerId, code, text, count };
    log.warn("a tuner's server does not report its services; recorderd keeps asking", about);
    const askAgain = async (signal: AbortSignal) => {
      try {
        seen = contentOf(await refresh(signal));
      } catch (failure) {
        if (failure instanceof RecorderdError || signal.aborted) return undefined;
        throw failure;
      }
      // The configured tuners exist already.
      return others(count);
    };
    return [tuner(server.tunerId, askAgain), ...others(1)];
  }
}

/** Equal for lineups with the same services. */
function contentOf({ ids, offers }: Lineup): string {
  return JSON.stringify([[...ids], offers]);
}

async function explained(
  { server, whyNot }: ServerKind,
  { source, service }: { readonly source: Source; readonly service: Triplet },
  signal: AbortSignal,
): Promise<RecorderdError | undefined> {
  const refusal = await whyNot(source, signal, service).catch((error: unknown) => {
    // The server may disappear during the request.
    if (error instanceof RecorderdError) return error;
    throw error;
  });
  if (refusal instanceof RecorderdError) return refusal;
  if (refusal === undefined) return undefined;
  const { code, text = serverWords(code) } = refusal;
  return server.failure(code, text);
}

/** The text for a refusal. */
export function serverWords(code: ErrorCode): string {
  return WORDS[code] ?? "its server sends no stream";
}

const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  TUNER_IN_USE: "its server has no free tuner",
  TUNER_NO_LOCK: "its server receives no signal there",
  TUNER_SERVICE_UNKNOWN: "its server no longer has the service",
  TUNER_CREDENTIALS_WRONG:
    "its server rejects the user or password: correct them with recorderd tuners login",
  TUNER_FORBIDDEN: "its server does not allow this user to watch it: give the user that right on the server",
  TUNER_UNREACHABLE: "its server cannot be reached",
};

/** A server that answers can be reached, and other streams of it may be fine. */
function refusalBy(status: number): Refusal {
  const code = codeOf(status);
  if (code !== "TUNER_UNREACHABLE") return { code };
  return { code: "STREAM_NO_DATA", text: `its server answers ${status} to the request for the stream` };
}

/** The usual meaning of an answer: an error status, a running stream, or silence, which means no reception. */
export function usualMeaning(answer: StreamAnswer): Refusal | undefined {
  switch (answer.kind) {
    case "refused":
      return refusalBy(answer.status);
    case "flows":
      return answer.begin.length === 0 ? { code: "TUNER_NO_LOCK" } : undefined;
    case "no answer":
      return { code: "TUNER_NO_LOCK" };
    case "unreachable":
      return { code: "TUNER_UNREACHABLE" };
  }
}

/** The first service of a lineup, from its key. */
export function firstOf(sources: ReadonlyMap<TripletKey, unknown>): Triplet | undefined {
  const [key] = sources.keys();
  return key === undefined ? undefined : parseTriplet(key);
}

/** Indexes services that a server identifies by only two of the three ids; a pair that occurs twice is logged and left out. */
export function byPair<T>(
  entries: readonly T[],
  pairOf: (entry: T) => string,
  { tunerId, log }: { readonly tunerId: string; readonly log: Log },
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const twice = new Set<string>();
  for (const entry of entries) {
    const pair = pairOf(entry);
    if (found.has(pair)) twice.add(pair);
    found.set(pair, entry);
  }
  for (const pair of twice) found.delete(pair);
  if (twice.size > 0)
    log.warn("several services of a tuner have the same ids; none of them is used", {
      tunerId,
      ids: [...twice].join(", "),
    });
  return found;
}
