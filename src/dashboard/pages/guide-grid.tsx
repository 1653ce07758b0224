import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { HOUR } from "../../model/time.ts";
import { overlaps, type Window } from "../../model/window.ts";
import { now } from "../clock.ts";
import { byShow, type Show, type Station } from "../guide-data.ts";
import { ticksOf } from "../timeline-axis.ts";
import { clockText, stateWords, whenText } from "../words.ts";

const ROW_PX = 60;
const AXIS_PX = 32;
const PX_PER_HOUR = 210;
const NAMES_PX = 120;
/** The margin rendered beyond the edges, for scrolling and for the keyboard. */
const BEYOND_PX = 300;

/** Channels as rows, time from left to right; only the visible part is rendered. */
export function GuideGrid({
  stations,
  shows,
  range,
  onChoose,
}: {
  readonly stations: readonly Station[];
  readonly shows: readonly Show[];
  readonly range: Window;
  readonly onChoose: (show: Show) => void;
}) {
  const scroller = useRef<HTMLElement>(null);
  const seen = useSignal({ left: 0, top: 0, width: 1200, height: 800 });
  const given = useSignal(shows);
  given.value = shows;
  const byChannel = useComputed(() => channelsOf(given.value));
  const xOf = (at: number) => ((at - range.start) / HOUR) * PX_PER_HOUR;

  function look(): void {
    const element = scroller.current;
    if (element === null) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
    seen.value = { left, top, width, height };
  }

  // The initial position depends only on the day.
  useLayoutEffect(() => {
    const isToday = range.start <= now.peek() && now.peek() < range.stop;
    scroller.current?.scrollTo({
      left: isToday ? xOf(now.peek()) - PX_PER_HOUR / 2 : xOf(range.start + 18 * HOUR),
      top: 0,
    });
    look();
  }, [range.start]);

  const { left, top, width, height } = seen.value;
  const visible: Window = {
    start: range.start + ((left - BEYOND_PX) / PX_PER_HOUR) * HOUR,
    stop: range.start + ((left + width + BEYOND_PX) / PX_PER_HOUR) * HOUR,
  };
  const first = Math.max(0, Math.floor((top - BEYOND_PX) / ROW_PX));
  const rows = stations.slice(first, Math.ceil((top + height + BEYOND_PX) / ROW_PX));
  const ticks = ticksOf(
    { start: Math.max(visible.start, range.start), stop: Math.min(visible.stop, range.stop) },
    PX_PER_HOUR,
  );
  return (
    <section
      ref={scroller}
      class="grid-scroller"
      aria-label="Programme by channel and time"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onScroll={look}
    >
      <div
        class="grid"
        style={{
          width: `${NAMES_PX + xOf(range.stop)}px`,
          height: `${AXIS_PX + stations.length * ROW_PX}px`,
        }}
      >
        <div class="grid-axis" aria-hidden="true" style={{ height: `${AXIS_PX}px` }}>
          {ticks.map(({ at }) => (
            <span key={at} style={{ left: `${NAMES_PX + xOf(at)}px` }}>
              {clockText(at)}
            </span>
          ))}
        </div>
        <div class="grid-names" aria-hidden="true" style={{ width: `${NAMES_PX}px` }}>
          {rows.map(({ id, name }, index) => (
            <span key={id} style={{ top: `${(first + index) * ROW_PX}px`, height: `${ROW_PX}px` }}>
              {name}
            </span>
          ))}
        </div>
        {rows.map(({ id, name }, index) => (
          <ul
            key={id}
            aria-label={name}
            style={{ top: `${AXIS_PX + (first + index) * ROW_PX}px`, left: `${NAMES_PX}px` }}
          >
            {(byChannel.value.get(id) ?? [])
              .filter((show) => overlaps(show, visible))
              .map((show) => (
                <Cell key={show.id} show={show} xOf={xOf} range={range} onChoose={onChoose} />
              ))}
          </ul>
        ))}
        <div
          class="grid-now"
          aria-hidden="true"
          style={{ left: `${NAMES_PX + xOf(now.value)}px`, top: `${AXIS_PX}px` }}
          hidden={now.value < range.start || now.value > range.stop}
        />
      </div>
    </section>
  );
}

function channelsOf(shows: readonly Show[]): ReadonlyMap<string, readonly Show[]> {
  const found = new Map<string, Show[]>();
  for (const show of shows) {
    const key = String(show.channelId);
    const those = found.get(key);
    if (those === undefined) found.set(key, [show]);
    else those.push(show);
  }
  return found;
}

function Cell({
  show,
  xOf,
  range,
  onChoose,
}: {
  readonly show: Show;
  readonly xOf: (at: number) => number;
  readonly range: Window;
  readonly onChoose: (show: Show) => void;
}) {
  const recording = byShow.value.get(String(show.id));
  const words = recording === undefined ? undefined : stateWords(recording.state);
  const from = xOf(Math.max(show.start, range.start));
  const until = xOf(Math.min(show.stop, range.stop));
  return (
    <li style={{ left: `${from}px`, width: `${Math.max(4, until - from - 2)}px`, height: `${ROW_PX - 4}px` }}>
      <button
        type="button"
        class={`cell ${words?.tone ?? ""} ${show.stop < now.value ? "past" : ""}`}
        title={`${show.title}, ${whenText(show, now.value)}`}
        onClick={() => onChoose(show)}
      >
        <span class="cell-title">
          {words === undefined ? null : <span aria-hidden="true">{words.mark} </span>}
          {show.title}
          {words === undefined ? null : <span class="hidden">, {words.text}</span>}
        </span>
        <span class="cell-time">
          {clockText(show.start)} {show.programme.subtitle ?? ""}
        </span>
      </button>
    </li>
  );
}
