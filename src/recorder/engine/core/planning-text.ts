import type { Holder, Part, Placed, Placement, PlanRequest, Remedy } from "../../../model/plan.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import { formatDuration, formatTimeOfDay } from "../../../model/time.ts";
import type { Window } from "../../../model/window.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { repeatText, spanText } from "../../report/core/message.ts";
import type { Draft } from "./draft.ts";

export interface PlacedRequest<P extends Placement = Placement> {
  readonly recording: Recording;
  readonly request: PlanRequest;
  readonly placement: P;
  readonly part: Part;
}

interface Zone {
  readonly timeZone: string;
}

type NameOf = (id: RecordingId) => Recording | undefined;

/** The recordings that block each tuner, and the cheapest remedy. */
export function conflictText(
  {
    holders,
    remedies,
    nameOf,
  }: {
    readonly holders: readonly Holder[];
    readonly remedies: readonly Remedy[];
    readonly nameOf: NameOf;
  },
  zone: Zone,
): string {
  const held = holdersText(holders, nameOf, zone);
  const why = `Conflict, no tuner is free${held === "" ? "" : `: ${held}`}.`;
  const [first] = remedies.map((remedy) => remedyText(remedy, nameOf, zone));
  return first === undefined ? why : `${why} ${first}`;
}

/**
 * Prints whole windows in a fixed order. The remaining part would change every second and cause a report each time.
 */
export function holdersText(holders: readonly Holder[], nameOf: NameOf, zone: Zone): string {
  return holders
    .flatMap(({ tunerId, recordingId }): readonly string[] => {
      const holder = nameOf(recordingId);
      return holder === undefined
        ? []
        : [`${tunerId} records “${holder.name}” ${spanText(holder.window, zone)}`];
    })
    .sort()
    .join("; ");
}

export function remedyText(remedy: Remedy, nameOf: NameOf, zone: Zone): string {
  const name = (id: RecordingId) => `“${nameOf(id)?.name ?? id}”`;
  switch (remedy.kind) {
    case "withdraw":
      return `Without ${name(remedy.other)} it would be recorded.`;
    case "raise-priority":
      return `With priority ${remedy.to} it would be recorded${
        remedy.loses.length === 0 ? "" : `, but these would lose a part: ${remedy.loses.map(name).join(", ")}`
      }.`;
    case "add-tuner":
      return `One more tuner like ${remedy.like} would record it.`;
    case "none":
      return "No single change would help: neither removing another recording, nor a higher priority, nor one more tuner.";
    case "repeat":
      return `Its repeat ${repeatText(remedy.repeat, zone)} would be recorded.`;
  }
}

/** Why the plan does not count on the recording's tuner. */
export function doubtText({ document, world }: Draft, tunerId: string): string | undefined {
  const dead = document.health.quarantine[tunerId];
  if (dead === undefined) return undefined;
  const since = formatTimeOfDay(dead.since, world.policy.timeZone);
  return `Uncertain: tuner ${tunerId} has not worked since ${since} (${dead.code}), but the recorder tries it.`;
}

/** The trimmed parts of a recording and the recordings that needed them; empty if people would not notice. */
export function trimText(draft: Draft, placed: PlacedRequest<Placed>, span: Window): string {
  const { recording, request, placement, part } = placed;
  const zone = draft.world.policy;
  const nameOf = (id: RecordingId) => draft.recording(id);
  if (placement.begin > request.event.start) {
    const holders = holdersFor(request, { ...part, tuners: draft.world.tuners });
    const held = holdersText(holders, nameOf, zone);
    return `Only in part, from ${formatTimeOfDay(placement.begin, zone.timeZone)} on, as no tuner is free before${
      held === "" ? "" : `: ${held}`
    }.`;
  }
  const others = part.placements.filter(
    (other): other is Placed =>
      other.kind === "placed" && other.tunerId === placement.tunerId && other.recordingId !== recording.id,
  );
  const next = others
    .filter((other) => other.span.start >= span.stop)
    .sort((a, b) => a.span.start - b.span.start)[0];
  const last = others
    .filter((other) => other.span.stop <= span.start)
    .sort((a, b) => b.span.stop - a.span.stop)[0];
  const name = (other: Placed | undefined) =>
    other === undefined ? "another recording" : `“${nameOf(other.recordingId)?.name ?? other.recordingId}”`;
  const parts: string[] = [];
  const beforeMs = span.start - recording.window.start;
  const afterMs = recording.window.stop - span.stop;
  if (beforeMs > 0) parts.push(`${formatDuration(beforeMs)} less before, after ${name(last)}`);
  if (afterMs > 0) parts.push(`${formatDuration(afterMs)} less after, for ${name(next)}`);
  if (placement.seamMs > 0)
    parts.push(
      `begins up to ${formatDuration(Math.ceil(placement.seamMs / 1000) * 1000)} late, after ${name(last)}`,
    );
  return parts.length === 0 ? "" : `Padding trimmed: ${parts.join("; ")}.`;
}
