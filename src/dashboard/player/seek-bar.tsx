import { useSignal } from "@preact/signals";
import { say } from "../state/language.ts";
import type { MediaState } from "./media.ts";
import type { Span, StreamFacts } from "./model.ts";
import { positionText, spokenPosition } from "./position-text.ts";

/** The position, the buffered part and missing parts. */
export function SeekBar({
  media: { seconds, range, buffered },
  gaps,
  onSeek,
}: {
  readonly media: MediaState;
  readonly gaps: StreamFacts["gaps"];
  readonly onSeek: (seconds: number) => void;
}) {
  /** The position under the viewer's finger, until it is let go. */
  const dragged = useSignal<number | undefined>(undefined);
  const shown = dragged.value ?? seconds;
  const { startSeconds, endSeconds } = range;
  const percent = (at: number) =>
    endSeconds <= startSeconds
      ? 0
      : Math.min(100, Math.max(0, (100 * (at - startSeconds)) / (endSeconds - startSeconds)));
  const part = (span: Span) => ({
    left: `${percent(span.startSeconds)}%`,
    width: `${percent(span.endSeconds) - percent(span.startSeconds)}%`,
  });
  return (
    <div class="seek-bar">
      <div class="seek-track" aria-hidden="true">
        {buffered.map((span) => (
          <span key={span.startSeconds} class="buffered" style={part(span)} />
        ))}
        <span class="played" style={{ left: 0, width: `${percent(shown)}%` }} />
        {gaps.map(({ startSeconds: at }) => (
          <span key={at} class="gap" style={{ left: `${percent(at)}%` }} />
        ))}
      </div>
      <input
        type="range"
        aria-label={say("player-position")}
        aria-valuetext={say("player-position-of", {
          position: spokenPosition(shown - startSeconds),
          length: spokenPosition(endSeconds - startSeconds),
        })}
        title={gapText(gaps)}
        min={startSeconds}
        max={Math.max(startSeconds, endSeconds)}
        step="any"
        value={shown}
        onInput={({ currentTarget }) => {
          dragged.value = currentTarget.valueAsNumber;
        }}
        onChange={({ currentTarget }) => {
          dragged.value = undefined;
          onSeek(currentTarget.valueAsNumber);
        }}
      />
      {dragged.value === undefined ? null : (
        <output class="seek-target" style={{ left: `${percent(shown)}%` }}>
          {positionText(shown - startSeconds)}
        </output>
      )}
    </div>
  );
}

/** The missing data in words; `undefined` if there is none. */
function gapText(gaps: StreamFacts["gaps"]): string | undefined {
  if (gaps.length === 0) return undefined;
  const seconds = gaps.reduce((sum, { lengthSeconds }) => sum + lengthSeconds, 0);
  return say("player-missing", { length: spokenPosition(Math.max(1, Math.round(seconds))) });
}
