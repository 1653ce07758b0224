import { Duplex } from "node:stream";
import type { Clock } from "../../kit/time/clock.ts";
import type { DurationMs } from "../../model/time.ts";
import type { Chance } from "../weeks/chance.ts";
import type { NodeProcess } from "./node-process.ts";

const LATENCY_MS = { least: 1, most: 20 } as const;

/** One end of a connection, in a process. */
export class WireEnd extends Duplex {
  readonly process: NodeProcess;
  /** Its way to the other end. */
  lane: Lane | undefined;

  constructor(process: NodeProcess) {
    super();
    this.process = process;
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.lane?.send(bytes);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.lane?.send("end");
    done(error);
  }
}

interface Parcel {
  readonly what: Buffer | "end";
  readonly dueMs: DurationMs;
}

export interface LaneParts {
  readonly time: Clock;
  readonly chance: Chance;
  readonly to: WireEnd;
  readonly isCut: () => boolean;
  /** Called before bytes reach a process. */
  readonly onBytes: () => void;
}

/** One direction of a connection: what is sent arrives in order; what is sent while the way is cut arrives after that. */
export class Lane {
  readonly #parts: LaneParts;
  readonly #waiting: Parcel[] = [];

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  send(what: Parcel["what"]): void {
    const { time, chance } = this.#parts;
    const earliest = time.monotonicMs() + chance.int(LATENCY_MS.least, LATENCY_MS.most);
    const dueMs = Math.max(earliest, this.#waiting.at(-1)?.dueMs ?? 0);
    this.#waiting.push({ what, dueMs });
    time.after(dueMs - time.monotonicMs(), () => this.deliver());
  }

  /** Brings what is due. */
  deliver(): void {
    const { time, to, isCut, onBytes } = this.#parts;
    while (!isCut() && (this.#waiting[0]?.dueMs ?? Number.POSITIVE_INFINITY) <= time.monotonicMs()) {
      const { what } = this.#waiting.shift() as Parcel;
      const arrive = () => {
        if (to.destroyed) return;
        if (what === "end") return void to.destroy();
        onBytes();
        to.push(what);
      };
      // A process that goes on looks at its timers first.
      to.process.after(0, () => to.process.after(1, arrive));
    }
  }
}
