import type { ComponentChildren } from "preact";
import type { LibraryEntry } from "../../model/library.ts";
import type { Recording } from "../../model/recording.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { now } from "../clock.ts";
import { entryOutcome } from "../entry-outcome.ts";
import { Chip, OutcomeChip, StateChip } from "../parts/chip.tsx";
import { GenreName, genreMark } from "../parts/genre.tsx";
import { ChannelName } from "../parts/logo.tsx";
import { ProgressBar, SeenBar } from "../parts/progress-bar.tsx";
import { Tile } from "../parts/tile.tsx";
import { outcomeWords } from "../parts/verdict.ts";
import { say } from "../state/language.ts";
import { isPhone } from "../state/phone.ts";
import { detailLink } from "../state/place.ts";
import { progress, unfinishedShare } from "../state/progress.ts";
import { endShown, isUndisturbed, PHONE_ROWS, shareOver, TONIGHT_ROWS } from "../tonight.ts";
import { clockText, dayText, durationText, fileTroubleText } from "../words.ts";

/** A part of the start page: the first of its entries, and a link to the page with all of them. */
export function Part<T>({
  id,
  title,
  items,
  allAt,
  kind,
  row,
}: {
  readonly id: string;
  readonly title: string;
  readonly items: readonly T[];
  /** The page with all of them. */
  readonly allAt: string;
  /** How its entries are laid out. */
  readonly kind: "now-cards" | "rows" | "shelf";
  readonly row: (item: T) => ComponentChildren;
}) {
  if (items.length === 0) return null;
  const rows = isPhone.value && kind !== "shelf" ? PHONE_ROWS : TONIGHT_ROWS;
  const titleId = `${id}-title`;
  return (
    <section class="part" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <ul class={kind}>{items.slice(0, rows).map(row)}</ul>
      {items.length > rows ? <ShowAll to={allAt} of={title} /> : null}
    </section>
  );
}

function ShowAll({ to, of }: { readonly to: string; readonly of: string }) {
  return (
    <p>
      <a href={to} aria-label={say("tonight-show-all-of", { of })}>
        {say("tonight-show-all")}
      </a>
    </p>
  );
}

/** A recording that runs. */
export function NowCard({ recording }: { readonly recording: Recording }) {
  const { id, name, channelId, channelName, event, state } = recording;
  return (
    <li class="card now-card">
      <Tile channelId={channelId} channelName={channelName} recordingId={id} />
      <div>
        <strong class="one-line" dir="auto">
          {name}
        </strong>
        <ProgressBar share={shareOver(event, now.value)} label={(values) => say("tonight-over", values)} />
        {state === "recording" ? (
          <span class="faint">
            {say(isUndisturbed(recording) ? "tonight-until-well" : "tonight-until", {
              time: clockText(endShown(recording, now.value)),
            })}
          </span>
        ) : (
          <StateChip state={state} />
        )}
      </div>
      <a class="button" href={detailLink(id)} aria-label={say("tonight-watch-it", { name })}>
        {say("tonight-watch")}
      </a>
    </li>
  );
}

/** A recording that comes next, or was lost. */
export function Row({ recording }: { readonly recording: Recording }) {
  const { id, name, channelId, channelName, event, programme } = recording;
  const day = dayText(event.start, now.value);
  return (
    <li>
      <a href={detailLink(id)} class="tonight-row" {...genreMark(programme?.genre)}>
        <span class="row-time">
          {clockText(event.start)}
          {day === say("today") ? null : <span class="faint">{day}</span>}
        </span>
        <span class="row-name">
          <strong class="one-line" dir="auto">
            {name}
            <GenreName genre={programme?.genre} />
          </strong>
          <span class="faint one-line row-subtitle" dir="auto">
            {programme?.subtitle}
          </span>
        </span>
        <span class="faint one-line row-channel">
          <ChannelName channelId={channelId} name={channelName} />
        </span>
        <OutcomeChip of={recording} />
      </a>
    </li>
  );
}

/** A recording on the shelf of new ones. */
export function ShelfItem({ entry }: { readonly entry: LibraryEntry }) {
  const { recordingId, name, channelName, event } = entry;
  return (
    <li>
      <a href={detailLink(recordingId)} class="shelf-item">
        <Tile channelName={channelName} recordingId={recordingId} />
        <SeenBar recordingId={recordingId} />
        <strong class="one-line" dir="auto">
          {name}
        </strong>
        <span class="faint one-line">
          {say("tonight-day-and-length", {
            day: dayText(event.start, now.value),
            length: lengthText(entry),
          })}
        </span>
        <Mark entry={entry} />
      </a>
    </li>
  );
}

/** `50 min`, or `27 min left` of one that is begun. */
function lengthText({ recordingId, event }: LibraryEntry): string {
  const seen = progress.value.get(recordingId);
  if (seen === undefined || unfinishedShare(seen) === undefined) return inMinutes(lengthMs(event));
  return say("tonight-left", { length: inMinutes((seen.durationSeconds - seen.seconds) * SECOND) });
}

function inMinutes(ms: number): string {
  return durationText(ms < MINUTE ? ms : Math.round(ms / MINUTE) * MINUTE);
}

/** Only where something is wrong with it. */
function Mark({ entry }: { readonly entry: LibraryEntry }) {
  const trouble = fileTroubleText(entry);
  if (trouble !== undefined) return <Chip tone="bad" text={trouble} />;
  const outcome = entryOutcome(entry);
  const isFlawed = outcome === "damaged" || outcome === "unusable" || outcome === "partial";
  return isFlawed ? <Chip {...outcomeWords(outcome)} /> : null;
}
