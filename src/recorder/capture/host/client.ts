import { connect } from "node:net";
import type { Log } from "../../../kit/log.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { CaptureOrder } from "../../../model/ports.ts";
import { MINUTE } from "../../../model/time.ts";
import type { CaptureEngine, CaptureLimits } from "../engine.ts";
import { HostProgram, type HostProgramParts, LOOK_MS } from "./host-program.ts";
import { HOST_LIMITS } from "./limits.ts";
import { type Answer, HostLink } from "./link.ts";
import { hostFolder, hostSocket } from "./place.ts";
import { type CopyOrder, PROTOCOL } from "./protocol.ts";
import { HostTrust } from "./trust.ts";

export interface HostEngineParts extends Omit<HostProgramParts, "endMs"> {
  readonly log: Log;
  readonly limits: CaptureLimits;
  readonly onEnded: (id: string) => void;
}

/** Captures with the capture host, which it starts when there is work, or soon will be. */
export class HostEngine implements CaptureEngine {
  readonly #parts: HostEngineParts;
  readonly #program: HostProgram;
  readonly #trust = new HostTrust();
  /** Source addresses of the captures started since the daemon started. */
  readonly #urls = new Map<string, string>();
  #link: HostLink | undefined;
  /** Searches, starts and ends: two starts at once would start two hosts. */
  readonly #turns = new Turns();

  constructor(parts: HostEngineParts) {
    this.#parts = parts;
    this.#program = new HostProgram({ ...parts, endMs: parts.limits.hostAnswerMs });
  }

  /** Whether the host takes a capture that ffmpeg could take too; starts a host if none runs. @param url of its source */
  async isUsable(url: string): Promise<boolean> {
    const { clock, log } = this.#parts;
    if (!this.#trust.isGiven(url, clock.monotonicMs())) return false;
    try {
      await this.#readyHost();
      return true;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      log.warn("the capture host cannot be used: ffmpeg is used for a while", { text });
      return false;
    }
  }

  /** Resolves when a host listens. @throws RecorderdError CAPTURE_NOT_STARTED */
  async makeReady(): Promise<void> {
    (await this.#readyHost()).alert();
  }

  /** Ends an idle host. */
  async dismiss(): Promise<void> {
    const host = await this.#runningHost();
    if (host === undefined || host.running.size > 0) return;
    host.leave();
    await this.#turns.run(() => this.#program.end("SIGINT"));
  }

  async start(order: CaptureOrder): Promise<void> {
    const host = await this.#readyHost();
    this.#urls.set(order.id, order.source.url);
    const answer = await host.ask({ type: "start", order: this.#copyOrder(order) });
    if (answer?.type !== "done") this.#urls.delete(order.id);
    if (answer === undefined) {
      throw new RecorderdError("CAPTURE_NOT_STARTED", "The capture host ended before it answered.", {});
    }
    if (answer.type === "failed") throw systemFailure(answer);
  }

  async ids(): Promise<ReadonlySet<string>> {
    return new Set((await this.#runningHost())?.running);
  }

  async isRunning(id: string): Promise<boolean> {
    const host = this.#link?.isOpen === true ? this.#link : await this.#runningHost();
    return host?.running.has(id) === true;
  }

  async end(id: string): Promise<void> {
    const host = await this.#runningHost();
    if (host === undefined || !host.running.has(id)) return;
    const answer = await host.ask({ type: "stop", id });
    if (answer !== undefined || !host.isOpen) return;
    await this.#turns.run(() => this.#killSilent());
  }

  /** The connection to the running host; `undefined` if none runs. */
  #runningHost(): Promise<HostLink | undefined> {
    return this.#turns.run(() => this.#find());
  }

  /** The connection to a host that takes captures; starts one if needed. @throws RecorderdError CAPTURE_NOT_STARTED */
  #readyHost(): Promise<HostLink> {
    return this.#turns.run(() => this.#findOrStart());
  }

  async #find(): Promise<HostLink | undefined> {
    if (this.#link?.isOpen === true) return this.#link;
    const { clock, limits } = this.#parts;
    const deadline = clock.monotonicMs() + limits.hostAnswerMs;
    for (;;) {
      const link = await this.#connect();
      if (link !== undefined) return await this.#adopt(link);
      if (!(await this.#program.isRunning())) return undefined;
      if (clock.monotonicMs() >= deadline) break;
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
    await this.#killSilent();
    return undefined;
  }

  async #findOrStart(): Promise<HostLink> {
    const { version, clock } = this.#parts;
    const found = await this.#find();
    if (found !== undefined && (found.version === version || found.running.size > 0)) return found;
    if (found !== undefined) {
      // An idle host of an earlier version: replace it.
      found.leave();
      await this.#program.end("SIGINT");
    }
    await this.#program.start();
    const started = await this.#find();
    if (started !== undefined) return started;
    this.#trust.recordFailedStart(clock.monotonicMs());
    const message = `The capture host did not start${await this.#program.lastWords()}`;
    throw new RecorderdError("CAPTURE_NOT_STARTED", message, {});
  }

  async #connect(): Promise<HostLink | undefined> {
    const { folder, clock, limits } = this.#parts;
    await using place = await hostFolder(folder);
    if (place === undefined) return undefined;
    const socket = connect(hostSocket(place));
    // An idle connection must not keep the process alive; requests have deadlines.
    socket.unref();
    return await HostLink.greet(socket, {
      clock,
      answerMs: limits.hostAnswerMs,
      onEnded: (id) => this.#ended(id),
      onGone: (running) => this.#gone(running),
    });
  }

  /** Uses a host that an earlier run of the daemon may have started. */
  async #adopt(link: HostLink): Promise<HostLink | undefined> {
    if (link.protocol === PROTOCOL) {
      this.#link = link;
      return link;
    }
    this.#parts.log.warn("the capture host uses another version of the protocol; it is stopped", {
      protocol: link.protocol,
    });
    link.close();
    await this.#program.end("SIGINT");
    return undefined;
  }

  async #killSilent(): Promise<void> {
    this.#parts.log.warn("the capture host does not answer; it is killed");
    await this.#program.end("SIGKILL");
  }

  /** The host ended, and its captures with it. */
  #gone(running: ReadonlySet<string>): void {
    if (running.size === 0) return;
    const { log, clock } = this.#parts;
    log.warn("the capture host has ended", { captures: running.size });
    const sources = new Set([...running].flatMap((id) => this.#urls.get(id) ?? []));
    const { apart, isLeftAlone } = this.#trust.recordDeath(sources, clock.monotonicMs());
    const minutes = HOST_LIMITS.leftAloneMs / MINUTE;
    if (apart > 0) {
      log.warn(
        "several capture hosts died while reading the same sources: with capture.engine auto, ffmpeg reads these sources for a while",
        { sources: apart, minutes },
      );
    }
    if (isLeftAlone) {
      log.warn("the capture host died several times: with capture.engine auto, ffmpeg is used for a while", {
        minutes,
      });
    }
    for (const id of running) this.#ended(id);
  }

  #ended(id: string): void {
    this.#urls.delete(id);
    this.#parts.onEnded(id);
  }

  #copyOrder({ id, source, service, file, endsBy, endsWithDaemon = false }: CaptureOrder): CopyOrder {
    const { clock, limits } = this.#parts;
    return {
      id,
      source,
      sid: service.sid,
      tsid: service.tsid,
      file,
      endsInMs: Math.max(0, endsBy - clock.now()),
      silenceMs: limits.inputTimeoutMs,
      patienceMs: 2 * limits.stopPatienceMs,
      endsWithClient: endsWithDaemon,
    };
  }
}

/** Rebuilds the error of the failed system call. */
function systemFailure({ code, syscall, message }: Extract<Answer, { readonly type: "failed" }>): Error {
  return Object.assign(new Error(message), code === "" ? {} : { code, syscall });
}
