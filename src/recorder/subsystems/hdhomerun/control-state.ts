import type { Readable } from "node:stream";
import type { Clock } from "../../../kit/time/clock.ts";
import { VERSION } from "../../../kit/version.ts";
import type { EpochMs } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import {
  type ControlAnswer,
  type ControlChange,
  type ControlRequest,
  type ControlTuner,
  decideControl,
  type Lock,
} from "./core/control.ts";
import type { LineupChannel } from "./core/lineup.ts";
import { REFUSALS } from "./core/refusal.ts";
import { sendAsDatagrams } from "./datagram-stream.ts";
import type { EmulatedTuners } from "./emulated-tuners.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";

interface Parts {
  readonly tuners: EmulatedTuners;
  readonly lineup: () => readonly LineupChannel[];
  readonly clock: Clock;
}

/** The client of a request; `owner` stands for its connection. */
interface Client {
  readonly peer: string;
  readonly owner: object;
}

interface Receiver extends Client {
  readonly port: number;
}

/** The settings of one emulated tuner that clients changed. */
interface Setting {
  readonly channel?: LineupChannel | undefined;
  readonly lock?: (Lock & { readonly usedAt: EpochMs }) | undefined;
  readonly sent?: Sent | undefined;
}

interface Sent {
  readonly stream: Readable;
  readonly to: Receiver;
  /** When the stream has closed, and its tuner is free. */
  readonly ended: Promise<void>;
}

/** The variables that clients of the control protocol set: locks, channels, and streams as datagrams. */
export class ControlState {
  readonly #parts: Parts;
  readonly #settings = new Map<number, Setting>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async answer(request: ControlRequest, client: Client): Promise<ControlAnswer> {
    const { tuners, lineup, clock } = this.#parts;
    const now = clock.monotonicMs();
    const decided = decideControl(request, {
      version: VERSION,
      tuners: Array.from({ length: tuners.count }, (_, index) => this.#tuner(index, now)),
      lineup: lineup(),
      peer: client.peer,
    });
    if (decided.kind === "value" || decided.kind === "error") return decided;
    const failure = await this.#apply(decided, { ...client, now });
    return failure ?? { kind: "value", text: request.value ?? "" };
  }

  hasStream(owner: object): boolean {
    return [...this.#settings.values()].some(({ sent }) => sent?.to.owner === owner);
  }

  /** Ends the streams of a connection that has closed. */
  leave(owner: object): void {
    for (const [tuner, { sent }] of this.#settings) {
      if (sent?.to.owner !== owner) continue;
      this.#set(tuner, { sent: undefined });
      sent.stream.destroy();
    }
  }

  #tuner(index: number, now: EpochMs): ControlTuner {
    const { channel, sent } = this.#settings.get(index) ?? {};
    const use = this.#parts.tuners.useOf(index);
    return withoutUndefined({
      channel: use?.channel ?? channel,
      viewer: use?.viewer,
      target: sent === undefined ? undefined : `udp://${sent.to.peer}:${sent.to.port}`,
      lock: this.#lockOf(index, now),
    });
  }

  #lockOf(tuner: number, now: EpochMs): Setting["lock"] {
    const { lock } = this.#settings.get(tuner) ?? {};
    return lock !== undefined && now - lock.usedAt < HDHOMERUN_LIMITS.lockMs ? lock : undefined;
  }

  async #apply(
    change: ControlChange,
    { peer, owner, now }: Client & { readonly now: EpochMs },
  ): Promise<ControlAnswer | undefined> {
    const { tuner } = change;
    const lock = this.#lockOf(tuner, now);
    this.#set(tuner, { lock: lock === undefined ? undefined : { ...lock, usedAt: now } });
    switch (change.kind) {
      case "lock":
        this.#set(tuner, {
          lock: change.key === undefined ? undefined : { key: change.key, by: peer, usedAt: now },
        });
        return undefined;
      case "tune": {
        const { sent } = this.#settings.get(tuner) ?? {};
        await this.#stop(tuner);
        this.#set(tuner, { channel: change.channel });
        return sent === undefined || change.channel === undefined ? undefined : this.#send(tuner, sent.to);
      }
      case "target":
        await this.#stop(tuner);
        return change.port === undefined ? undefined : this.#send(tuner, { port: change.port, peer, owner });
    }
  }

  async #stop(tuner: number): Promise<void> {
    const { sent } = this.#settings.get(tuner) ?? {};
    if (sent === undefined) return;
    this.#set(tuner, { sent: undefined });
    sent.stream.destroy();
    await sent.ended;
  }

  async #send(tuner: number, to: Receiver): Promise<ControlAnswer | undefined> {
    const { peer, port } = to;
    const { channel } = this.#settings.get(tuner) ?? {};
    if (channel === undefined) return { kind: "error", text: "ERROR: no channel" };
    const opened = await this.#parts.tuners.open({ tuner, channel, viewer: peer });
    if (opened.kind === "refused") return { kind: "error", text: `ERROR: ${REFUSALS[opened.refusal].text}` };
    const { stream } = opened;
    const ended = new Promise<void>((resolve) => {
      if (stream.closed) resolve();
      else stream.once("close", resolve);
    });
    const sent = { stream, to, ended };
    this.#set(tuner, { sent });
    void sendAsDatagrams(stream, { address: peer, port }).then(() => {
      // The client did not end it: the tuner has lost its signal, and its status says so.
      if (this.#settings.get(tuner)?.sent === sent) this.#set(tuner, { sent: undefined, channel: undefined });
    });
    return undefined;
  }

  #set(tuner: number, more: Setting): void {
    this.#settings.set(tuner, { ...this.#settings.get(tuner), ...more });
  }
}
