import { oncePer } from "../../model/once-per.ts";
import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

interface Keys {
  /** Everything that a group's plan depends on, except the previous plan, which only breaks ties. */
  readonly lasting: string;
  /** The same with the previous plan. */
  readonly full: string;
}

export function keysOf(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): Keys {
  const known = KEYS.get(group);
  if (known?.tuners === tuners) return known;
  const lasting = lastingKey(group, tuners);
  const keys = { tuners, lasting, full: groupKey(lasting, group) };
  KEYS.set(group, keys);
  return keys;
}

/** A group unchanged since the previous plan is the same array. */
const KEYS = new WeakMap<readonly PlanRequest[], Keys & { readonly tuners: readonly TunerFacts[] }>();

function lastingKey(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): string {
  const requests = group.map(textOf).sort();
  const multiplexes = [...new Set(group.map(({ service }) => multiplexKey(service)))].sort();
  const services = [...new Set(group.map(({ service }) => tripletKey(service)))].sort();
  const facts = tuners.map((tuner) => {
    const { id, warmUpMs, servicesAtOnce, isDoubtful = "" } = tuner;
    const received =
      tuner.services === "any" ? "any" : services.map((one) => (canReceive(tuner, one) ? 1 : 0)).join("");
    return `${id} ${warmUpMs} ${isDoubtful} ${received} ${multiplexes.map(servicesAtOnce).join()}`;
  });
  return `${facts.join(";")}|${requests.join(";")}`;
}

export function groupKey(lasting: string, group: readonly PlanRequest[]): string {
  const before = group.map(({ recordingId, previousTuner = "" }) => `${recordingId} ${previousTuner}`).sort();
  return `${lasting}|${before.join(";")}`;
}

/** Cached: a plan request stays the same object until it changes. */
const textOf = oncePer((request: PlanRequest): string => {
  const { recordingId, service, event, window, priority, isLate, lateMs, runningOnTuner, avoid, isHeld } =
    request;
  const times = [event.start, event.stop, window.start, window.stop, lateMs].join(" ");
  const weak = Object.entries(request.weak ?? {}).join(" ");
  return `${recordingId} ${tripletKey(service)} ${times} ${priority} ${isLate} ${runningOnTuner ?? ""}${isHeld === true ? "!" : ""} ${avoid.join()} ${weak}`;
});
