import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DAY, HOUR } from "../../model/time.ts";
import { loadBoxes } from "../boxes.ts";
import { after, now } from "../clock.ts";
import { byShow, loadShows, loadStations, type Show, stationName, stations } from "../guide-data.ts";
import { bound } from "../parts/bound.ts";
import { StateChip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { LongList } from "../parts/long-list.tsx";
import { session } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { dayText, whenText } from "../words.ts";
import { GuideGrid } from "./guide-grid.tsx";
import { ShowDialog } from "./show.tsx";

/** The number of days that the guide covers. */
const DAYS = 14;
/** The delay after typing before a search starts. */
const TYPING_MS = 300;

function midnight(days: number): number {
  const today = new Date(now.peek());
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
}

/** The programme by channel, or the results of a search; each show can be ordered. */
export function GuidePage() {
  const day = useSignal(0);
  const text = useSignal("");
  const shows = useSignal<readonly Show[] | undefined>(undefined);
  const failure = useSignal("");
  const chosen = useSignal<Show | undefined>(undefined);
  /** Short shows that share one cell of the grid. */
  const short = useSignal<readonly Show[]>([]);
  const search = text.value.trim();
  const sought = say(
    session.value?.guideServer === undefined ? "programme-search" : "programme-search-titles",
  );
  const from = midnight(day.value);

  useEffect(() => {
    let isOver = false;
    async function load(): Promise<void> {
      try {
        await Promise.all([loadStations(), loadBoxes()]);
        const wanted = search === "" ? { from, to: midnight(day.value + 1) } : { from: now.peek(), search };
        const found = await loadShows(wanted);
        if (isOver) return;
        shows.value = found;
        failure.value = "";
      } catch (error) {
        // A request that is no longer needed may fail.
        if (!isOver) failure.value = error instanceof Error ? error.message : String(error);
      }
    }
    shows.value = undefined;
    const callOff = after(search === "" ? 0 : TYPING_MS, () => void load());
    return () => {
      isOver = true;
      callOff();
    };
  }, [search, day.value, from, shows, failure]);

  return (
    <>
      <div class="bar-of-page">
        <h1>{say("programme-title")}</h1>
        <input type="search" aria-label={sought} placeholder={sought} {...bound(text)} />
      </div>
      {search === "" ? (
        <fieldset class="buttons choice">
          <legend class="hidden">{say("programme-day")}</legend>
          <button
            type="button"
            aria-label={say("programme-day-before")}
            disabled={day.value === 0}
            onClick={() => (day.value -= 1)}
          >
            ‹
          </button>
          <strong class="day">{dayText(from + 12 * HOUR, now.value)}</strong>
          <button
            type="button"
            aria-label={say("programme-day-after")}
            disabled={day.value === DAYS}
            onClick={() => (day.value += 1)}
          >
            ›
          </button>
        </fieldset>
      ) : null}
      <p class="faint" role="status">
        {failure.value !== ""
          ? failure.value
          : shows.value === undefined
            ? say("frame-loading")
            : say("programme-shows", { count: shows.value.length })}
      </p>
      {shows.value === undefined ? null : search === "" ? (
        <GuideGrid
          stations={stations.value ?? []}
          shows={shows.value}
          range={{ start: from, stop: from + DAY + HOUR }}
          onChoose={(several) => {
            if (several.length > 1) short.value = several;
            else chosen.value = several[0];
          }}
        />
      ) : (
        <SearchResults
          shows={shows.value}
          onChoose={(show) => {
            chosen.value = show;
          }}
        />
      )}
      {short.value.length === 0 ? null : (
        <ShortShows
          shows={short.value}
          onClose={() => (short.value = [])}
          onChoose={(show) => {
            short.value = [];
            chosen.value = show;
          }}
        />
      )}
      {chosen.value === undefined ? null : (
        <ShowDialog
          show={chosen.value}
          onClose={() => {
            chosen.value = undefined;
          }}
          onAlike={(title) => {
            chosen.value = undefined;
            text.value = title;
          }}
        />
      )}
    </>
  );
}

function ShortShows({
  shows,
  onChoose,
  onClose,
}: {
  readonly shows: readonly Show[];
  readonly onChoose: (show: Show) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={say("programme-short-title")} onClose={onClose}>
      <ul class="short-shows">
        {shows.map((show) => (
          <li key={show.id}>
            <button type="button" onClick={() => onChoose(show)}>
              {reader().span(show)} <strong>{show.title}</strong>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function SearchResults({
  shows,
  onChoose,
}: {
  readonly shows: readonly Show[];
  readonly onChoose: (show: Show) => void;
}) {
  return (
    <LongList
      label={say("programme-results")}
      items={shows.toSorted((a, b) => a.start - b.start)}
      rowPx={76}
      keyOf={({ id }) => String(id)}
      row={(show) => {
        const recording = byShow.value.get(String(show.id));
        return (
          <button type="button" class="line" onClick={() => onChoose(show)}>
            <span class="line-main">
              <strong>{show.title}</strong>
              <span class="faint">
                {whenText(show, now.value)} · {stationName(show.channelId)}
              </span>
              <span class="faint message">{show.programme.subtitle ?? show.programme.description}</span>
            </span>
            <span class="line-side">
              {recording === undefined ? null : <StateChip state={recording.state} />}
            </span>
          </button>
        );
      }}
    />
  );
}
