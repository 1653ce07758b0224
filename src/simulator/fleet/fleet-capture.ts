import type { Capture, CaptureEnd, CaptureOrder, WatchOrder } from "../../model/ports.ts";
import type { DistantEngine } from "../../recorder/capture/engine.ts";
import type { FleetNodes } from "../../recorder/fleet/nodes.ts";
import type { Captures } from "../weeks/captures.ts";
import { ChangeSignal } from "../weeks/change-signal.ts";
import { delivered } from "./delivered.ts";
import type { NodeProcess } from "./node-process.ts";

/**
 * The captures of a fleet, as its leader uses them: those of its own machine, and those that it has ordered on others. The
 * disk is the same for all, so each can be watched.
 */
export class FleetCapture {
  readonly #here: Captures;
  readonly #process: NodeProcess;
  readonly #distant: DistantEngine;
  readonly #ended = new ChangeSignal();

  constructor(
    here: Captures,
    { process, nodes }: { readonly process: NodeProcess; readonly nodes: FleetNodes },
  ) {
    this.#here = here;
    this.#process = process;
    this.#distant = nodes.engine(() => this.#ended.signal());
  }

  port(): Capture {
    const here = this.#here.port();
    const start = delivered(this.#process, (order: CaptureOrder) =>
      here.start({ ...order, endsBy: this.#process.trueTime(order.endsBy) }),
    );
    const running = delivered(this.#process, () => here.running());
    const stop = delivered(this.#process, (id: string) => here.stop(id));
    const watch = delivered(this.#process, (order: WatchOrder, signal: AbortSignal) =>
      here.watch(order, signal),
    );
    return {
      start: (order) => (this.#distant.takes(order.source) ? this.#distant.start(order) : start(order)),
      running: async () => new Set([...(await running()), ...(await this.#distant.ids())]),
      hasBegun: delivered(this.#process, (attempt) => here.hasBegun(attempt)),
      makeReady: async () => this.#distant.makeReady?.(),
      watch: (order, signal) =>
        this.#here.running.has(order.id) ? watch(order, signal) : this.#watchDistant(order, signal),
      stop: async (id) => {
        if (this.#here.running.has(id)) return await stop(id);
        const capture = this.#here.all.get(id);
        if (capture !== undefined) capture.asked = true;
        await this.#distant.end(id);
      },
    };
  }

  /** Its node says when a capture has ended; one that is lost ends for its watcher, and may go on there. */
  async #watchDistant(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd> {
    const { id } = order;
    const over = new AbortController();
    const wake = () => this.#ended.signal();
    signal.addEventListener("abort", wake, { once: true });
    let found: CaptureEnd | undefined;
    let failure: unknown;
    const watch = delivered(this.#process, (ending: AbortSignal) =>
      this.#here.watch(order, ending, () => this.#distant.end(id, { hangs: true })),
    );
    watch(over.signal)
      .then(
        (end) => {
          found = end;
        },
        (error: unknown) => {
          failure = error;
        },
      )
      .then(wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        if (failure !== undefined) throw failure;
        const { next } = this.#ended;
        const isRunning = await this.#distant.isRunning(id);
        const why = isRunning ? undefined : this.#distant.whyLost(id);
        if (why !== undefined) return { cause: "CAPTURE_DIED", text: why };
        if (!isRunning && found !== undefined) return found;
        await next;
      }
    } finally {
      signal.removeEventListener("abort", wake);
      over.abort();
    }
  }
}
