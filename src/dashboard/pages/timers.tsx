import { useComputed, useSignal } from "@preact/signals";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { now } from "../clock.ts";
import { StateChip } from "../parts/chip.tsx";
import { LongList } from "../parts/long-list.tsx";
import { view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { whenText } from "../words.ts";

const FILTERS = {
  "to come": ({ state }: Recording) => !isTerminal(state),
  running: ({ state }: Recording) => inMotion(state),
  trouble: ({ state, trouble }: Recording) =>
    ["conflicted", "waiting", "failed", "missed", "partial"].includes(state) || trouble !== undefined,
  ended: ({ state }: Recording) => isTerminal(state),
  all: () => true,
} as const;
type Filter = keyof typeof FILTERS;

const ROW_PX = 76;

/** Timers with their state here and at the service, and the latest report to the service. */
export function TimersPage() {
  const filter = useSignal<Filter>("to come");
  const text = useSignal("");
  const recordings = useComputed(() => view.value?.recordings);
  const shown = useComputed(() =>
    matchingTimers([...(recordings.value?.values() ?? [])], filter.value, text.value),
  );
  return (
    <>
      <div class="bar-of-page">
        <h1>Timers</h1>
        <Search label="Search timers" onInput={(value) => (text.value = value)} />
      </div>
      <fieldset class="buttons choice">
        <legend class="hidden">Which timers</legend>
        {(Object.keys(FILTERS) as Filter[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter.value === name}
            onClick={() => (filter.value = name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <p class="faint" role="status">
        {shown.value.length === 1 ? "1 timer" : `${shown.value.length} timers`}
      </p>
      <LongList
        label="Timers"
        items={shown.value}
        rowPx={ROW_PX}
        keyOf={({ id }) => id}
        row={(recording) => <TimerRow recording={recording} />}
      />
    </>
  );
}

export function Search({
  label,
  onInput,
}: {
  readonly label: string;
  readonly onInput: (text: string) => void;
}) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

function matchingTimers(
  recordings: readonly Recording[],
  filter: Filter,
  text: string,
): readonly Recording[] {
  const wanted = text.trim().toLowerCase();
  const fits = FILTERS[filter];
  const those = recordings.filter(
    (recording) =>
      fits(recording) &&
      (wanted === "" || `${recording.name} ${recording.channelName}`.toLowerCase().includes(wanted)),
  );
  // Ended timers: latest first; upcoming ones: next first.
  const sign = filter === "ended" ? -1 : 1;
  return those.sort((a, b) => sign * (a.event.start - b.event.start) || (a.id < b.id ? -1 : 1));
}

function TimerRow({ recording }: { readonly recording: Recording }) {
  const { id, name, channelName, event, state, reported, trouble, tunerId } = recording;
  const message = reported?.message ?? trouble?.text ?? "";
  return (
    <a href={detailLink(id)} class="line">
      <span class="line-main">
        <strong>{name}</strong>
        <span class="faint">
          {whenText(event, now.value)} · {channelName}
          {tunerId === undefined || isTerminal(state) ? "" : ` · ${tunerId}`}
        </span>
        <span class="faint message">{message}</span>
      </span>
      <span class="line-side">
        <StateChip state={state} />
        <span class="faint">
          {reported?.state === undefined ? "not reported yet" : `service: ${reported.state}`}
        </span>
      </span>
    </a>
  );
}
