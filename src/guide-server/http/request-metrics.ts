import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { WebAnswer, WebRoute } from "../../kit/http/web-server.ts";
import { residentBytes } from "../../kit/machine/memory.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { SECOND } from "../../model/time.ts";

/** The label of requests without a route. */
const NO_ROUTE = "none";

/**
 * Counts and times the requests of one process by route, in the Prometheus text format; docs/dev/metrics.md describes each metric.
 * All labels come from the table of routes, so that a client can neither add one nor show up in one.
 */
export class RequestMetrics {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #registry = new Registry();
  readonly #requests: Counter;
  readonly #seconds: Histogram;
  readonly #streams: Gauge;
  readonly #memory: Gauge;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
    const registers = [this.#registry];
    const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
      new Gauge({ name: `recorderd_guide_${name}`, help, labelNames: [...labelNames], registers });
    gauge("info", "1, with the version of the guide server", ["version"]).set({ version: VERSION }, 1);
    this.#requests = new Counter({
      name: "recorderd_guide_requests_total",
      help: "Requests by method, route and status; all requests without a route have the route none",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "recorderd_guide_request_seconds",
      help: "Time from a whole request to its answer, or to the beginning of its stream, by method and route",
      labelNames: ["method", "route"],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    });
    this.#streams = gauge("streams", "Clients that wait for changes of their lists");
    this.#memory = gauge("resident_bytes", "Resident memory of the process");
  }

  /** The same route, counted. */
  counted(route: WebRoute): WebRoute {
    const { method, path, admit, handle } = route;
    const count = ({ status }: Pick<WebAnswer, "status">) =>
      this.#requests.inc({ method, route: path, status });
    return {
      ...route,
      ...(admit === undefined
        ? {}
        : {
            admit: async (head) => {
              const refusal = await admit(head);
              if (refusal !== undefined) count(refusal);
              return refusal;
            },
          }),
      handle: async (request) => {
        const from = this.#clock.monotonicMs();
        const answer = await handle(request).catch((error: unknown) => {
          count({ status: 500 });
          throw error;
        });
        this.#seconds.observe({ method, route: path }, (this.#clock.monotonicMs() - from) / SECOND);
        count(answer);
        return answer;
      },
    };
  }

  /** Counts an answer to a request that no route has answered. */
  unrouted({ status }: WebAnswer): void {
    this.#requests.inc({ method: NO_ROUTE, route: NO_ROUTE, status });
  }

  async text(streams: number): Promise<{ readonly contentType: string; readonly text: string }> {
    this.#streams.set(streams);
    this.#memory.set(residentBytes());
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}
