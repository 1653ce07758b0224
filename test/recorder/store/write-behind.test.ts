import { describe, expect, it } from "vitest";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import { type ErrorCode, RecorderdError } from "../../../src/model/errors.ts";
import type { LedgerFact } from "../../../src/model/ledger.ts";
import { STORE_LIMITS } from "../../../src/recorder/store/limits.ts";
import { writeBehind } from "../../../src/recorder/store/write-behind.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

interface State {
  readonly decision: number;
}

/** A store that answers, fails or says nothing, as the test wants. */
function shared() {
  let current: State = { decision: 0 };
  const facts: LedgerFact[] = [];
  const at = { now: "answers" as "answers" | "fails" | "says nothing" | ErrorCode, tries: 0, documents: 0 };
  const write = async (change: () => void) => {
    at.tries += 1;
    if (at.now === "says nothing") await new Promise(() => {});
    if (at.now === "fails") throw new RecorderdError("STORE_WRITE_FAILED", "It is away.");
    if (at.now !== "answers" && at.now !== "says nothing") throw new RecorderdError(at.now, "Refused.");
    change();
  };
  return {
    at,
    facts,
    store: {
      get current() {
        return current;
      },
      openedFrom: "current" as const,
      commit: (next: State) =>
        write(() => {
          at.documents += 1;
          current = next;
        }),
      async [Symbol.asyncDispose]() {},
    },
    ledger: {
      append: (more: readonly LedgerFact[]) => write(() => void facts.push(...more)),
      catchUp: async () => {},
      async [Symbol.asyncDispose]() {},
    },
  };
}

const fact = (number: number): LedgerFact => ({ at: number, fact: "ordered", timerId: String(number) });

function opened() {
  const inner = shared();
  const clock = createVirtualClock(1_000_000, promiseJobsDone);
  const { store, ledger } = writeBehind<State>(inner, clock);
  /** @returns whether it has resolved or rejected by then */
  const settles = async (work: Promise<unknown>, ms: number) => {
    let is = "open";
    work.then(
      () => {
        is = "done";
      },
      (error) => {
        is = error.code;
      },
    );
    await clock.advance(ms);
    return is;
  };
  return { inner, clock, store, ledger, settles };
}

describe("a document that does not wait long for its store", () => {
  it("is stored at once while the store answers", async () => {
    const { inner, store, ledger, settles } = opened();
    expect(await settles(store.commit({ decision: 1 }), 0)).toBe("done");
    expect(await settles(ledger.append([fact(1)]), 0)).toBe("done");
    expect([inner.store.current.decision, inner.facts.length, store.backlog]).toEqual([1, 1, undefined]);
  });

  it("waits for a store that comes back in time", async () => {
    const { inner, store, settles } = opened();
    inner.at.now = "fails";
    const commit = store.commit({ decision: 1 });
    expect(await settles(commit, STORE_LIMITS.patienceMs - STORE_LIMITS.retryMs)).toBe("open");
    expect([store.current.decision, store.backlog]).toEqual([0, undefined]);
    inner.at.now = "answers";
    expect(await settles(commit, STORE_LIMITS.retryMs)).toBe("done");
    expect([store.current.decision, store.backlog]).toEqual([1, undefined]);
  });

  it.each(["fails", "says nothing"] as const)("goes on without a store that %s", async (now) => {
    const { inner, clock, store, ledger, settles } = opened();
    inner.at.now = now;
    expect(await settles(store.commit({ decision: 1 }), STORE_LIMITS.patienceMs)).toBe("done");
    expect(store.current.decision).toBe(1);
    expect(store.backlog).toMatchObject({ since: 1_000_000, stored: { decision: 0 } });
    // Nobody waits any more.
    expect(await settles(ledger.append([fact(1)]), 0)).toBe("done");
    expect(await settles(store.commit({ decision: 2 }), 0)).toBe("done");
    expect([store.current.decision, inner.store.current.decision]).toEqual([2, 0]);
    await clock.advance(STORE_LIMITS.retryMs);
    expect(inner.at.tries).toBe(now === "fails" ? 18 : 1);
  });

  it("stores the latest document and all facts, in order, when the store is back, and says so", async () => {
    const { inner, clock, store, ledger, settles } = opened();
    inner.at.now = "fails";
    await settles(store.commit({ decision: 1 }), STORE_LIMITS.patienceMs);
    for (const decision of [2, 3, 4]) {
      await store.commit({ decision });
      await ledger.append([fact(decision)]);
    }
    const over = store.backlog?.over ?? Promise.reject(new Error("it has no backlog"));
    expect(await settles(over, 60_000)).toBe("open");
    inner.at.now = "answers";
    expect(await settles(over, STORE_LIMITS.retryMs)).toBe("done");
    expect([store.backlog, store.current, inner.at.documents]).toEqual([undefined, { decision: 4 }, 1]);
    expect(inner.facts.map(({ at }) => at)).toEqual([2, 3, 4]);
    expect(await settles(store.commit({ decision: 5 }), 0)).toBe("done");
    expect(inner.store.current.decision).toBe(5);
    expect(clock.sleepers).toBe(0);
  });

  it("throws if the store belongs to another node", async () => {
    const { inner, store, settles } = opened();
    inner.at.now = "STORE_LOCKED";
    expect(await settles(store.commit({ decision: 1 }), 0)).toBe("STORE_LOCKED");
  });

  it("throws at the next decision if another node has taken the store meanwhile, and never says that all is stored", async () => {
    const { inner, store, settles } = opened();
    inner.at.now = "fails";
    await settles(store.commit({ decision: 1 }), STORE_LIMITS.patienceMs);
    const over = store.backlog?.over ?? Promise.reject(new Error("it has no backlog"));
    inner.at.now = "STORE_LOCKED";
    expect(await settles(over, 60_000)).toBe("open");
    expect(await settles(store.commit({ decision: 2 }), 0)).toBe("STORE_LOCKED");
    expect(inner.store.current.decision).toBe(0);
  });

  it("is not waited for when it is disposed of", async () => {
    const { inner, store, settles } = opened();
    inner.at.now = "fails";
    await settles(store.commit({ decision: 1 }), STORE_LIMITS.patienceMs);
    expect(await settles(Promise.resolve(store[Symbol.asyncDispose]()), 0)).toBe("done");
  });
});
