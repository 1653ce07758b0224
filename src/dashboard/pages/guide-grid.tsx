import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { HOUR } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { now } from "../clock.ts";
import { moveInGrid } from "../grid-keys.ts";
import { cellsOf } from "../guide-cells.ts";
import { byChannel, type Show, type Station } from "../guide-data.ts";
import { Cell } from "../parts/guide-cell.tsx";
import { Logo } from "../parts/logo.tsx";
import { WatchLink } from "../parts/watch-link.tsx";
import { say } from "../state/language.ts";
import { ticksOf } from "../timeline-axis.ts";
import { clockText } from "../words.ts";

const ROW_PX = 60;
const AXIS_PX = 32;
const PX_PER_HOUR = 240;
const NAMES_PX = 120;
/** The grid also shows so much of the time before its goal. */
const BEFORE_PX = PX_PER_HOUR / 2;
/** The margin rendered beyond the edges, for scrolling and for the keyboard. */
const BEYOND_PX = 300;

/** Channels as rows, time from left to right; only the visible part is rendered. */
export function GuideGrid({
  stations,
  shows,
  range,
  goal,
  onChoose,
}: {
  readonly stations: readonly Station[];
  readonly shows: readonly Show[];
  readonly range: Window;
  /** The time to show; each new one is shown once, then the viewer scrolls. */
  readonly goal: { readonly at: number };
  /** The shows of a cell: several if they are short. */
  readonly onChoose: (shows: readonly Show[]) => void;
}) {
  const scroller = useRef<HTMLElement>(null);
  const seen = useSignal({ left: 0, top: 0, width: 1200, height: 800 });
  const given = useSignal(shows);
  given.value = shows;
  const ofChannel = useComputed(() => byChannel(given.value));
  const xOf = (at: number) => ((at - range.start) / HOUR) * PX_PER_HOUR;

  function look(): void {
    const element = scroller.current;
    if (element === null) return;
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
    seen.value = { left, top, width, height };
  }

  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: xOf(goal.at) - BEFORE_PX });
    look();
  }, [goal]);

  const { left, top, width, height } = seen.value;
  const seenFrom = left - BEYOND_PX;
  const seenTo = left + width + BEYOND_PX;
  const atOf = (px: number) => range.start + (px / PX_PER_HOUR) * HOUR;
  const first = Math.max(0, Math.floor((top - BEYOND_PX) / ROW_PX));
  const rows = stations.slice(first, Math.ceil((top + height + BEYOND_PX) / ROW_PX));
  const ticks = ticksOf(
    { start: Math.max(atOf(seenFrom), range.start), stop: Math.min(atOf(seenTo), range.stop) },
    PX_PER_HOUR,
  );
  return (
    <section
      ref={scroller}
      class="grid-scroller"
      aria-label={say("programme-grid")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onScroll={look}
      onKeyDown={moveInGrid}
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
        <div class="grid-names" style={{ width: `${NAMES_PX}px` }}>
          {rows.map((station, index) => (
            <WatchLink
              key={station.id}
              station={station}
              class="grid-name"
              style={{ top: `${(first + index) * ROW_PX}px`, height: `${ROW_PX}px` }}
              isHidden
            >
              <Logo channelId={station.id} name={station.name} />
              <b title={station.name} dir="auto">
                {station.name}
              </b>
            </WatchLink>
          ))}
        </div>
        {rows.map(({ id, name }, index) => (
          <ul
            key={id}
            aria-label={name}
            style={{ top: `${AXIS_PX + (first + index) * ROW_PX}px`, left: `${NAMES_PX}px` }}
          >
            {cellsOf(ofChannel.value.get(id) ?? [], { range, xOf })
              .filter(({ leftPx, widthPx }) => leftPx < seenTo && leftPx + widthPx > seenFrom)
              .map((cell) => (
                <Cell
                  key={cell.shows[0]?.id}
                  cell={cell}
                  heightPx={ROW_PX - 4}
                  seen={{ left, right: left + width - NAMES_PX }}
                  onChoose={onChoose}
                />
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
