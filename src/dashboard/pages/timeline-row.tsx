import { now } from "../clock.ts";
import { detailLink } from "../state/place.ts";
import type { Bar, Row } from "../timeline-rows.ts";
import { stateWords, whenText } from "../words.ts";

export const AXIS_PX = 36;
const LANE_PX = 34;
const ROW_MARGIN_PX = 8;
/** Average width of a letter in a bar; longer texts are cut. */
const LETTER_PX = 6.6;

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
  /** The left edge of the visible part. */
  readonly left: number;
}) {
  const label = row.tunerId === undefined ? "No tuner" : `Tuner ${row.tunerId}`;
  return (
    <g role="group" aria-label={label} transform={`translate(0 ${y})`} class="row">
      <line class="rule" x1={left} x2={left + 10_000} y1={0} y2={0} />
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
          <title>{`${services} recordings of multiplex ${multiplex}`}</title>
        </rect>
      ))}
      {row.bars.map((bar) => (
        <BarPicture key={bar.recording.id} bar={bar} xOf={xOf} />
      ))}
    </g>
  );
}

function BarPicture({ bar, xOf }: { readonly bar: Bar; readonly xOf: Scale }) {
  const { recording, span, lane, isConflict } = bar;
  const { name, channelName, event, state, id } = recording;
  const words = stateWords(state);
  const tone = isConflict ? "warn" : words.tone;
  const x = xOf(span.start);
  const width = Math.max(3, xOf(span.stop) - x);
  const eventStart = Math.min(Math.max(event.start, span.start), span.stop);
  const eventStop = Math.max(Math.min(event.stop, span.stop), eventStart);
  const text = cut(`${isConflict ? "!" : words.mark} ${name}`, width);
  const description = [
    name,
    channelName,
    whenText(event, now.value),
    isConflict ? "conflict" : words.text,
  ].join(", ");
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
          <text aria-hidden="true" x={x + 6} y={LANE_PX / 2 + 3}>
            {text}
          </text>
        )}
      </g>
    </a>
  );
}

function cut(text: string, width: number): string {
  const letters = Math.floor((width - 10) / LETTER_PX);
  if (letters < 2) return "";
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`;
}
