import { holdersText, remedyText } from "../../recorder/engine/core/planning-text.ts";
import { now } from "../clock.ts";
import { ask } from "../state/api.ts";
import { view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { repeatStepText, whenText } from "../words.ts";
import { ActionButton } from "./action.tsx";

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Conflicts: incomplete recordings, the tuners' holders, and possible remedies; the first `atMost` of them. */
export function Conflicts({ atMost = Number.POSITIVE_INFINITY }: { readonly atMost?: number }) {
  const snapshot = view.value;
  if (snapshot === undefined || snapshot.conflicts.size === 0) return null;
  const nameOf = (id: string) => snapshot.recordings.get(id);
  const startOf = ({ recordingId }: { readonly recordingId: string }) =>
    nameOf(recordingId)?.event.start ?? 0;
  const isOpen = [...snapshot.groups.values()].some(({ provisional }) => provisional === true);
  return (
    <section aria-labelledby="conflicts-title" class="conflicts">
      <h2 id="conflicts-title">Conflicts</h2>
      {isOpen ? <p class="faint">The search for a better plan continues.</p> : null}
      {[...snapshot.conflicts.values()]
        .toSorted((a, b) => startOf(a) - startOf(b))
        .slice(0, atMost)
        .map(({ recordingId, holders, remedies }) => {
          const recording = nameOf(recordingId);
          if (recording === undefined) return null;
          const { name, channelName, event, trim, trouble, timerId, healing } = recording;
          return (
            <article key={recordingId} class="card">
              <h3>
                <a href={detailLink(recordingId)}>{name}</a>
              </h3>
              <p class="faint">
                {channelName}, {whenText(event, now.value)}
              </p>
              <p>
                {holders.length === 0
                  ? (trouble?.text ?? trim?.text ?? "Its beginning is missing.")
                  : `${trim?.text ?? "No tuner is free."} ${holdersText(holders, nameOf, { timeZone: ZONE })}.`}
              </p>
              {healing === undefined ? null : <p>{repeatStepText(healing)}</p>}
              {remedies.length === 0 ? null : (
                <ul>
                  {remedies.map((remedy) => (
                    <li key={remedyText(remedy, nameOf, { timeZone: ZONE })}>
                      {remedyText(remedy, nameOf, { timeZone: ZONE })}
                      {remedy.kind === "repeat" ? <RecordRepeat name={name} timerId={timerId} /> : null}
                    </li>
                  ))}
                </ul>
              )}
            </article>
          );
        })}
    </section>
  );
}

/** Orders the repeat and cancels the timer that it replaces. */
function RecordRepeat({ name, timerId }: { readonly name: string; readonly timerId: string }) {
  return (
    <p class="buttons">
      <ActionButton
        act={() => ask("POST", `/v1/timers/${encodeURIComponent(timerId)}/repeat`)}
        done={`The repeat of ${name} is booked, and this timer is cancelled.`}
      >
        Record the repeat instead
      </ActionButton>
    </p>
  );
}
