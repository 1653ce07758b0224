import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fileTrouble, type LibraryEntry } from "../../model/library.ts";
import { now } from "../clock.ts";
import { Chip, StateChip } from "../parts/chip.tsx";
import { LongList } from "../parts/long-list.tsx";
import { VERDICTS } from "../parts/verdict.ts";
import { view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { loadProgress, progress, unfinishedShare } from "../state/progress.ts";
import { sizeText, whenText } from "../words.ts";
import { Search } from "./timers.tsx";

const ROW_PX = 76;

/** The recordings on disk, latest first. */
export function RecordingsPage() {
  const text = useSignal("");
  const onlyUnfinished = useSignal(false);
  useEffect(() => void loadProgress(), []);
  const entries = useComputed(() => view.value?.entries);
  const shown = useComputed(() =>
    matchingEntries([...(entries.value?.values() ?? [])], text.value).filter(
      ({ recordingId }) => !onlyUnfinished.value || isUnfinished(recordingId),
    ),
  );
  const bytes = useComputed(() => shown.value.reduce((sum, entry) => sum + entry.bytes, 0));
  return (
    <>
      <div class="bar-of-page">
        <h1>Recordings</h1>
        <Search label="Search recordings" onInput={(value) => (text.value = value)} />
      </div>
      <div class="buttons choice">
        <button
          type="button"
          aria-pressed={onlyUnfinished.value}
          onClick={() => (onlyUnfinished.value = !onlyUnfinished.value)}
        >
          unfinished
        </button>
      </div>
      <p class="faint" role="status">
        {shown.value.length === 1 ? "1 recording" : `${shown.value.length} recordings`},{" "}
        {sizeText(bytes.value)}
      </p>
      <LongList
        label="Recordings"
        items={shown.value}
        rowPx={ROW_PX}
        keyOf={({ recordingId }) => recordingId}
        row={(entry) => <EntryRow entry={entry} />}
      />
    </>
  );
}

function isUnfinished(recordingId: string): boolean {
  return unfinishedShare(progress.value.get(recordingId)) !== undefined;
}

function matchingEntries(entries: readonly LibraryEntry[], text: string): readonly LibraryEntry[] {
  const wanted = text.trim().toLowerCase();
  return entries
    .filter(
      ({ deleted, name, subtitle = "", channelName }) =>
        deleted === undefined && `${name} ${subtitle} ${channelName}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => b.event.start - a.event.start || (a.recordingId < b.recordingId ? -1 : 1));
}

function EntryRow({ entry }: { readonly entry: LibraryEntry }) {
  const { recordingId, name, subtitle, channelName, event, bytes, state } = entry;
  const verdict = view.value?.recordings.get(recordingId)?.evidence?.verdict;
  const trouble = fileTrouble(entry, sizeText);
  return (
    <a href={detailLink(recordingId)} class="line">
      {entry.made.some((file) => file.endsWith(".jpg")) ? (
        <img
          class="thumbnail"
          alt=""
          loading="lazy"
          src={`/v1/recordings/${encodeURIComponent(recordingId)}/thumbnail`}
        />
      ) : null}
      <span class="line-main">
        <strong>{name}</strong>
        <span class="faint">
          {whenText(event, now.value)} · {channelName} · {sizeText(bytes)}
        </span>
        <span class="faint message">{subtitle}</span>
      </span>
      <span class="line-side">
        {trouble === undefined ? null : <Chip tone="bad" text={trouble} />}
        {trouble !== undefined ? null : verdict === undefined ? (
          <StateChip state={state} />
        ) : (
          <Chip {...VERDICTS[verdict]} />
        )}
        <span class="faint">{flagsText(entry)}</span>
      </span>
      <SeenBar recordingId={recordingId} />
    </a>
  );
}

/** A thin bar with the part that the viewer has seen. */
function SeenBar({ recordingId }: { readonly recordingId: string }) {
  const share = unfinishedShare(progress.value.get(recordingId));
  if (share === undefined) return null;
  const percent = Math.round(100 * share);
  return (
    <span class="seen-bar" role="img" aria-label={`${percent} % seen`}>
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}

function flagsText({ protected: isProtected, watched }: LibraryEntry): string {
  return [isProtected ? "protected" : "", watched ? "watched" : ""].filter((part) => part !== "").join(", ");
}
