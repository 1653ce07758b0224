import { describe, expect, it } from "vitest";
import type { Report } from "../../../../src/model/report.ts";
import { enqueue, withoutReport } from "../../../../src/recorder/report/core/outbox.ts";
import { fc } from "../../../properties.ts";

const report = (seq: number, timerId: string, rest: Partial<Report> = {}): Report => ({
  seq,
  timerId,
  message: `message ${seq}`,
  acknowledgesForget: false,
  madeAt: 0,
  ...rest,
});

describe("the outbox", () => {
  it("has the newest report of each timer, in the order of creation", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }).map(String)), (timerIds) => {
        const outbox = timerIds.reduce<readonly Report[]>((box, id, i) => enqueue(box, [report(i, id)]), []);
        const rising = outbox.every(({ seq }, i) => i === 0 || seq > (outbox[i - 1]?.seq ?? -1));
        const newest = outbox.every(({ seq, timerId }) => timerIds.lastIndexOf(timerId) === seq);
        return rising && newest && outbox.length === new Set(timerIds).size;
      }),
    );
  });

  it("is the same for reports added individually or together", () => {
    const some = fc.record({
      timerId: fc.constantFrom("1", "2", "3"),
      state: fc.constantFrom("running" as const, "completed" as const, undefined),
      acknowledgesForget: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some), fc.nat(), (all, cut) => {
        const reports = all.map(({ timerId, state, acknowledgesForget }, i) =>
          report(i, timerId, { acknowledgesForget, ...(state === undefined ? {} : { state }) }),
        );
        const one = reports.reduce<readonly Report[]>((box, each) => enqueue(box, [each]), []);
        const before = reports
          .slice(0, cut)
          .reduce<readonly Report[]>((box, each) => enqueue(box, [each]), []);
        expect(enqueue(before, reports.slice(cut))).toEqual(one);
        return true;
      }),
    );
  });

  it("keeps the state of a report that a message alone replaces", () => {
    const outbox = enqueue(enqueue([], [report(1, "7", { state: "running" })]), [report(2, "7")]);
    expect(outbox).toMatchObject([{ seq: 2, state: "running", message: "message 2" }]);
  });

  it("never loses the acknowledgement of a forget", () => {
    const outbox = enqueue(enqueue([], [report(1, "7", { acknowledgesForget: true, state: "completed" })]), [
      report(2, "7"),
    ]);
    expect(outbox).toMatchObject([{ seq: 2, acknowledgesForget: true, state: "completed" }]);
  });

  it("accepts the confirmation of a replaced report", () => {
    const outbox = enqueue(enqueue([], [report(1, "7")]), [report(2, "7")]);
    expect(withoutReport(outbox, 1)).toEqual(outbox);
  });
});
