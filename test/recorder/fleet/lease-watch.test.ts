import { expect, it } from "vitest";
import { LeaseWatch } from "../../../src/recorder/fleet/lease-watch.ts";
import { FLEET_LIMITS } from "../../../src/recorder/fleet/limits.ts";

const { leaseMs, lookMs, lookGapMs } = FLEET_LIMITS;

const AS_ALL = { term: 1, isDrained: false } as const;

/** Looks as often as a node does, from one instant to another. @returns whether the lease was over at the last one */
function looked(
  watch: LeaseWatch,
  fromMs: number,
  toMs: number,
  renewals: (atMs: number) => number,
): boolean {
  let isOver = false;
  for (let atMs = fromMs; atMs <= toMs; atMs += lookMs)
    isOver = watch.isOver({ ...AS_ALL, renewals: renewals(atMs) }, atMs);
  return isOver;
}

it("a lease is over when it was not renewed for its whole time, and not before", () => {
  const watch = new LeaseWatch();
  expect(looked(watch, 0, leaseMs - lookMs, () => 7)).toBe(false);
  expect(watch.isOver({ ...AS_ALL, renewals: 7 }, leaseMs)).toBe(true);
});

it("a lease is not over while it is renewed", () => {
  expect(looked(new LeaseWatch(), 0, 10 * leaseMs, (atMs) => Math.floor(atMs / FLEET_LIMITS.renewMs))).toBe(
    false,
  );
});

it("a time without answers of the database says nothing about the leader, who could not renew either", () => {
  const watch = new LeaseWatch();
  looked(watch, 0, lookMs, () => 7);
  const backMs = lookMs + Math.max(leaseMs, lookGapMs) + 1;
  expect(watch.isOver({ ...AS_ALL, renewals: 7 }, backMs)).toBe(false);
  expect(looked(watch, backMs, backMs + leaseMs - lookMs, () => 7)).toBe(false);
});

it("a drained node leaves the lead to others for longer, and takes it if none does", () => {
  const watch = new LeaseWatch();
  const sign = { term: 1, renewals: 7, isDrained: true };
  for (let atMs = 0; atMs < FLEET_LIMITS.drainedLeaseMs; atMs += lookMs)
    expect(watch.isOver(sign, atMs)).toBe(false);
  expect(watch.isOver(sign, FLEET_LIMITS.drainedLeaseMs)).toBe(true);
});
