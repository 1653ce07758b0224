import type { Holder, Part, Placed, Placement, PlanRequest, Remedy } from "../../../model/plan.ts";
import type { ConflictNews, NamedHolder, NamedRemedy, TrimNews } from "../../../model/plan-news.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import { formatTimeOfDay } from "../../../model/time.ts";
import type { Window } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { englishReader } from "../../../words/english.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { surroundings } from "../../plan/parts.ts";
import { conflictWords, holdersWords, remedyWords, trimWords } from "../../report/core/plan-words.ts";
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
export function conflictNews({
  holders,
  remedies: [first],
  nameOf,
}: {
  readonly holders: readonly Holder[];
  readonly remedies: readonly Remedy[];
  readonly nameOf: NameOf;
}): ConflictNews {
  const remedy = first === undefined ? undefined : namedRemedy(first, nameOf);
  return { holders: namedHolders(holders, nameOf), ...withoutUndefined({ remedy }) };
}

/** In a fixed order, so that equal news are equal texts. */
function namedHolders(holders: readonly Holder[], nameOf: NameOf): readonly NamedHolder[] {
  return holders
    .flatMap(({ tunerId, recordingId }) => {
      const holder = nameOf(recordingId);
      return holder === undefined ? [] : [{ tunerId, name: holder.name, window: holder.window }];
    })
    .sort((a, b) => (a.tunerId < b.tunerId ? -1 : 1));
}

function namedRemedy(remedy: Remedy, nameOf: NameOf): NamedRemedy {
  const name = (id: RecordingId) => nameOf(id)?.name ?? id;
  switch (remedy.kind) {
    case "withdraw":
      return { kind: "withdraw", name: name(remedy.other) };
    case "raise-priority":
      return { kind: "raise-priority", to: remedy.to, loses: remedy.loses.map(name) };
    case "add-tuner":
      return { kind: "add-tuner", like: remedy.like };
    case "none":
      return { kind: "none" };
    case "repeat": {
      const { event, channelName } = remedy.repeat;
      return { kind: "repeat", repeat: { event, channelName } };
    }
  }
}

export function conflictText(news: ConflictNews, { timeZone }: Zone): string {
  return conflictWords(news, englishReader(timeZone));
}

export function holdersText(holders: readonly Holder[], nameOf: NameOf, { timeZone }: Zone): string {
  return holdersWords(namedHolders(holders, nameOf), englishReader(timeZone));
}

export function remedyText(remedy: Remedy, nameOf: NameOf, { timeZone }: Zone): string {
  return remedyWords(namedRemedy(remedy, nameOf), englishReader(timeZone));
}

export function trimText(news: TrimNews, { timeZone }: Zone): string {
  return trimWords(news, englishReader(timeZone));
}

/** Why the plan does not count on the recording's tuner. */
export function doubtText({ document, world }: Draft, tunerId: string): string | undefined {
  const dead = document.health.quarantine[tunerId];
  if (dead === undefined) return undefined;
  const since = formatTimeOfDay(dead.since, world.policy.timeZone);
  return `Uncertain: tuner ${tunerId} has not worked since ${since} (${dead.code}), but the recorder tries it.`;
}

/** The trimmed parts of a recording and the recordings that needed them; `undefined` if people would not notice. */
export function trimNews(draft: Draft, placed: PlacedRequest<Placed>, span: Window): TrimNews | undefined {
  const { recording, request, placement, part } = placed;
  const nameOf = (id: RecordingId) => draft.recording(id);
  if (placement.begin > request.event.start) {
    const holders = holdersFor(request, { ...surroundings(part), tuners: draft.world.tuners });
    return { kind: "beginning", from: placement.begin, holders: namedHolders(holders, nameOf) };
  }
  const others = surroundings(part).placements.filter(
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
    other === undefined ? undefined : (nameOf(other.recordingId)?.name ?? other.recordingId);
  const beforeMs = span.start - recording.window.start;
  const afterMs = recording.window.stop - span.stop;
  const lateMs = Math.ceil(placement.seamMs / 1000) * 1000;
  if (beforeMs <= 0 && afterMs <= 0 && lateMs <= 0) return undefined;
  const neighbours = withoutUndefined({
    before: beforeMs > 0 || lateMs > 0 ? name(last) : undefined,
    after: afterMs > 0 ? name(next) : undefined,
  });
  return { kind: "padding", beforeMs, afterMs, lateMs, ...neighbours };
}
