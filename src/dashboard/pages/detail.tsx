import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fileTrouble, type LibraryEntry } from "../../model/library.ts";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { formatDuration } from "../../model/time.ts";
import { now } from "../clock.ts";
import { ActionButton } from "../parts/action.tsx";
import { Chip, StateChip } from "../parts/chip.tsx";
import { useConfirmation } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { IntegrityPicture } from "../parts/integrity.tsx";
import { TimerActions } from "../parts/timer-actions.tsx";
import { VERDICTS } from "../parts/verdict.ts";
import { Play } from "../player/recording-player.tsx";
import { ask } from "../state/api.ts";
import { view } from "../state/live.ts";
import { closeDialog, detail } from "../state/place.ts";
import { loadProgress } from "../state/progress.ts";
import { dayText, exactText, repeatStepText, sizeText, whenText } from "../words.ts";

/** All details of one timer and its recording, in a dialog. */
export function Detail() {
  const id = detail.value;
  const recording = id === undefined ? undefined : view.value?.recordings.get(id);
  const entry = id === undefined ? undefined : view.value?.entries.get(id);
  const title = recording?.name ?? entry?.name;
  if (id === undefined || title === undefined) return null;
  const isGrowing = recording !== undefined && inMotion(recording.state);
  const isOnDisk =
    entry === undefined ? recording?.evidence?.file !== undefined : entry.deleted === undefined;
  const canPlay = isGrowing || isOnDisk;
  return (
    <Dialog key={id} title={title} {...(canPlay ? { kind: "wide" } : {})} onClose={closeDialog}>
      {canPlay ? <Play id={id} isGrowing={isGrowing} /> : null}
      {recording === undefined ? null : <About recording={recording} />}
      {recording === undefined || isTerminal(recording.state) ? null : <TimerActions recording={recording} />}
      {entry === undefined ? null : <OnDisk entry={entry} />}
      <Why timerId={recording?.timerId ?? entry?.timerId ?? ""} revision={recording ?? entry} />
    </Dialog>
  );
}

function About({ recording }: { readonly recording: Recording }) {
  const {
    state,
    programme,
    channelName,
    event,
    window,
    priority,
    tunerId,
    reported,
    trouble,
    trim,
    doubt,
    attempts,
    healing,
  } = recording;
  const { subtitle, description, season, episode } = programme ?? {};
  const { evidence, clockHoldReason } = recording;
  return (
    <>
      <p class="chips">
        <StateChip state={state} />
        {evidence?.verdict === undefined ? null : <Chip {...VERDICTS[evidence.verdict]} />}
      </p>
      {subtitle === undefined ? null : (
        <p>
          <strong>{subtitle}</strong>
          {season === undefined || episode === undefined ? "" : ` (season ${season}, episode ${episode})`}
        </p>
      )}
      {description === undefined ? null : <p>{description}</p>}
      <Facts
        of={[
          ["Channel", channelName],
          ["Event", whenText(event, now.value)],
          ["With padding", whenText(window, now.value)],
          ["Priority", String(priority)],
          ["Tuner", tunerId],
          [
            "At the service",
            reported === undefined
              ? "not reported yet"
              : [reported.state, reported.message].filter(Boolean).join(": "),
          ],
          ["Trouble", trouble?.text],
          ["Given up", trim?.text],
          ["Doubt", doubt],
          ["Repeat", healing === undefined ? undefined : repeatStepText(healing)],
          ["Waits for", clockHoldReason],
          ["Tries", attempts.length === 0 ? undefined : attempts.map(attemptText).join("; ")],
        ]}
      />
      {evidence === undefined ? null : (
        <Facts
          of={[
            [
              "On disk",
              `${sizeText(evidence.bytes)} in ${evidence.segments} part${evidence.segments === 1 ? "" : "s"}`,
            ],
            ["Of the event", shareText(evidence.eventCoveredMs, evidence.eventMs)],
            ["Of the window", shareText(evidence.windowCoveredMs, evidence.windowMs)],
            ["Lost packets", String(evidence.continuityErrors)],
            ["Damaged packets", String(evidence.transportErrors)],
            ["Scrambled packets", String(evidence.scrambledPackets)],
          ]}
        />
      )}
    </>
  );
}

function attemptText({ number, tunerId, cause, begun }: Recording["attempts"][number]): string {
  if (begun === false) return `${number} not begun`;
  return `${number} on ${tunerId}${cause === undefined || cause === "asked" ? "" : ` (${cause})`}`;
}

function shareText(coveredMs: number, ofMs: number): string {
  const percent = ofMs === 0 ? 0 : Math.floor((1000 * coveredMs) / ofMs) / 10;
  return `${percent} % (${formatDuration(coveredMs)})`;
}

function OnDisk({ entry }: { readonly entry: LibraryEntry }) {
  const { recordingId, file, protected: isProtected, watched, deleted, checked } = entry;
  const path = `/v1/recordings/${encodeURIComponent(recordingId)}`;
  const removal = useConfirmation({
    label: "Delete",
    question: "Delete the file and its sidecars? This cannot be undone.",
    act: () => ask("DELETE", path),
    done: "Deleted.",
    verb: "Delete for good",
  });
  if (deleted !== undefined) return <p>Deleted: {deleted.reason}</p>;
  return (
    <>
      <IntegrityPicture recordingId={recordingId} />
      <Facts
        of={[
          ["File", file],
          ["Wrong with it", fileTrouble(entry, sizeText)],
          [
            "Compared",
            checked === undefined
              ? undefined
              : `${checked.verdict}, ${dayText(checked.at, now.value)} ${exactText(checked.at)}`,
          ],
        ]}
      />
      <div class="buttons">
        <ActionButton
          act={() => ask("POST", `${path}/flags`, { protected: !isProtected })}
          done={isProtected ? "No longer protected." : "Protected: it is not removed to make room."}
        >
          {isProtected ? "Do not protect" : "Protect"}
        </ActionButton>
        <ActionButton
          act={() => ask("POST", `${path}/flags`, { watched: !watched }).then(loadProgress)}
          done={watched ? "Marked as not watched." : "Marked as watched."}
        >
          {watched ? "Not watched" : "Watched"}
        </ActionButton>
        <ActionButton
          act={() => ask("POST", `${path}/verify`)}
          done="The file is being compared with its checksums."
        >
          Verify
        </ActionButton>
        {removal.button}
      </div>
      {removal.dialog}
    </>
  );
}

interface History {
  readonly verdict?: string;
  readonly lines: readonly { readonly at: number; readonly text: string }[];
}

/** @param revision changes with every event of the timer and triggers a reload */
function Why({ timerId, revision }: { readonly timerId: string; readonly revision: unknown }) {
  const history = useSignal<History | string | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    ask<History>("GET", `/v1/timers/${encodeURIComponent(timerId)}/why`).then(
      (value) => {
        if (!isOver) history.value = value;
      },
      (error: Error) => {
        if (!isOver) history.value = error.message;
      },
    );
    return () => {
      isOver = true;
    };
  }, [timerId, revision]);
  const { value } = history;
  if (value === undefined || typeof value === "string") return <p class="faint">{value ?? "…"}</p>;
  return (
    <section aria-labelledby="why-title">
      <h3 id="why-title">What happened</h3>
      <ol class="story">
        {value.lines.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <time class="faint">
              {dayText(at, now.value)} {exactText(at)}
            </time>{" "}
            {text}
          </li>
        ))}
      </ol>
      {value.verdict === undefined ? null : <p>{value.verdict}</p>}
    </section>
  );
}
