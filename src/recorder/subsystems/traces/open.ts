import { hostname } from "node:os";
import { systemChance } from "../../../kit/time/clock.ts";
import { VERSION } from "../../../kit/version.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { Config } from "../../config/schema.ts";
import { createTraceLoop, type TraceParts } from "./loop.ts";

/** The writable part of the ledger. */
interface Appending {
  append(facts: readonly LedgerFact[]): Promise<void>;
  catchUp(latest: readonly LedgerFact[]): Promise<void>;
}

interface Traces {
  readonly name: "traces";
  /** Wraps the ledger to observe new facts. */
  observing(ledger: Appending): Appending;
  run(signal: AbortSignal): Promise<void>;
}

/** Traces for an OpenTelemetry receiver; none if the configuration has none. */
export function openTraces(
  { traces, data }: Config,
  parts: Pick<TraceParts, "history" | "http" | "clock" | "log">,
): Traces {
  if (traces === undefined) return { name: "traces", observing: (ledger) => ledger, run: async () => {} };
  const resource = {
    "service.name": "recorderd",
    "service.version": VERSION,
    "service.instance.id": `${hostname()} ${data.folder}`,
  };
  const loop = createTraceLoop({ ...parts, url: traces.url, resource, chance: systemChance });
  return {
    name: "traces",
    observing: ({ append, catchUp }) => ({
      catchUp,
      append: async (facts) => {
        await append(facts);
        loop.noteFacts(facts);
      },
    }),
    run: loop.run,
  };
}
