import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { HOUR, MINUTE } from "../../model/time.ts";
import { overlaps, type Window } from "../../model/window.ts";
import { now } from "../clock.ts";
import { Decisions } from "../parts/decisions.tsx";
import { Empty, GUIDE_LINKS } from "../parts/empty.tsx";
import { say, sayWith } from "../state/language.ts";
import { view } from "../state/live.ts";
import { ticksOf, ZOOM_AT_FIRST, ZOOMS } from "../timeline-axis.ts";
import { AHEAD_MS, BACK_MS, type Row, rowsOf } from "../timeline-rows.ts";
import { tunerStateText } from "../tuner-words.ts";
import { clockText, dayText } from "../words.ts";
import { AXIS_PX, RowPicture, rowPx } from "./timeline-row.tsx";

/** Initial position of the line for the present, as a share from the left. */
const NOW_SHARE = 0.15;

/** Tuners over time: recordings with padding, shared multiplexes, and conflicts without a tuner. */
export function TimelinePage() {
  const zoom = useSignal(ZOOM_AT_FIRST);
  const scroller = useRef<HTMLElement>(null);
  const seen = useSignal({ left: 0, width: 1200 });
  /** Stays until the viewer asks for the present, so that nothing moves under the pointer. */
  const origin = useSignal(originAt(now.value));
  const range = rangeFrom(origin.value);
  const rows = useComputed(() =>
    view.value === undefined ? [] : rowsOf(view.value, rangeFrom(origin.value)),
  );
  const pxPerHour = ZOOMS[zoom.value] ?? 120;
  const xOf = (at: number) => ((at - range.start) / HOUR) * pxPerHour;
  const atOf = (x: number) => range.start + (x / pxPerHour) * HOUR;

  function look(): void {
    const { scrollLeft = 0, clientWidth = 1200 } = scroller.current ?? {};
    seen.value = { left: scrollLeft, width: clientWidth };
  }

  function show(at: number, share: number, px = pxPerHour): void {
    const element = scroller.current;
    if (element === null) return;
    element.scrollLeft = ((at - origin.value) / HOUR) * px - share * element.clientWidth;
    look();
  }

  function showNow(): void {
    origin.value = originAt(now.value);
    show(now.value, NOW_SHARE);
  }

  function zoomTo(next: number): void {
    if (next < 0 || next >= ZOOMS.length) return;
    const middle = atOf(seen.value.left + seen.value.width / 2);
    zoom.value = next;
    requestAnimationFrame(() => show(middle, 0.5, ZOOMS[next]));
  }

  // Only once: later the viewer decides where to look.
  useLayoutEffect(() => show(now.value, NOW_SHARE), []);
  useEffect(() => {
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  });

  const { left, width } = seen.value;
  const visible: Window = { start: atOf(left - width / 2), stop: atOf(left + width * 1.5) };
  const height = AXIS_PX + rows.value.reduce((sum, row) => sum + rowPx(row), 0);
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-timeline")}</h1>
        <fieldset class="buttons">
          <legend class="hidden">{say("timeline-view")}</legend>
          <button type="button" onClick={showNow}>
            {say("timeline-now")}
          </button>
          <button
            type="button"
            aria-label={say("timeline-zoom-out")}
            disabled={zoom.value === 0}
            onClick={() => zoomTo(zoom.value - 1)}
          >
            −
          </button>
          <button
            type="button"
            aria-label={say("timeline-zoom-in")}
            disabled={zoom.value === ZOOMS.length - 1}
            onClick={() => zoomTo(zoom.value + 1)}
          >
            +
          </button>
        </fieldset>
      </div>
      <div class="timeline">
        <Names rows={rows.value} />
        <section
          ref={scroller}
          class="timeline-scroller"
          aria-label={say("timeline-range")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
          tabIndex={0}
          onScroll={look}
        >
          <svg width={xOf(range.stop)} height={height} role="group" aria-label={say("timeline-recordings")}>
            <Axis visible={clipped(visible, range)} xOf={xOf} height={height} pxPerHour={pxPerHour} />
            <Rows rows={rows.value} visible={visible} xOf={xOf} left={left} />
            <NowLine x={xOf(now.value)} height={height} />
          </svg>
        </section>
      </div>
      {rows.value.every(({ bars }) => bars.length === 0) ? (
        <Empty title={say("timeline-empty")}>{sayWith(GUIDE_LINKS, "timeline-empty-next")}</Empty>
      ) : (
        <Legend />
      )}
      <Decisions />
    </>
  );
}

function originAt(at: number): number {
  return Math.floor((at - BACK_MS) / HOUR) * HOUR;
}

function rangeFrom(start: number): Window {
  return { start, stop: start + BACK_MS + AHEAD_MS };
}

function clipped(a: Window, b: Window): Window {
  return { start: Math.max(a.start, b.start), stop: Math.min(a.stop, b.stop) };
}

function Names({ rows }: { readonly rows: readonly Row[] }) {
  const tuners = view.value?.tuners;
  return (
    <ul class="timeline-names" aria-hidden="true" style={{ paddingTop: `${AXIS_PX}px` }}>
      {rows.map((row) => {
        const status = row.tunerId === undefined ? undefined : tuners?.get(row.tunerId);
        return (
          <li key={row.tunerId ?? ""} style={{ height: `${rowPx(row)}px` }}>
            <span class="name" title={row.tunerId}>
              {row.tunerId ?? say("timeline-no-tuner")}
            </span>
            <span class="faint">{status === undefined ? "" : tunerStateText(status)}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Rows({
  rows,
  visible,
  xOf,
  left,
}: {
  readonly rows: readonly Row[];
  readonly visible: Window;
  readonly xOf: (at: number) => number;
  /** The left edge of what the viewer sees. */
  readonly left: number;
}) {
  let top = AXIS_PX;
  return (
    <>
      {rows.map((row) => {
        const y = top;
        top += rowPx(row);
        const shown = {
          ...row,
          bars: row.bars.filter(({ span }) => overlaps(span, visible)),
          shared: row.shared.filter(({ span }) => overlaps(span, visible)),
        };
        return <RowPicture key={row.tunerId ?? ""} row={shown} y={y} xOf={xOf} left={left} />;
      })}
    </>
  );
}

function Axis({
  visible,
  xOf,
  height,
  pxPerHour,
}: {
  readonly visible: Window;
  readonly xOf: (at: number) => number;
  readonly height: number;
  readonly pxPerHour: number;
}) {
  const ticks = ticksOf({ start: visible.start - MINUTE, stop: visible.stop }, pxPerHour);
  return (
    <g aria-hidden="true" class="axis">
      {ticks.map(({ at, isMidnight }) => (
        <g key={at} transform={`translate(${xOf(at)} 0)`} class={isMidnight ? "midnight" : ""}>
          <line y1={AXIS_PX - 8} y2={height} />
          <text x={4} y={AXIS_PX - 12}>
            {isMidnight ? dayText(at, now.value) : clockText(at)}
          </text>
        </g>
      ))}
    </g>
  );
}

function NowLine({ x, height }: { readonly x: number; readonly height: number }) {
  return (
    <g aria-hidden="true" class="now" transform={`translate(${x} 0)`}>
      <line y1={AXIS_PX - 8} y2={height} />
      <circle cy={AXIS_PX - 8} r={4} />
    </g>
  );
}

const TONES = ["planned", "busy", "good", "warn", "bad"] as const;

function Legend() {
  return (
    <ul class="legend" aria-label={say("timeline-legend")}>
      {TONES.map((tone) => (
        <li key={tone}>
          <span class={`swatch ${tone}`} aria-hidden="true" /> {say(`timeline-legend-${tone}`)}
        </li>
      ))}
      <li>
        <span class="swatch padding" aria-hidden="true" /> {say("timeline-legend-padding")}
      </li>
      <li>
        <span class="swatch shared" aria-hidden="true" /> {say("timeline-legend-shared")}
      </li>
    </ul>
  );
}
