import type { DurationMs } from "../../model/time.ts";
import { type InFleet, nodeNameOf } from "../config/fleet.ts";
import { NODE_LIMITS } from "./limits.ts";

/**
 * Why this node cannot be in a fleet that keeps its recordings there; `undefined` if it can. The configuration of the home decides,
 * also when the fleet gets another home, or a shared folder.
 *
 * @param there the home by the latest leader; empty: the nodes share a folder
 */
export function otherHome({ fleet }: InFleet, there: string): string | undefined {
  const here = fleet?.home ?? "";
  const name = nodeNameOf({ fleet });
  if (here === there || here === name || (here === "" && there === name)) return undefined;
  const place = there === "" ? "in a folder that all nodes share" : `on ${there}`;
  const wanted = there === "" ? "remove fleet.home here" : `set fleet.home to ${there} here`;
  return `The fleet keeps its recordings ${place}: ${wanted}, or change it on all nodes.`;
}

/** Tells when the home of a fleet has stood by for so long that it should lead again. */
export class HomeWatch {
  #sinceMs: DurationMs | undefined;

  /** Called at each renewal of the lease. */
  isBack(isAble: boolean, nowMs: DurationMs): boolean {
    if (isAble) this.#sinceMs ??= nowMs;
    else this.#sinceMs = undefined;
    return this.#sinceMs !== undefined && nowMs - this.#sinceMs >= NODE_LIMITS.homeBackMs;
  }
}
