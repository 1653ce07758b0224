import { useComputed, useSignal } from "@preact/signals";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { now } from "../clock.ts";
import { Chip } from "../parts/chip.tsx";
import { Empty, GUIDE_LINKS } from "../parts/empty.tsx";
import { focusPage } from "../parts/focus.ts";
import { GenreName, genreMark } from "../parts/genre.tsx";
import { ChannelName } from "../parts/logo.tsx";
import { LongList } from "../parts/long-list.tsx";
import { Search } from "../parts/search.tsx";
import { type Mark, outcomeOf, outcomeWords } from "../parts/verdict.ts";
import { resultSentences, troubleSentence } from "../result-text.ts";
import { say, sayWith } from "../state/language.ts";
import { view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { whenText } from "../words.ts";

const FILTERS = {
  upcoming: ({ state }: Recording) => !isTerminal(state),
  running: ({ state }: Recording) => inMotion(state),
  trouble: (recording: Recording) =>
    isBad(outcomeWords(outcomeOf(recording))) || troubleOf(recording) !== undefined,
  ended: ({ state }: Recording) => isTerminal(state),
  all: () => true,
} as const;
type Filter = keyof typeof FILTERS;

const ROW_PX = 76;

/** Timers with their state, and what is wrong with them. */
export function TimersPage() {
  const filter = useSignal<Filter>("upcoming");
  const text = useSignal("");
  const recordings = useComputed(() => view.value?.recordings);
  const shown = useComputed(() =>
    matchingTimers([...(recordings.value?.values() ?? [])], filter.value, text.value),
  );
  function showAll(): void {
    focusPage();
    text.value = "";
    filter.value = "all";
  }
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-timers")}</h1>
        <Search label={say("timers-search")} text={text} />
      </div>
      <fieldset class="buttons choice">
        <legend class="hidden">{say("timers-which")}</legend>
        {(Object.keys(FILTERS) as Filter[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter.value === name}
            onClick={() => (filter.value = name)}
          >
            {say(`timers-filter-${name}`)}
          </button>
        ))}
      </fieldset>
      {shown.value.length === 0 ? (
        <NoTimers hasAny={(recordings.value?.size ?? 0) > 0} showAll={showAll} />
      ) : (
        <p class="faint" role="status">
          {say("timers-count", { count: shown.value.length })}
        </p>
      )}
      <LongList
        label={say("nav-timers")}
        items={shown.value}
        rowPx={ROW_PX}
        keyOf={({ id }) => id}
        row={(recording) => <TimerRow recording={recording} />}
      />
    </>
  );
}

function NoTimers({ hasAny, showAll }: { readonly hasAny: boolean; readonly showAll: () => void }) {
  if (!hasAny) return <Empty title={say("timers-empty")}>{sayWith(GUIDE_LINKS, "timers-empty-next")}</Empty>;
  return (
    <Empty title={say("timers-none-match")}>
      {say("timers-none-match-next")}{" "}
      <button type="button" onClick={showAll}>
        {say("timers-show-all")}
      </button>
    </Empty>
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
  const { id, name, channelId, channelName, event, state, reported, tunerId, programme } = recording;
  return (
    <a href={detailLink(id)} class="line" {...genreMark(programme?.genre)}>
      <span class="line-main">
        <strong dir="auto">
          {name}
          <GenreName genre={programme?.genre} />
        </strong>
        <span class="faint">
          {whenText(event, now.value)} · <ChannelName channelId={channelId} name={channelName} />
          {tunerId === undefined || isTerminal(state) ? "" : ` · ${tunerId}`}
        </span>
        <span class="faint message" dir="auto">
          {troubleOf(recording) ?? programme?.subtitle}
        </span>
      </span>
      <span class="line-side">
        <Chip {...outcomeWords(outcomeOf(recording))} />
        <span class="faint">{reported?.state === undefined ? say("detail-not-reported") : ""}</span>
      </span>
    </a>
  );
}

function isBad({ tone }: Mark): boolean {
  return tone === "warn" || tone === "bad";
}

/** The trouble of a timer, if it matters. The trouble of a recording that ended well is over. */
function troubleOf(recording: Recording): string | undefined {
  const { state, trouble, trim } = recording;
  if (isTerminal(state) && !isBad(outcomeWords(outcomeOf(recording)))) return undefined;
  if (trouble !== undefined) return troubleSentence(recording);
  return trim === undefined ? undefined : resultSentences(recording)[0];
}
