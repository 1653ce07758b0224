import type { NodeStatus, TunerStatus } from "../model/snapshot.ts";
import { say } from "./state/language.ts";

/** The present use of a tuner, in a word or two. */
export function tunerStateText({
  state,
  quarantine,
  isDrained,
}: Pick<TunerStatus, "state" | "quarantine" | "isDrained">): string {
  if (quarantine !== undefined) return say("tuners-quarantined");
  return isDrained === true && state === "free" ? say("tuners-drained") : say(`tuners-state-${state}`);
}

/** The state of a node of the fleet, in a few words. */
export function nodeStateText({ state, isDrained }: Pick<NodeStatus, "state" | "isDrained">): string {
  const words = [say(`nodes-state-${state}`), ...(isDrained ? [say("tuners-drained")] : [])];
  return words.join(", ");
}
