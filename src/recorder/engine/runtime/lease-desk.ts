import { anyAbort, type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { LeaseId, Use } from "../../../model/lease.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Source, TunerDriver, TunerSession } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { Command, Occurrence } from "../core/occurrence.ts";
import type { Question } from "../core/reply.ts";
import { stoppingError } from "./not-ready.ts";
import type { TunerReleases } from "./tuner-releases.ts";

export interface LeaseOrder {
  readonly use: Use;
  readonly service: Triplet;
  /** Absent: any capable tuner. */
  readonly tunerId?: TunerId;
  /** The lease ends by itself after this time. */
  readonly forMs: DurationMs;
}

/** A tuner that delivers one service, until its holder disposes of it. */
export interface HeldLease extends AsyncDisposable {
  readonly tunerId: TunerId;
  readonly source: Source;
  readonly explain?: TunerSession["explain"];
  /**
   * Aborted when a recording or a more important use takes the tuner, or its time is over: the holder stops reading
   * then and disposes of it.
   */
  readonly ended: AbortSignal;
}

/** Grants tuners for uses other than recordings: a viewer, a probe, EPG gathering. */
export interface LeaseDesk {
  /** @throws RecorderdError TUNER_BUSY, TUNER_NONE_CAPABLE, or a failure of the driver */
  take(order: LeaseOrder, signal: AbortSignal): Promise<HeldLease>;
}

/** Carries out the engine's lease commands. */
export interface LeaseActs {
  readonly desk: LeaseDesk;
  grant(command: Extract<Command, { readonly kind: "lease" }>): void;
  evict(leaseId: LeaseId): void;
  /** Probes a dead tuner; the result is an occurrence. */
  probe(command: Extract<Command, { readonly kind: "probe" }>): Promise<void>;
}

interface DeskParts {
  readonly driver: (tunerId: TunerId) => TunerDriver | undefined;
  readonly post: (occurrence: Occurrence) => Promise<void>;
  readonly ask: (question: Question<"lease-asked">) => Promise<TunerId>;
  readonly releases: TunerReleases;
  readonly clock: Clock;
}

/** The signal ends with the daemon's run. */
export function createLeaseActs(
  { driver, post, ask, releases, clock }: DeskParts,
  signal: AbortSignal,
): LeaseActs {
  /** Leases with a waiting caller. */
  const asked = new Set<LeaseId>();
  const open = new Map<LeaseId, Opened>();
  let count = 0;

  async function take(order: LeaseOrder, wanted: AbortSignal): Promise<HeldLease> {
    count += 1;
    const { forMs, ...about } = order;
    const leaseId = `${order.use} ${count}`;
    const tunerId = await granted({ kind: "lease-asked", leaseId, ...about, until: clock.now() + forMs });
    const opened = open.get(leaseId) ?? openedFor(leaseId, tunerId);
    try {
      using over = anyAbort([wanted, opened.ended]);
      const session = await tune({ tunerId, service: order.service }, over.signal);
      return heldBy({ leaseId, opened, session });
    } catch (error) {
      await leave(leaseId, opened);
      if (signal.aborted) throw stoppingError();
      throw opened.ended.aborted ? opened.ended.reason : error;
    }
  }

  /** Asks the engine for a tuner. A lease that is granted too late, or is gone again, is returned. */
  async function granted(question: Question<"lease-asked">): Promise<TunerId> {
    const { leaseId } = question;
    asked.add(leaseId);
    try {
      return await ask(question);
    } catch (error) {
      const opened = open.get(leaseId);
      if (opened !== undefined) await leave(leaseId, opened);
      throw error;
    } finally {
      asked.delete(leaseId);
    }
  }

  async function tune(
    { tunerId, service }: { readonly tunerId: TunerId; readonly service: Triplet },
    wanted: AbortSignal,
  ): Promise<TunerSession> {
    const found = driver(tunerId);
    const failure = (code: ErrorCode, text: string) => new RecorderdError(code, text, { tunerId });
    if (found === undefined) throw failure("TUNER_UNREACHABLE", `There is no tuner ${tunerId}.`);
    await releases.wait(tunerId);
    const timeoutError = () => failure("TUNER_NO_LOCK", `Tuner ${tunerId} did not deliver a stream in time.`);
    using over = anyAbort([signal, wanted]);
    return await withDeadline(clock, { ms: MODEL_LIMITS.tuneMs, signal: over.signal, timeoutError }, (both) =>
      found.open(service, both),
    );
  }

  function openedFor(leaseId: LeaseId, tunerId: TunerId): Opened {
    const opened = new Opened(tunerId);
    open.set(leaseId, opened);
    return opened;
  }

  function heldBy({
    leaseId,
    opened,
    session,
  }: {
    readonly leaseId: LeaseId;
    readonly opened: Opened;
    readonly session: TunerSession;
  }): HeldLease {
    let isOver = false;
    return {
      tunerId: opened.tunerId,
      source: session.source,
      ...(session.explain === undefined ? {} : { explain: (asking) => session.explain?.(asking) ?? none() }),
      ended: opened.ended,
      async [Symbol.asyncDispose]() {
        if (isOver) return;
        isOver = true;
        await session[Symbol.asyncDispose]();
        await leave(leaseId, opened);
      },
    };
  }

  async function leave(leaseId: LeaseId, opened: Opened): Promise<void> {
    opened.left();
    open.delete(leaseId);
    if (!signal.aborted) await post({ kind: "lease-ended", leaseId });
  }

  function evict(leaseId: LeaseId): void {
    const opened = open.get(leaseId);
    if (opened === undefined) return;
    const { tunerId } = opened;
    releases.expect(opened.gone, tunerId);
    opened.end(new RecorderdError("TUNER_BUSY", `Tuner ${tunerId} is needed for a recording.`, { tunerId }));
  }

  async function probe({
    leaseId,
    tunerId,
    service,
  }: Extract<Command, { readonly kind: "probe" }>): Promise<void> {
    const opened = openedFor(leaseId, tunerId);
    let code: ErrorCode | undefined;
    try {
      const session = await tune({ tunerId, service }, opened.ended);
      try {
        using over = anyAbort([signal, opened.ended]);
        code = (await session.explain?.(over.signal))?.code;
      } finally {
        await session[Symbol.asyncDispose]();
      }
    } catch (error) {
      if (!signal.aborted && !opened.ended.aborted && !(error instanceof RecorderdError)) throw error;
      if (error instanceof RecorderdError) code = error.code;
    }
    opened.left();
    open.delete(leaseId);
    // An aborted probe gives no result.
    if (!signal.aborted && !opened.ended.aborted)
      await post({ kind: "probed", leaseId, tunerId, ...(code === undefined ? {} : { code }) });
  }

  return {
    desk: { take },
    grant: ({ leaseId, tunerId }) => {
      // At once: the very next command may evict it.
      if (asked.has(leaseId)) openedFor(leaseId, tunerId);
      // The caller has given up.
      else void post({ kind: "lease-ended", leaseId });
    },
    evict,
    probe,
  };
}

async function none(): Promise<undefined> {
  return undefined;
}

class Opened {
  readonly tunerId: TunerId;
  readonly gone: Promise<void>;
  readonly #over = new AbortController();
  #gone: () => void = () => {};

  constructor(tunerId: TunerId) {
    this.tunerId = tunerId;
    this.gone = new Promise((resolve) => {
      this.#gone = resolve;
    });
  }

  get ended(): AbortSignal {
    return this.#over.signal;
  }

  end(why: RecorderdError): void {
    this.#over.abort(why);
  }

  left(): void {
    this.#gone();
  }
}
