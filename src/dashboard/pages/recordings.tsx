import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LibraryEntry } from "../../model/library.ts";
import { now } from "../clock.ts";
import { entryOutcome } from "../entry-outcome.ts";
import { Chip } from "../parts/chip.tsx";
import { Empty, GUIDE_LINKS } from "../parts/empty.tsx";
import { focusPage } from "../parts/focus.ts";
import { ChannelName } from "../parts/logo.tsx";
import { LongList } from "../parts/long-list.tsx";
import { SeenBar } from "../parts/progress-bar.tsx";
import { Search } from "../parts/search.tsx";
import { Still } from "../parts/tile.tsx";
import { outcomeWords } from "../parts/verdict.ts";
import { reader, say, sayWith } from "../state/language.ts";
import { returnCount, view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { loadProgress, progress, unfinishedShare } from "../state/progress.ts";
import { fileTroubleText, sizeText } from "../words.ts";

const ROW_PX = 76;

/** The recordings on disk, latest first. */
export function RecordingsPage() {
  const text = useSignal("");
  const onlyUnfinished = useSignal(false);
  useEffect(() => void loadProgress(), [returnCount.value]);
  const entries = useComputed(() => view.value?.entries);
  const shown = useComputed(() =>
    matchingEntries([...(entries.value?.values() ?? [])], text.value).filter(
      ({ recordingId }) => !onlyUnfinished.value || isUnfinished(recordingId),
    ),
  );
  const hasAny = useComputed(() =>
    [...(entries.value?.values() ?? [])].some(({ deleted }) => deleted === undefined),
  );
  function showAll(): void {
    focusPage();
    text.value = "";
    onlyUnfinished.value = false;
  }
  const bytes = useComputed(() => shown.value.reduce((sum, entry) => sum + entry.bytes, 0));
  return (
    <>
      <div class="bar-of-page">
        <h1>{say("nav-recordings")}</h1>
        <Search label={say("recordings-search")} text={text} />
      </div>
      <div class="buttons choice">
        <button
          type="button"
          aria-pressed={onlyUnfinished.value}
          onClick={() => (onlyUnfinished.value = !onlyUnfinished.value)}
        >
          {say("recordings-unfinished")}
        </button>
      </div>
      {shown.value.length === 0 ? (
        <NoRecordings hasAny={hasAny.value} showAll={showAll} />
      ) : (
        <p class="faint" role="status">
          {say("recordings-count", { count: shown.value.length, size: sizeText(bytes.value) })}
        </p>
      )}
      <LongList
        label={say("nav-recordings")}
        items={shown.value}
        rowPx={ROW_PX}
        keyOf={({ recordingId }) => recordingId}
        row={(entry) => <EntryRow entry={entry} />}
      />
    </>
  );
}

function NoRecordings({ hasAny, showAll }: { readonly hasAny: boolean; readonly showAll: () => void }) {
  if (!hasAny)
    return <Empty title={say("recordings-empty")}>{sayWith(GUIDE_LINKS, "recordings-empty-next")}</Empty>;
  return (
    <Empty title={say("recordings-none-match")}>
      {say("recordings-none-match-next")}{" "}
      <button type="button" onClick={showAll}>
        {say("recordings-show-all")}
      </button>
    </Empty>
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
  const { recordingId, name, subtitle, channelName, event, bytes } = entry;
  const trouble = fileTroubleText(entry);
  return (
    <a href={detailLink(recordingId)} class="line">
      <Still class="thumbnail" recordingId={recordingId} />
      <span class="line-main">
        <strong dir="auto">{name}</strong>
        <span class="faint">
          {reader().at(event.start, now.value)} · <ChannelName name={channelName} /> · {sizeText(bytes)}
        </span>
        <span class="faint message" dir="auto">
          {subtitle}
        </span>
      </span>
      <span class="line-side">
        {trouble === undefined ? (
          <Chip {...outcomeWords(entryOutcome(entry))} />
        ) : (
          <Chip tone="bad" mark="✕" text={trouble} />
        )}
        <span class="faint">{flagsText(entry)}</span>
      </span>
      <SeenBar recordingId={recordingId} kind="seen-bar" />
    </a>
  );
}

function flagsText({ protected: isProtected, watched }: LibraryEntry): string {
  const flags = [isProtected ? say("recordings-protected") : "", watched ? say("recordings-watched") : ""];
  return flags.filter((flag) => flag !== "").join(" · ");
}
