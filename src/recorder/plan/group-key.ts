import { oncePer } from "../../model/once-per.ts";
import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

interface Keys {
  /** All that the plan of a group depends on, but for the plan before, on which only some of what is equally good depends. */
  readonly lasting: string;
  /** All of it. */
  readonly whole: string;
}

export function keysOf(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): Keys {
  const known = KEYS.get(group);
  if (known?.tuners === tuners) return known;
  const lasting = lastingKey(group, tuners);
  const keys = { tuners, lasting, whole: groupKey(lasting, group) };
  KEYS.set(group, keys);
  return keys;
}

/** A group that is as it was in the plan before is the same array. */
const KEYS = new WeakMap<readonly PlanRequest[], Keys & { readonly tuners: readonly TunerFacts[] }>();

function lastingKey(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): string {
  const wishes = group.map(textOf).sort();
  const multiplexes = [...new Set(group.map(({ service }) => multiplexKey(service)))].sort();
  const services = [...new Set(group.map(({ service }) => tripletKey(service)))].sort();
  const facts = tuners.map((tuner) => {
    const { id, warmUpMs, servicesAtOnce, isDoubtful = "" } = tuner;
    const received =
      tuner.services === "any" ? "any" : services.map((one) => (canReceive(tuner, one) ? 1 : 0)).join("");
    return `${id} ${warmUpMs} ${isDoubtful} ${received} ${multiplexes.map(servicesAtOnce).join()}`;
  });
  return `${facts.join(";")}|${wishes.join(";")}`;
}

export function groupKey(lasting: string, group: readonly PlanRequest[]): string {
  const before = group.map(({ recordingId, had = "" }) => `${recordingId} ${had}`).sort();
  return `${lasting}|${before.join(";")}`;
}

/** A wish stays the same object as long as nothing changes about it. */
const textOf = oncePer((wish: PlanRequest): string => {
  const { recordingId, service, event, window, priority, isLate, lateMs, runningOnTuner, avoid } = wish;
  const times = [event.start, event.stop, window.start, window.stop, lateMs].join(" ");
  const weak = Object.entries(wish.weak ?? {}).join(" ");
  return `${recordingId} ${tripletKey(service)} ${times} ${priority} ${isLate} ${runningOnTuner ?? ""} ${avoid.join()} ${weak}`;
});
