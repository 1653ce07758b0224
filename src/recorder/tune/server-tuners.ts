import type { KnownService } from "../../model/channel-match.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Source, TunerDriver } from "../../model/ports.ts";
import { parseTriplet, type Triplet, type TripletKey, tripletKey } from "../../model/service.ts";
import type { DurationMs } from "../../model/time.ts";
import type { Reception, TunerFacts } from "../../model/tuner.ts";
import { codeOf, type StreamAnswer, type TunerParts, type TunerServer } from "./server.ts";

/** What a server has, as it says itself. */
export interface Lineup {
  /** By which ids it knows its services, such as triplets. */
  readonly ids: Iterable<string>;
  readonly services: TunerFacts["services"];
  readonly sourceOf: (service: Triplet) => Source | undefined;
  /** One of the services, to try the server with. */
  readonly example?: Triplet | undefined;
  readonly offers?: readonly KnownService[];
  readonly unknown?: readonly Triplet[];
  /** How many multiplexes it can hold at once, where it says so. */
  readonly tuners?: number;
}

/** One of the server's own tuners, as it is now. */
export interface ServerInput extends Reception {
  /** Whether the service comes from this one. */
  readonly holds: (service: Triplet) => boolean;
}

/** Why a server gives no stream. */
export interface Refusal {
  readonly code: ErrorCode;
  /** Where the usual words for the code would be too little. */
  readonly text?: string;
}

/** What one kind of server adds to what all have in common. */
export interface ServerKind {
  readonly config: {
    readonly kind: string;
    /** Without it, as many as the server says. */
    readonly count?: number | undefined;
    readonly warmUpMs: DurationMs;
  };
  readonly server: Pick<TunerServer, "tunerId" | "failure" | "answers"> & AsyncDisposable;
  readonly servicesAtOnce: number;
  /** @throws RecorderdError TUNER_… */
  readonly lineup: (signal: AbortSignal) => Promise<Lineup>;
  /** Where the lineup does not know all that a source is asked for by: finds out the rest, now that it is wanted. @throws RecorderdError TUNER_… */
  readonly completed?: (source: Source, service: Triplet, signal: AbortSignal) => Promise<Source>;
  /** Only where it has a list beside its server: reads that again. @throws RecorderdError FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN */
  readonly readList?: () => Promise<void>;
  /** What of its lineup is another one once these services were received with `heard`; `undefined`: nothing. */
  readonly learn?: (
    heard: Triplet,
    services: readonly KnownService[],
  ) => Promise<Partial<Lineup> | undefined>;
  /** Asks for the stream and says why it is not given; `undefined` where it would be given now. */
  readonly whyNot: (source: Source, signal: AbortSignal, service: Triplet) => Promise<Refusal | undefined>;
  /** What its own tuners receive. @throws RecorderdError TUNER_… */
  readonly inputs: (signal: AbortSignal) => Promise<readonly ServerInput[]>;
}

/**
 * The tuners of one server. Its control interface is asked what it has, once now and again whenever one is opened; whether a
 * tuner is free is found out by the capture's own request, which is the first and only one for the stream unless its source must be completed.
 */
export async function serverTuners(of: ServerKind, { log }: TunerParts): Promise<readonly TunerDriver[]> {
  const { server, config } = of;
  const { kind, warmUpMs } = config;
  let lineup: Lineup | undefined;
  const refresh = async (signal: AbortSignal) => {
    lineup = await of.lineup(signal);
    return lineup;
  };
  /** What the facts said when they were looked at last: a tuner that is opened meanwhile refreshes the lineup too. */
  let seen: string | undefined;
  const lookAgain = async (signal: AbortSignal) => {
    // A server that has not answered yet is asked elsewhere until it does.
    if (lineup === undefined) return false;
    await of.readList?.();
    const now = contentOf(await refresh(signal));
    const isNews = now !== seen;
    seen = now;
    return isNews;
  };
  let asking: Promise<readonly ServerInput[]> | undefined;
  /** Asked for several tuners at once it is asked once. */
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
    log.warn("a tuner's server does not say what it has, and is asked again until it does", about);
    const askAgain = async (signal: AbortSignal) => {
      try {
        seen = contentOf(await refresh(signal));
      } catch (failure) {
        if (failure instanceof RecorderdError || signal.aborted) return undefined;
        throw failure;
      }
      // Those that the configuration counts are there already.
      return others(count);
    };
    return [tuner(server.tunerId, askAgain), ...others(1)];
  }
}

/** Two lineups with the same services have the same. */
function contentOf({ ids, offers }: Lineup): string {
  return JSON.stringify([[...ids], offers]);
}

async function explained(
  { server, whyNot }: ServerKind,
  { source, service }: { readonly source: Source; readonly service: Triplet },
  signal: AbortSignal,
): Promise<RecorderdError | undefined> {
  const refusal = await whyNot(source, signal, service).catch((error: unknown) => {
    // A server that is gone while it is asked.
    if (error instanceof RecorderdError) return error;
    throw error;
  });
  if (refusal instanceof RecorderdError) return refusal;
  if (refusal === undefined) return undefined;
  const { code, text = serverWords(code) } = refusal;
  return server.failure(code, text);
}

/** Why a server gives no stream. */
export function serverWords(code: ErrorCode): string {
  return WORDS[code] ?? "its server gives no stream";
}

const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  TUNER_BUSY: "its server has no tuner free",
  TUNER_NO_LOCK: "its server receives nothing there",
  TUNER_SERVICE_UNKNOWN: "its server does not have the service any more",
  TUNER_CREDENTIALS_WRONG: "its server does not know this user or password: recorderd tuners login",
  TUNER_FORBIDDEN: "its server does not allow this user to watch it: give the user the right there",
  TUNER_UNREACHABLE: "its server cannot be reached",
};

/** What most servers mean: a status, a stream that flows, or nothing, which is no reception. */
export function usualMeaning(answer: StreamAnswer): Refusal | undefined {
  switch (answer.kind) {
    case "refused":
      return { code: codeOf(answer.status) };
    case "flows":
      return answer.begin.length === 0 ? { code: "TUNER_NO_LOCK" } : undefined;
    case "no answer":
      return { code: "TUNER_NO_LOCK" };
    case "unreachable":
      return { code: "TUNER_UNREACHABLE" };
  }
}

/** Figures without those that are not there. */
export function told(
  figures: {
    readonly [Name in keyof Reception]: Reception[Name] | undefined;
  },
): Reception {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
}

/** The first service of a lineup, by its key. */
export function firstOf(sources: ReadonlyMap<TripletKey, unknown>): Triplet | undefined {
  const [key] = sources.keys();
  return key === undefined ? undefined : parseTriplet(key);
}

/** Services that a server names by two of the three ids only, and their sources; a pair that it has twice names none. */
export function byPair<T>(
  entries: readonly T[],
  pairOf: (entry: T) => string,
): { readonly found: ReadonlyMap<string, T>; readonly ambiguous: readonly string[] } {
  const found = new Map<string, T>();
  const twice = new Set<string>();
  for (const entry of entries) {
    const pair = pairOf(entry);
    if (found.has(pair)) twice.add(pair);
    found.set(pair, entry);
  }
  for (const pair of twice) found.delete(pair);
  return { found, ambiguous: [...twice] };
}
