import type { TunerStatus } from "../model/snapshot.ts";
import { say } from "./state/language.ts";

/** The present use of a tuner, in a word or two. */
export function tunerStateText({ state, quarantine }: Pick<TunerStatus, "state" | "quarantine">): string {
  return quarantine === undefined ? say(`tuners-state-${state}`) : say("tuners-quarantined");
}
