import { now } from "../clock.ts";
import { labelPx } from "../label-width.ts";
import { outcomeOf, outcomeWords } from "../parts/verdict.ts";
import { reader, say } from "../state/language.ts";
import { detailLink } from "../state/place.ts";
import { markedLabel } from "../timeline-label.ts";
import type { Bar, Row } from "../timeline-rows.ts";
import { stateWords } from "../words.ts";

export const AXIS_PX = 36;
const LANE_PX = 34;
const ROW_MARGIN_PX = 8;
/** Between the edge of a bar and its text. */
const TEXT_PX = 6;

/** Longer than any screen is wide. */
const FAR_PX = 10_000;

type Scale = (at: number) => number;

export function rowPx({ lanes }: Pick<Row, "lanes">): number {
  return lanes * LANE_PX + 2 * ROW_MARGIN_PX;
}

export function RowPicture({
  row,
  y,
  xOf,
  left,
}: {
  readonly row: Row;
  readonly y: number;
  readonly xOf: Scale;
  /** The left edge of what the viewer sees. */
  readonly left: number;
}) {
  const label =
    row.tunerId === undefined ? say("timeline-no-tuner") : say("timeline-tuner", { id: row.tunerId });
  return (
    <g role="group" aria-label={label} transform={`translate(0 ${y})`} class="row">
      <line class="rule" x1={left - FAR_PX} x2={left + FAR_PX} y1={0} y2={0} />
      {row.shared.map(({ span, multiplex, services }) => (
        <rect
          key={`${multiplex} ${span.start}`}
          class="shared"
          x={xOf(span.start)}
          width={xOf(span.stop) - xOf(span.start)}
          y={ROW_MARGIN_PX / 2}
          height={rowPx(row) - ROW_MARGIN_PX}
          rx={6}
        >
          <title>{say("timeline-shared", { count: services })}</title>
        </rect>
      ))}
      {row.bars.map((bar) => (
        <BarPicture key={bar.recording.id} bar={bar} xOf={xOf} left={left} />
      ))}
    </g>
  );
}

function BarPicture({ bar, xOf, left }: { readonly bar: Bar; readonly xOf: Scale; readonly left: number }) {
  const { recording, span, lane, isConflict } = bar;
  const { name, channelName, event, id } = recording;
  const {
    tone,
    mark,
    text: state,
  } = isConflict ? stateWords("conflicted") : outcomeWords(outcomeOf(recording));
  const x = xOf(span.start);
  const width = Math.max(3, xOf(span.stop) - x);
  const eventStart = Math.min(Math.max(event.start, span.start), span.stop);
  const eventStop = Math.max(Math.min(event.stop, span.stop), eventStart);
  const when = reader().inside.when(event, now.value);
  const description = say("timeline-bar", { name, channel: channelName, when, state });
  // The name of what began before the left edge stays in sight.
  const textAt = Math.max(x, Math.min(left, x + width)) + TEXT_PX;
  const text = markedLabel({ mark, name }, x + width - TEXT_PX - textAt, labelPx);
  return (
    <a href={detailLink(id)} class={`timeline-bar ${tone}`}>
      <title>{description}</title>
      <g transform={`translate(0 ${ROW_MARGIN_PX + lane * LANE_PX})`}>
        <rect class="padding" x={x} width={width} height={LANE_PX - 4} rx={4} />
        <rect
          class="event"
          x={xOf(eventStart)}
          width={xOf(eventStop) - xOf(eventStart)}
          height={LANE_PX - 4}
          rx={3}
        />
        {text === "" ? null : (
          <svg aria-hidden="true" x={x} width={width} height={LANE_PX - 4}>
            <text x={textAt - x} y={LANE_PX / 2 + 3}>
              {text}
            </text>
          </svg>
        )}
      </g>
    </a>
  );
}
