import { isHealing } from "../model/healing.ts";
import type { Holder, Lack, Remedy } from "../model/plan.ts";
import type { Recording } from "../model/recording.ts";
import type { Repeat } from "../model/repeat.ts";
import { overlaps, type Window } from "../model/window.ts";
import type { View } from "./state/view.ts";

/** A change that the planner has tried, with its cost. */
export type Choice =
  | { readonly kind: "repeat"; readonly recording: Recording; readonly repeat: Repeat }
  | {
      readonly kind: "priority";
      readonly recording: Recording;
      readonly to: number;
      readonly lost: readonly Recording[];
      readonly partly: readonly Recording[];
    }
  /** Cancels `other`, which makes all of `recordings` whole. */
  | { readonly kind: "cancel"; readonly recordings: readonly Recording[]; readonly other: Recording };

/** A loss by the present plan, and the changes that would prevent it. */
export interface Decision {
  readonly id: string;
  /** `uncertain`: its tuner fails, and is tried all the same. `other`: no tuner is the matter. */
  readonly kind: "lost" | "partly" | "uncertain" | "other";
  /** At least one, in order of time. */
  readonly recordings: readonly Recording[];
  /** From the first event to the last. */
  readonly span: Window;
  /** In order of time. */
  readonly holders: readonly Holder[];
  readonly choices: readonly Choice[];
  readonly hint?: Extract<Remedy, { readonly kind: "add-tuner" | "none" }>;
  /** Somebody has decided already, for the others or for a repeat. */
  readonly isSettled: boolean;
}

type DecisionView = Pick<View, "recordings" | "conflicts" | "groups" | "placements">;

/** More would have to be read before one is chosen. */
const CHOICES_MOST = 4;

/** All conflicts as decisions: those that wait for somebody in order of time, then those that are settled. */
export function decisionsOf(view: DecisionView): readonly Decision[] {
  const groupOf = new Map(
    [...view.groups.entries()].flatMap(([group, { recordingIds }]) => recordingIds.map((id) => [id, group])),
  );
  const sets: Conflict[][] = [];
  for (const conflict of conflictsOf(view)) {
    const isTogether = (other: Conflict) =>
      groupOf.get(conflict.recording.id) === groupOf.get(other.recording.id) && isSolvedWith(conflict, other);
    const set = sets.find((each) => each.some(isTogether));
    if (set === undefined) sets.push([conflict]);
    else set.push(conflict);
  }
  const decisions = sets.map((set) => decisionOf(set, view));
  return [
    ...decisions.filter(({ isSettled }) => !isSettled),
    ...decisions.filter(({ isSettled }) => isSettled),
  ];
}

interface Conflict extends Lack {
  readonly kind: Decision["kind"];
  readonly recording: Recording;
}

function conflictsOf(view: DecisionView): readonly Conflict[] {
  return [...view.conflicts.values()]
    .flatMap((lack): readonly Conflict[] => {
      const recording = view.recordings.get(lack.recordingId);
      if (recording === undefined) return [];
      const kind = kindOf(lack, recording, view);
      return kind === undefined ? [] : [{ ...lack, kind, recording }];
    })
    .sort(
      (a, b) => a.recording.event.start - b.recording.event.start || (a.recordingId < b.recordingId ? -1 : 1),
    );
}

/** `undefined`: only its beginning is past, and nobody can change that. */
function kindOf({ holders }: Lack, recording: Recording, view: DecisionView): Decision["kind"] | undefined {
  const placement = view.placements.get(recording.id);
  if (placement?.kind === "placed") {
    if (placement.isHope === true) return "uncertain";
    return holders.length === 0 || placement.begin <= recording.event.start ? undefined : "partly";
  }
  return holders.length === 0 ? "other" : "lost";
}

/** Without the same other recording both are whole: the planner has tried the same plan for both. */
function isSolvedWith(one: Conflict, other: Conflict): boolean {
  const target = withdrawalOf(one);
  return (
    target !== undefined &&
    target === withdrawalOf(other) &&
    one.kind === "lost" &&
    other.kind === "lost" &&
    overlaps(one.recording.event, other.recording.event)
  );
}

function withdrawalOf({ remedies }: Lack): string | undefined {
  return remedies.flatMap((remedy) => (remedy.kind === "withdraw" ? [remedy.other] : []))[0];
}

function decisionOf(set: readonly Conflict[], view: DecisionView): Decision {
  const recordings = set.map(({ recording }) => recording);
  const remedies = set.flatMap((conflict) => conflict.remedies);
  const hint = remedies.find(
    (remedy): remedy is NonNullable<Decision["hint"]> =>
      remedy.kind === "add-tuner" || remedy.kind === "none",
  );
  return {
    id: recordings.map(({ id }) => id).join(" "),
    kind: set[0]?.kind ?? "other",
    recordings,
    span: {
      start: Math.min(...recordings.map(({ event }) => event.start)),
      stop: Math.max(...recordings.map(({ event }) => event.stop)),
    },
    holders: holdersOf(set, view),
    choices: choicesOf(set, view),
    ...(hint === undefined ? {} : { hint }),
    isSettled: set.every((conflict) => isSettled(conflict, view)),
  };
}

function holdersOf(set: readonly Conflict[], { recordings }: DecisionView): readonly Holder[] {
  const startOf = ({ recordingId }: Holder) => recordings.get(recordingId)?.window.start ?? 0;
  const byName = new Map(
    set
      .flatMap(({ holders }) => holders)
      .map((holder) => [`${holder.tunerId} ${holder.recordingId}`, holder] as const),
  );
  return [...byName.values()].sort((a, b) => startOf(a) - startOf(b) || (a.tunerId < b.tunerId ? -1 : 1));
}

/** The gentlest first: what costs nothing, then a priority, then a cancelled timer. */
function choicesOf(set: readonly Conflict[], view: DecisionView): readonly Choice[] {
  const all = set.flatMap((conflict) => conflict.remedies.flatMap((remedy) => choiceOf(remedy, set, view)));
  const ofKind = <K extends Choice["kind"]>(kind: K) =>
    all.filter((choice): choice is Extract<Choice, { readonly kind: K }> => choice.kind === kind);
  const priorities = ofKind("priority");
  const cancels = new Map(ofKind("cancel").map((choice) => [choice.other.id, choice]));
  // The same cost twice would be no choice: a priority can be taken back more easily.
  for (const { lost, partly } of set.length > 1 ? [] : priorities)
    if (lost.length === 1 && partly.length === 0) cancels.delete(lost[0]?.id ?? "");
  const ordered =
    set.length > 1
      ? [...ofKind("repeat"), ...cancels.values(), ...priorities]
      : [...ofKind("repeat"), ...priorities, ...cancels.values()];
  return ordered.slice(0, CHOICES_MOST);
}

function choiceOf(remedy: Remedy, set: readonly Conflict[], { recordings }: DecisionView): readonly Choice[] {
  const recording = recordings.get(remedy.recordingId);
  if (recording === undefined) return [];
  const known = (ids: readonly string[]) => ids.flatMap((id) => recordings.get(id) ?? []);
  switch (remedy.kind) {
    case "repeat":
      return [{ kind: "repeat", recording, repeat: remedy.repeat }];
    case "raise-priority": {
      const { to, loses, partly = [] } = remedy;
      const lost = known(loses.filter((id) => !partly.includes(id)));
      // Never hide a cost: who loses must be known by name.
      if (known(loses).length < loses.length) return [];
      return [{ kind: "priority", recording, to, lost, partly: known(partly) }];
    }
    case "withdraw": {
      const other = recordings.get(remedy.other);
      const saved = set.filter((one) => withdrawalOf(one) === remedy.other).map((one) => one.recording);
      return other === undefined ? [] : [{ kind: "cancel", recordings: saved, other }];
    }
    case "add-tuner":
    case "none":
      return [];
  }
}

/** Its repeat is on its way, or all that it could have instead has a priority that somebody set. */
function isSettled({ recording, remedies }: Conflict, { recordings }: DecisionView): boolean {
  if (recording.healing !== undefined && isHealing(recording.healing)) return true;
  const rivals = remedies.flatMap((remedy) => {
    if (remedy.kind === "withdraw") return [remedy.other];
    return remedy.kind === "raise-priority" ? remedy.loses : [];
  });
  return rivals.length > 0 && rivals.every((id) => recordings.get(id)?.override?.priority !== undefined);
}
