import { type Signal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DAY, HOUR, MINUTE } from "../../model/time.ts";
import { now } from "../clock.ts";
import { byShow, type Show, stationName, stations } from "../guide-data.ts";
import { bound } from "../parts/bound.ts";
import { StateChip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { GenreName, genreMark } from "../parts/genre.tsx";
import { ChannelName } from "../parts/logo.tsx";
import { LongList } from "../parts/long-list.tsx";
import { QuickOrders } from "../parts/orders.tsx";
import { primeTimeOf } from "../prime-time.ts";
import type { RuleDraft } from "../rules/form.ts";
import { RuleDialog } from "../rules/rule-dialog.tsx";
import { session } from "../state/api.ts";
import { reader, say } from "../state/language.ts";
import { returnCount } from "../state/live.ts";
import { loadLogos } from "../state/logos.ts";
import { isPhone } from "../state/phone.ts";
import { loadReach } from "../state/reach.ts";
import { useShows } from "../use-shows.ts";
import { dayText, whenText } from "../words.ts";
import { GuideGrid } from "./guide-grid.tsx";
import { NowNext } from "./now-next.tsx";
import { ShowDialog } from "./show.tsx";

/** The number of days that the guide covers. */
const DAYS = 14;
/** So far ahead, each channel has a next show. */
const NEXT_MS = 7 * HOUR;

/** Two looks of the guide. A phone begins with what is on now. */
const LOOKS = ["now", "grid"] as const;
type Look = (typeof LOOKS)[number];

function midnight(days: number): number {
  const today = new Date(now.peek());
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days).getTime();
}

/** The present time on the first day, the evening on others. */
function goalOf(days: number): { readonly at: number } {
  return { at: days === 0 ? now.peek() : primeTimeOn(days) };
}

/** By the clock: on some nights it is changed. */
function primeTimeOn(days: number): number {
  const day = new Date(midnight(days));
  day.setMinutes(primeTimeOf(reader().locale) / MINUTE);
  return day.getTime();
}

/** The programme by channel, or the results of a search; each show can be ordered. */
export function GuidePage() {
  const look = useSignal<Look>(isPhone.peek() ? "now" : "grid");
  const day = useSignal(0);
  const goal = useSignal(goalOf(0));
  const text = useSignal("");
  const chosen = useSignal<Show | undefined>(undefined);
  /** Short shows that share one cell of the grid. */
  const short = useSignal<readonly Show[]>([]);
  /** The rule that a show or a search begins. */
  const draft = useSignal<RuleDraft | undefined>(undefined);
  const hour = useComputed(() => Math.floor(now.value / HOUR) * HOUR);
  const search = text.value.trim();
  const from = midnight(day.value);
  const { shows, failure } = useShows(
    search !== ""
      ? { search, from: hour.value }
      : look.value === "now"
        ? { search, from: hour.value, to: hour.value + NEXT_MS }
        : { search, from, to: midnight(day.value + 1) },
  );
  useEffect(() => {
    // A guide server has neither logos nor live television.
    if (session.peek()?.guideServer !== undefined) return;
    // New channels may have come.
    void loadLogos();
    // Without it, names of channels are no links.
    loadReach().catch(() => {});
  }, [returnCount.value]);
  const choose = (show: Show | undefined) => (chosen.value = show);
  function goTo(days: number, at = goalOf(days)): void {
    day.value = days;
    goal.value = at;
  }
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-guide")}</h1>
        <SearchField text={text} />
      </div>
      {search !== "" ? null : (
        <div class="guide-bar">
          <LookChoice look={look} />
          {look.value === "grid" ? <Times day={day.value} onGo={goTo} /> : null}
        </div>
      )}
      <p class="faint" role="status">
        {failure.value !== ""
          ? failure.value
          : shows.value === undefined
            ? say("frame-loading")
            : search === "" && look.value === "now"
              ? ""
              : say("programme-shows", { count: shows.value.length })}
      </p>
      {shows.value === undefined ? null : search !== "" ? (
        <>
          <RuleOfSearch search={search} onRule={(begun) => (draft.value = begun)} />
          <SearchResults shows={shows.value} onChoose={choose} />
        </>
      ) : stations.value?.length === 0 ? (
        <Empty title={say("programme-empty")}>{say("programme-empty-next")}</Empty>
      ) : look.value === "now" ? (
        <NowNext stations={stations.value ?? []} shows={shows.value} onChoose={choose} />
      ) : (
        <GuideGrid
          stations={stations.value ?? []}
          shows={shows.value}
          range={{ start: from, stop: from + DAY + HOUR }}
          goal={goal.value}
          onChoose={(several) => {
            if (several.length > 1) short.value = several;
            else choose(several[0]);
          }}
        />
      )}
      {short.value.length === 0 ? null : (
        <ShortShows
          shows={short.value}
          onClose={() => (short.value = [])}
          onChoose={(show) => {
            short.value = [];
            choose(show);
          }}
        />
      )}
      {chosen.value === undefined ? null : (
        <ShowDialog
          show={chosen.value}
          onClose={() => choose(undefined)}
          onAlike={(title) => {
            choose(undefined);
            text.value = title;
          }}
          onRule={(begun) => {
            choose(undefined);
            draft.value = begun;
          }}
        />
      )}
      {draft.value === undefined ? null : (
        <RuleDialog draft={draft.value} onClose={() => (draft.value = undefined)} />
      )}
    </>
  );
}

/** Makes the search a rule. It looks through the same texts. */
function RuleOfSearch({
  search,
  onRule,
}: {
  readonly search: string;
  readonly onRule: (draft: RuleDraft) => void;
}) {
  const isServer = session.value?.guideServer !== undefined;
  return (
    <p class="buttons">
      <button type="button" onClick={() => onRule({ words: search, ...(isServer ? {} : { within: "all" }) })}>
        {say("rules-from-search")}
      </button>
    </p>
  );
}

function SearchField({ text }: { readonly text: Signal<string> }) {
  const sought = say(
    session.value?.guideServer === undefined ? "programme-search" : "programme-search-titles",
  );
  return <input type="search" aria-label={sought} placeholder={sought} {...bound(text)} />;
}

function LookChoice({ look }: { readonly look: Signal<Look> }) {
  return (
    <fieldset class="buttons choice">
      <legend class="hidden">{say("programme-look")}</legend>
      {LOOKS.map((one) => (
        <button key={one} type="button" aria-pressed={look.value === one} onClick={() => (look.value = one)}>
          {say(`programme-look-${one}`)}
        </button>
      ))}
    </fieldset>
  );
}

/** The day of the grid, and jumps to times. */
function Times({
  day,
  onGo,
}: {
  readonly day: number;
  readonly onGo: (day: number, goal?: { readonly at: number }) => void;
}) {
  return (
    <fieldset class="buttons choice">
      <legend class="hidden">{say("programme-day")}</legend>
      <button
        type="button"
        aria-label={say("programme-day-before")}
        disabled={day === 0}
        onClick={() => onGo(day - 1)}
      >
        ‹
      </button>
      <strong class="day">{dayText(midnight(day) + 12 * HOUR, now.value)}</strong>
      <button
        type="button"
        aria-label={say("programme-day-after")}
        disabled={day === DAYS}
        onClick={() => onGo(day + 1)}
      >
        ›
      </button>
      <button type="button" onClick={() => onGo(0)}>
        {say("timeline-now")}
      </button>
      <button type="button" onClick={() => onGo(day, { at: primeTimeOn(day) })}>
        {say("programme-prime-time")}
      </button>
    </fieldset>
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
              {reader().span(show)}{" "}
              <strong>
                <bdi>{show.title}</bdi>
              </strong>
            </button>
            <QuickOrders show={show} />
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
          <div class="search-result">
            <button
              type="button"
              class="line"
              {...genreMark(show.programme.genre)}
              onClick={() => onChoose(show)}
            >
              <span class="line-main">
                <strong dir="auto">
                  {show.title}
                  <GenreName genre={show.programme.genre} />
                </strong>
                <span class="faint">
                  {whenText(show, now.value)} ·{" "}
                  <ChannelName channelId={String(show.channelId)} name={stationName(show.channelId)} />
                </span>
                <span class="faint message" dir="auto">
                  {show.programme.subtitle ?? show.programme.description}
                </span>
              </span>
              <span class="line-side">
                {recording === undefined ? null : <StateChip state={recording.state} />}
              </span>
            </button>
            <QuickOrders show={show} />
          </div>
        );
      }}
    />
  );
}
