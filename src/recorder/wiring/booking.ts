import { join } from "node:path";
import type { Policy } from "../../model/policy.ts";
import type { Orders } from "../../model/ports.ts";
import type { GuideApi } from "../../web/guide-api.ts";
import { ruleBurden } from "../engine/core/rule-burden.ts";
import type { Subsystem } from "../engine/runtime/subsystem.ts";
import { createGuideApi } from "../subsystems/booking/guide.ts";
import { createSignIn } from "../subsystems/booking/sign-in.ts";
import type { PlanningPart } from "../threads/planning.ts";
import type { Access } from "./access.ts";
import type { DaemonBase } from "./base.ts";

interface BookingDeps extends Pick<Access, "guide" | "tuners" | "storage" | "library"> {
  readonly planning: Pick<PlanningPart, "plans">;
  readonly policy: Policy;
  /** Whether the service has answered with a list since the start. */
  readonly isListed: () => boolean;
  /** Polls the service for its timers. */
  readonly onOrdered: () => void;
  /** Makes the daemon use the sign-in that the secrets file holds now. */
  readonly takeOver: () => Promise<void>;
}

/** The guide service for people, and the orders that the recorder places by itself. */
export function openBooking(
  { config, folder, closed: signal, clock, log }: DaemonBase,
  {
    guide,
    tuners,
    storage: { store },
    library,
    planning,
    policy,
    isListed,
    onOrdered,
    takeOver,
  }: BookingDeps,
): { readonly guide: GuideApi; readonly orders: Orders; readonly keeper: Subsystem } {
  const { client, ruleStore, secrets, secretsPath, handedOver } = guide;
  const { face, orders, keeper } = createGuideApi({
    client,
    account: tuners.account,
    deviceId: config.guide.deviceId,
    folder: join(folder, "bookings"),
    reach: (channelId) => tuners.reach().find((one) => one.channelId === channelId),
    burden: (question) =>
      ruleBurden(question, store.current, {
        world: { now: clock.now(), policy, tuners: tuners.pool.facts },
        plans: (problems) => planning.plans(problems, signal),
        space: library.keeper.space(),
      }),
    ruleStore,
    regionId: config.guide.regionId,
    plan: () => ({ timers: store.current.timers, recordings: Object.values(store.current.recordings) }),
    isListed: () => isListed() && store.current.listAwaitedUntil === 0,
    onOrdered,
    clock,
    log,
    signal,
  });
  const signIn = createSignIn({ client, file: secretsPath, handedOver, secrets, takeOver, log, signal });
  return { guide: { ...face, signIn }, orders, keeper };
}
