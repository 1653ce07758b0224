import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SpaceFacts } from "../../model/space.ts";
import { now } from "../clock.ts";
import { decisionsOf } from "../decisions.ts";
import { Decisions } from "../parts/decisions.tsx";
import { roomHours } from "../space-words.ts";
import { reader, say, sayWith } from "../state/language.ts";
import { returnCount, view } from "../state/live.ts";
import { loadProgress, progress } from "../state/progress.ts";
import type { View } from "../state/view.ts";
import { type Lead, leadOf, lostOf, morningAfter, newOf, nextOf, runningOf } from "../tonight.ts";
import { NowCard, Part, Row, ShelfItem } from "./tonight-lists.tsx";

/** The start page: what is recorded until tomorrow morning, what needs a decision, and what is new to watch. */
export function TonightPage() {
  useEffect(() => void loadProgress(), [returnCount.value]);
  const recordings = useComputed(() => [...(view.value?.recordings.values() ?? [])]);
  const entries = useComputed(() => [...(view.value?.entries.values() ?? [])]);
  const until = useComputed(() => morningAfter(now.value, reader().timeZone));
  const running = useComputed(() => runningOf(recordings.value));
  const next = useComputed(() => nextOf(recordings.value, until.value));
  const lost = useComputed(() => lostOf(recordings.value, now.value));
  const fresh = useComputed(() =>
    newOf(entries.value, (recordingId) => progress.value.get(recordingId)?.isFinished === true),
  );
  const decisions = useComputed(() => (view.value === undefined ? 0 : openDecisions(view.value)));
  const space = view.value?.facts.space;
  return (
    <div class="tonight">
      <header>
        <h1>{leadText(leadOf({ running: running.value, next: next.value }))}</h1>
        {decisions.value === 0 ? null : (
          <p class="decisions-open">{say("tonight-decisions", { count: decisions.value })}</p>
        )}
      </header>
      <Decisions />
      <Part
        id="now"
        title={say("tonight-now")}
        items={running.value}
        allAt="/timers"
        kind="now-cards"
        row={(one) => <NowCard key={one.id} recording={one} />}
      />
      <Part
        id="next"
        title={say("tonight-next")}
        items={next.value}
        allAt="/timers"
        kind="rows"
        row={(one) => <Row key={one.id} recording={one} />}
      />
      <Part
        id="lost"
        title={say("tonight-lost")}
        items={lost.value}
        allAt="/timers"
        kind="rows"
        row={(one) => <Row key={one.id} recording={one} />}
      />
      <Part
        id="new"
        title={say("tonight-new")}
        items={fresh.value}
        allAt="/recordings"
        kind="shelf"
        row={(one) => <ShelfItem key={one.recordingId} entry={one} />}
      />
      {entries.value.some(({ deleted }) => deleted === undefined) || running.value.length > 0 ? null : (
        <Start />
      )}
      {space === undefined || space.level === "offline" ? null : <Space space={space} />}
    </div>
  );
}

/** Those that wait for somebody, and offer a choice. */
function openDecisions(snapshot: View): number {
  return decisionsOf(snapshot).filter(({ isSettled, choices }) => !isSettled && choices.length > 0).length;
}

function Space({ space }: { readonly space: SpaceFacts }) {
  const { fills } = space;
  return (
    <p class="faint">
      {say("tonight-hours", { hours: roomHours(space) })}{" "}
      {fills?.by === "plan" ? (
        <a href="/tuners">{say("tonight-full", { at: reader().inside.at(fills.at, now.value) })}</a>
      ) : null}
    </p>
  );
}

function leadText(lead: Lead): string {
  switch (lead.kind) {
    case "nothing":
      return say("tonight-nothing");
    case "only-running":
      return say("tonight-only-running", { count: lead.count });
    case "all":
      return say("tonight-all", { count: lead.count });
    case "some":
      return say("tonight-some", { planned: lead.planned, count: lead.count });
  }
}

/** For a home that has recorded nothing yet. */
function Start() {
  return <p class="card">{sayWith({ link: (text) => <a href="/guide">{text}</a> }, "tonight-start")}</p>;
}
