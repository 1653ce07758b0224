import { now } from "../clock.ts";
import { genreText } from "../genre.ts";
import { GAP_PX, type GuideCell } from "../guide-cells.ts";
import { byShow, type Show } from "../guide-data.ts";
import { reader, say } from "../state/language.ts";
import { clockText, stateWords } from "../words.ts";
import { genreMark } from "./genre.tsx";
import { QuickOrders } from "./orders.tsx";

/** A narrower cell has no room for letters, only for a mark. */
const NARROW_PX = 48;
/** From this width on, a cell has room for buttons beside its title. A narrower one gets it when it is pointed at. */
const ROOMY_PX = 120;
/** The width of a show in a cell that is pointed at or has the focus. */
const GROWN_PX = 240;

interface CellProps {
  readonly cell: GuideCell<Show>;
  readonly heightPx: number;
  /** The visible part of the row. */
  readonly seen: { readonly left: number; readonly right: number };
  /** The shows of a cell: several if they are short. */
  readonly onChoose: (shows: readonly Show[]) => void;
}

/** One place in a row of the grid. */
export function Cell({ cell: { shows, leftPx, widthPx }, heightPx, seen, onChoose }: CellProps) {
  const [show] = shows;
  if (show === undefined) return null;
  const isNarrow = widthPx < NARROW_PX || shows.length > 1;
  const grownPx = GROWN_PX * shows.length;
  // The title of a show that began before the visible part.
  const behindPx = Math.max(0, Math.min(seen.left - leftPx, widthPx - NARROW_PX));
  return (
    <li
      class={widthPx < ROOMY_PX || isNarrow ? "grows" : ""}
      style={{
        height: `${heightPx}px`,
        "--left": `${leftPx}px`,
        "--width": `${widthPx - GAP_PX}px`,
        "--grown-left": `${Math.max(seen.left, Math.min(leftPx, seen.right - grownPx))}px`,
        "--grown-width": `${grownPx}px`,
        "--behind": `${behindPx}px`,
      }}
    >
      {shows.length === 1 ? (
        <>
          <ShowButton show={show} isNarrow={isNarrow} onChoose={onChoose} />
          <QuickOrders show={show} />
        </>
      ) : (
        <SharedCell shows={shows} widthPx={widthPx} onChoose={onChoose} />
      )}
    </li>
  );
}

/** Several short shows. Who points at it, or reaches it by keys, sees each of them. */
function SharedCell({
  shows,
  widthPx,
  onChoose,
}: Pick<CellProps, "onChoose"> & Pick<GuideCell<Show>, "shows" | "widthPx">) {
  const titles = reader().list(shows.map(({ title }) => title));
  const isRoomy = widthPx >= ROOMY_PX;
  const words = shows.map(wordsOf).find((one) => one !== undefined);
  return (
    <>
      <button
        type="button"
        class={`cell narrow ${words?.tone ?? ""}`}
        {...genreMark(shows[0]?.programme.genre)}
        onClick={() => onChoose(shows)}
      >
        <span class={isRoomy ? "cell-more" : "cell-count"} aria-hidden="true">
          {words?.mark} {isRoomy ? <bdi>{shows[0]?.title}</bdi> : null} +{reader().number(shows.length - 1)}
        </span>
        <span class="hidden">{say("programme-short-shows", { count: shows.length, titles })}</span>
      </button>
      <span class="grown">
        {shows.map((show) => (
          <span key={show.id} class="grown-show">
            <ShowButton show={show} isNarrow={false} onChoose={onChoose} />
            <QuickOrders show={show} />
          </span>
        ))}
      </span>
    </>
  );
}

function ShowButton({
  show,
  isNarrow,
  onChoose,
}: Pick<CellProps, "onChoose"> & { readonly show: Show; readonly isNarrow: boolean }) {
  const { title, start, stop, programme } = show;
  const words = wordsOf(show);
  // For what is only a mark or a colour.
  const more = [programme.genre && genreText(programme.genre), words?.text].filter(
    (one) => one !== undefined,
  );
  const isPast = stop < now.value;
  const at = say("programme-show-at", { title, when: reader().inside.when(show, now.value) });
  return (
    <button
      type="button"
      class={`cell ${words?.tone ?? ""} ${isPast ? "past" : ""} ${isNarrow ? "narrow" : ""}`}
      title={[at, ...more].join(" · ")}
      {...genreMark(programme.genre)}
      onClick={() => onChoose([show])}
    >
      {words === undefined ? null : (
        <span class="cell-mark" aria-hidden="true">
          {words.mark}{" "}
        </span>
      )}
      <span class="cell-words">
        <span class="cell-title" dir="auto">
          {title}
        </span>
        <span class="cell-time">
          {" "}
          {clockText(start)} <bdi>{programme.subtitle}</bdi>
        </span>
      </span>
      <span class="hidden">{more.map((one) => ` · ${one}`).join("")}</span>
    </button>
  );
}

/** The state of its recording. */
function wordsOf({ id }: Show): ReturnType<typeof stateWords> | undefined {
  const recording = byShow.value.get(String(id));
  return recording === undefined ? undefined : stateWords(recording.state);
}
