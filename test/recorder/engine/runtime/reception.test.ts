import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import type { Lease } from "../../../../src/model/lease.ts";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { type Triplet, tripletKey } from "../../../../src/model/service.ts";
import type { Reception } from "../../../../src/model/tuner.ts";
import { emptyDocument } from "../../../../src/recorder/engine/core/document.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";
import { watchReception } from "../../../../src/recorder/engine/runtime/reception.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { EIGHT, tripletOf } from "./world.ts";

const ONE: Triplet = tripletOf(1);

function lease(tunerId: string): Lease {
  return { id: tunerId, use: "view", tunerId, service: ONE, since: EIGHT, until: EIGHT + 1 };
}

/** Tuners of a pool, and the clock; `answer` is the answer of each tuner. */
function world(held: readonly string[], answer: (tunerId: string, service: Triplet) => Promise<Reception>) {
  const clock = createVirtualClock(EIGHT, promiseJobsDone);
  const asked: string[] = [];
  const leases: Record<string, Lease> = Object.fromEntries(held.map((id) => [id, lease(id)]));
  const driver = (id: string): TunerDriver => ({
    facts: { id, kind: "mock", services: "any", servicesAtOnce: () => 1, warmUpMs: 0 },
    open: () => Promise.reject(new Error("it is not opened")),
    reception: (service) => {
      asked.push(`${id} ${tripletKey(service)}`);
      return answer(id, service);
    },
    async [Symbol.asyncDispose]() {},
  });
  const watch = watchReception({
    document: () => ({ ...emptyDocument(EIGHT), leases }),
    driver,
    clock,
    log: silentLog,
  });
  return { clock, asked, leases, watch };
}

describe("the reception of tuners in use", () => {
  it("is valid until the next query, and forgotten after release", async () => {
    const { clock, asked, leases, watch } = world(["a"], async () => ({
      isLocked: true,
      qualityPercent: 70,
    }));
    const over = new AbortController();
    const running = watch.run(over.signal);
    await clock.advance(0);
    expect(watch.of("a")).toEqual({ isLocked: true, qualityPercent: 70, at: EIGHT });
    expect(watch.of("b")).toBeUndefined();
    await clock.advance(RUNTIME_LIMITS.receptionLookMs - 1);
    expect(asked).toEqual([`a ${tripletKey(ONE)}`]);
    await clock.advance(1);
    expect(asked).toHaveLength(2);
    delete leases["a"];
    await clock.advance(RUNTIME_LIMITS.receptionLookMs);
    expect(watch.of("a")).toBeUndefined();
    expect(asked).toHaveLength(2);
    over.abort();
    await running;
  });

  it("is unknown for a failing tuner, while the others continue to report", async () => {
    const { clock, asked, watch } = world(["a", "b"], async (id) => {
      if (id === "a") throw new RecorderdError("TUNER_UNREACHABLE", "Nobody answers.");
      return { input: "B" };
    });
    const over = new AbortController();
    const running = watch.run(over.signal);
    await clock.advance(RUNTIME_LIMITS.receptionLookMs);
    expect([watch.of("a"), watch.of("b")?.input]).toEqual([undefined, "B"]);
    expect(asked).toHaveLength(4);
    over.abort();
    await running;
  });
});
