import { createHash } from "node:crypto";
import type { Clock } from "../../kit/time/clock.ts";
import { Turns } from "../../kit/time/turns.ts";
import type { KnownService } from "../../model/channel-match.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import { isUnknownMultiplex, type Triplet, tripletKey } from "../../model/service.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import type { Reception, TunerFacts } from "../../model/tuner.ts";
import { groupOf } from "./device-group.ts";
import type { Dvblast } from "./dvblast.ts";
import type { DvblastLogState } from "./dvblast-log.ts";
import type { TUNE_LIMITS } from "./limits.ts";
import type { LoopbackGroups } from "./loopback-group.ts";
import type { Places } from "./places.ts";

/** Interval for reading dvblast's log. */
const LOOK_MS = 50;
/** The guard passes a signal on within 2 s. */
const TELL_AGAIN_MS: DurationMs = 3 * SECOND;
/** An SDT comes at least every two seconds (TR 101 211 §4.4); ATSC has none. */
const SDT_MS = 3 * SECOND;

interface CardConfig {
  readonly kind: string;
  readonly id: string;
  readonly adapter: number;
  readonly frontend: number;
  readonly stream?: string | undefined;
  readonly warmUpMs: DurationMs;
}

interface Parts {
  readonly config: CardConfig;
  /** dvblast's tuning arguments for each service. */
  readonly places: Places<readonly string[]>;
  /** Reads the list again. */
  readonly readPlaces: () => Promise<Places<readonly string[]>>;
  readonly groups: LoopbackGroups;
  readonly blast: Dvblast;
  readonly clock: Clock;
  readonly limits: Pick<Readonly<Record<keyof typeof TUNE_LIMITS, number>>, "lockMs" | "tablesMs">;
}

interface HandOutRequest {
  readonly session: symbol;
  readonly service: Triplet;
  readonly input: readonly string[];
  readonly signal: AbortSignal;
}

/** A card, or a stream of a whole multiplex, tuned by dvblast. */
export class DvbTuner implements TunerDriver {
  readonly #parts: Parts;
  #places: Places<readonly string[]>;
  /** Services handed out per session of this run. Captures of earlier runs show up as readers. */
  readonly #sessions = new Map<symbol, number>();
  /** Serializes changes to the dvblast process. */
  readonly #turns = new Turns();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#places = parts.places;
  }

  get facts(): TunerFacts {
    const { id, kind, warmUpMs } = this.#parts.config;
    const servicesAtOnce = () => Number.POSITIVE_INFINITY;
    return { id, kind, warmUpMs, services: this.#places.services, ...this.#places.facts, servicesAtOnce };
  }

  learn(heard: Triplet, services: readonly KnownService[]): Promise<boolean> {
    return this.#places.learn(heard, services);
  }

  async lookAgain(): Promise<boolean> {
    const before = this.#places;
    this.#places = await this.#parts.readPlaces();
    return !this.#places.isSameAs(before);
  }

  async open(service: Triplet, signal: AbortSignal): Promise<TunerSession> {
    signal.throwIfAborted();
    const input = this.#places.services.get(tripletKey(service));
    if (input === undefined) {
      throw this.#failure(
        "TUNER_SERVICE_UNKNOWN",
        `the channel list has no service ${tripletKey(service)} that this tuner can receive`,
      );
    }
    return this.#turns.run(() => this.#open(service, input, signal));
  }

  /** dvblast reports lock, but no signal values. */
  async reception(): Promise<Reception | undefined> {
    const { config, blast } = this.#parts;
    const { locked } = await blast.logState();
    if (locked === undefined) return undefined;
    const input = config.stream ?? `adapter${config.adapter}/frontend${config.frontend}`;
    return { input, isLocked: locked };
  }

  /** Recordings continue: the process belongs to its readers. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async #open(service: Triplet, input: readonly string[], signal: AbortSignal): Promise<TunerSession> {
    const { blast, groups } = this.#parts;
    const tunedTo = createHash("sha256").update(input.join(" ")).digest("hex").slice(0, 16);
    signal.throwIfAborted();
    const session = Symbol();
    try {
      const request = { session, service, input, signal };
      // An unused process may end at this moment; one retry then starts a new one.
      const isOut = (await this.#handOutOn(tunedTo, request)) || (await this.#handOutOn(tunedTo, request));
      if (!isOut) throw this.#ended(await blast.logState());
      return {
        source: { url: groups.url(service.sid), programme: "single" },
        explain: () => this.#explain(),
        [Symbol.asyncDispose]: () => this.#turns.run(() => this.#close(session)),
      };
    } catch (error) {
      this.#sessions.delete(session);
      if (!(await this.#isUsed())) await blast.stop();
      throw error instanceof Error && "syscall" in error ? this.#notRun(error) : error;
    }
  }

  /** Waits until a process tuned there hands the service out; false if it ended meanwhile. */
  async #handOutOn(tunedTo: string, { session, service, input, signal }: HandOutRequest): Promise<boolean> {
    const { blast, clock } = this.#parts;
    await this.#tune(tunedTo, input);
    if (!(await this.#receive(service, signal))) return false;
    this.#sessions.set(session, service.sid);
    const { reloads } = await blast.logState();
    let toldAtMs = Number.NEGATIVE_INFINITY;
    while ((await blast.logState()).reloads === reloads) {
      if ((await blast.running()) === undefined) return false;
      const nowMs = clock.monotonicMs();
      // A signal may be lost on its way through the guard.
      if (nowMs - toldAtMs >= TELL_AGAIN_MS) {
        toldAtMs = nowMs;
        await this.#handOut();
      }
      await clock.sleep(LOOK_MS, signal);
    }
    return true;
  }

  /** Uses a healthy process tuned there, or starts one. */
  async #tune(tunedTo: string, input: readonly string[]): Promise<void> {
    const { blast } = this.#parts;
    const running = await blast.running();
    if (running !== undefined && running !== tunedTo && (await this.#isUsed())) {
      throw this.#failure("TUNER_BUSY", "it receives another multiplex, which is still being recorded");
    }
    // Readers of a process that lost its device or lock receive nothing.
    const { failure, locked } = await blast.logState();
    if (running === tunedTo && failure === undefined && locked !== false) return;
    await blast.stop();
    await blast.start(tunedTo, input);
  }

  /** Waits for lock, tables and the service in them; false if the process ended without a reason. */
  async #receive(service: Triplet, signal: AbortSignal): Promise<boolean> {
    const { blast, clock, config, limits } = this.#parts;
    const beganAtMs = clock.monotonicMs();
    let lockedAtMs: number | undefined;
    for (;;) {
      const said = await blast.logState();
      const nowMs = clock.monotonicMs();
      if (said.failure !== undefined) throw await this.#broken(said.failure);
      if (said.locked === true || said.pat !== undefined) lockedAtMs ??= nowMs;
      const sinceLockMs = nowMs - (lockedAtMs ?? nowMs);
      if (said.pat !== undefined && (said.sdt !== undefined || sinceLockMs >= SDT_MS)) {
        this.#check(service, said);
        return true;
      }
      if (lockedAtMs === undefined && nowMs - beganAtMs >= limits.lockMs) {
        const what =
          config.stream === undefined ? "no lock: no signal is received there" : "no data arrives there";
        throw this.#failure("TUNER_NO_LOCK", what);
      }
      if (sinceLockMs >= limits.tablesMs)
        throw this.#failure("TUNER_NO_LOCK", "locked, but no tables are received");
      if ((await blast.running()) === undefined) {
        const { failure } = await blast.logState();
        if (failure !== undefined) throw await this.#broken(failure);
        return false;
      }
      await clock.sleep(LOOK_MS, signal);
    }
  }

  /** Rejects another service in the place of the requested one: the channel list may be outdated. */
  #check(service: Triplet, { pat, sdt }: DvblastLogState): void {
    if (isUnknownMultiplex(service)) return;
    const { onid, tsid, sid } = service;
    const isThere = sdt === undefined ? pat?.tsid === tsid : sdt.onid === onid && sdt.tsid === tsid;
    if (!isThere) {
      const found = sdt === undefined ? `transport stream ${pat?.tsid}` : `${sdt.onid}/${sdt.tsid}`;
      const text = `${found} is received there instead of ${onid}/${tsid}: the channel list is outdated, scan again`;
      throw this.#failure("TUNER_SERVICE_UNKNOWN", text);
    }
    if (pat?.sids.has(sid) !== true) {
      throw this.#failure("TUNER_SERVICE_UNKNOWN", `multiplex ${onid}/${tsid} has no service ${sid}`);
    }
  }

  /** Explains a failure since the session was opened. */
  async #explain(): Promise<RecorderdError | undefined> {
    const { blast } = this.#parts;
    const said = await blast.logState();
    if (said.failure !== undefined) return this.#broken(said.failure);
    if ((await blast.running()) === undefined) return this.#ended(said);
    return said.locked === false ? this.#failure("TUNER_NO_LOCK", "the lock was lost") : undefined;
  }

  async #handOut(): Promise<void> {
    const { blast, groups } = this.#parts;
    await blast.handOut(new Set([...this.#sessions.values(), ...(await groups.readers())]));
  }

  async #isUsed(): Promise<boolean> {
    return this.#sessions.size > 0 || (await this.#parts.groups.readers()).size > 0;
  }

  /** The process stays for a while, because the next recording may use the same multiplex. */
  async #close(session: symbol): Promise<void> {
    if (!this.#sessions.delete(session)) return;
    // On a full disk this fails; the service is then sent until the process ends.
    await this.#handOut().catch(() => {});
  }

  async #broken({ code, text }: NonNullable<DvblastLogState["failure"]>): Promise<RecorderdError> {
    if (code !== "TUNER_FORBIDDEN") return this.#failure(code, text);
    const { adapter, frontend } = this.#parts.config;
    const device = `/dev/dvb/adapter${adapter}/frontend${frontend}`;
    const group = await groupOf(device);
    const remedy = `add the recorder's user to group ${group}, and let its unit use the device (DeviceAllow=char-DVB)`;
    return this.#failure(code, `${device} cannot be opened: ${remedy}`);
  }

  #ended({ failure }: DvblastLogState): RecorderdError {
    if (failure !== undefined) return this.#failure(failure.code, failure.text);
    return this.#failure("TUNER_UNREACHABLE", "its process (dvblast) has ended");
  }

  #notRun(error: Error): RecorderdError {
    const what = `its process cannot be run (${"code" in error ? error.code : error.message})`;
    return this.#failure("TUNER_UNREACHABLE", what, error);
  }

  #failure(code: ErrorCode, what: string, cause?: unknown): RecorderdError {
    const { id } = this.#parts.config;
    return new RecorderdError(code, `Tuner ${id}: ${what}.`, { tunerId: id }, { cause });
  }
}
