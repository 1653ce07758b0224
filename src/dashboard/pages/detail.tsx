import type { Evidence } from "../../model/evidence.ts";
import { ORIGIN_NAMES } from "../../model/imported.ts";
import type { LibraryEntry } from "../../model/library.ts";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { now } from "../clock.ts";
import { entryOutcome } from "../entry-outcome.ts";
import { genreText } from "../genre.ts";
import { Chip } from "../parts/chip.tsx";
import { DecisionInside } from "../parts/decisions.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { ChannelName } from "../parts/logo.tsx";
import { OnDisk, TheFile } from "../parts/on-disk.tsx";
import { ShowText } from "../parts/show-text.tsx";
import { TimerActions } from "../parts/timer-actions.tsx";
import { type Mark, outcomeOf, outcomeWords } from "../parts/verdict.ts";
import { WhatHappened } from "../parts/what-happened.tsx";
import { Play } from "../player/recording-player.tsx";
import { type Around, entrySentence, resultSentences } from "../result-text.ts";
import { reader, say } from "../state/language.ts";
import { view } from "../state/live.ts";
import { closeDialog, detail } from "../state/place.ts";
import { durationText, repeatStepText, shareText, sizeText, whenText } from "../words.ts";

/** All details of one timer and its recording, in a dialog. What matters comes first. */
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
      {recording !== undefined ? (
        <About recording={recording} />
      ) : entry === undefined ? null : (
        <AboutEntry entry={entry} />
      )}
      {recording === undefined || isTerminal(recording.state) ? null : (
        <>
          <DecisionInside recordingId={id} />
          <TimerActions recording={recording} />
        </>
      )}
      {entry === undefined ? null : <OnDisk entry={entry} />}
      <details>
        <summary>{say("detail-more")}</summary>
        {recording === undefined ? null : <More recording={recording} />}
        {entry === undefined ? null : <TheFile entry={entry} />}
      </details>
      {entry?.imported === undefined ? (
        <WhatHappened
          timerId={recording?.timerId ?? entry?.timerId ?? ""}
          revision={recording ?? entry}
          technical={recording === undefined ? [] : technicalSentences(recording)}
        />
      ) : null}
    </Dialog>
  );
}

/** A recording of which only the library knows. */
function AboutEntry({ entry }: { readonly entry: LibraryEntry }) {
  const { subtitle, channelName, event, imported } = entry;
  const outcome = entryOutcome(entry);
  const sentence =
    imported === undefined
      ? entrySentence(outcome)
      : say("imported-by", { recorder: ORIGIN_NAMES[imported.from] });
  return (
    <>
      <Result mark={outcomeWords(outcome)} sentences={[sentence]} />
      <ShowText subtitle={subtitle} description={imported?.description} />
      <Facts
        of={[
          [say("detail-channel"), <ChannelName name={channelName} />],
          [say("detail-event"), whenText(event, now.value)],
        ]}
      />
    </>
  );
}

function Result({ mark, sentences }: { readonly mark: Mark; readonly sentences: readonly string[] }) {
  const [first, ...more] = sentences;
  return (
    <div class="result">
      <p>
        <Chip {...mark} /> <strong>{first}</strong>
      </p>
      {more.length === 0 ? null : (
        <ul>
          {more.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function About({ recording }: { readonly recording: Recording }) {
  const { programme, channelId, channelName, event, healing } = recording;
  const { subtitle, description, season, episode } = programme ?? {};
  return (
    <>
      <Result
        mark={outcomeWords(outcomeOf(recording))}
        sentences={resultSentences(recording, aroundOf(recording))}
      />
      <ShowText subtitle={subtitle} />
      {season === undefined || episode === undefined ? null : (
        <p class="faint">{say("detail-episode", { season: String(season), episode: String(episode) })}</p>
      )}
      <ShowText description={description} />
      <Facts
        of={[
          [say("detail-channel"), <ChannelName channelId={channelId} name={channelName} />],
          [say("detail-event"), whenText(event, now.value)],
          [say("programme-genre"), programme?.genre && genreText(programme.genre)],
          [say("detail-repeat"), healing === undefined ? undefined : repeatStepText(healing)],
        ]}
      />
    </>
  );
}

/** Facts that a household seldom needs. */
function More({ recording }: { readonly recording: Recording }) {
  const { window, priority, tunerId, attempts, evidence } = recording;
  const tried = attempts.filter(({ begun }) => begun !== false).length;
  return (
    <>
      <Facts
        of={[
          [say("detail-window"), whenText(window, now.value)],
          [say("detail-priority"), reader().number(priority)],
          [say("detail-tuner"), tunerId],
          [say("detail-reported"), reportedText(recording)],
          [say("detail-attempts"), tried < 2 ? undefined : reader().number(tried)],
        ]}
      />
      {evidence === undefined ? null : <Figures evidence={evidence} />}
    </>
  );
}

function aroundOf({ id, tunerId }: Recording): Around {
  const placement = view.value?.placements.get(id);
  return {
    seamMs: placement?.kind === "placed" ? placement.seamMs : undefined,
    tuner: view.value?.tuners.get(tunerId ?? ""),
  };
}

function reportedText({ reported }: Recording): string {
  return reported?.state === undefined ? say("detail-not-reported") : say(`reported-${reported.state}`);
}

function Figures({ evidence }: { readonly evidence: Evidence }) {
  const share = (partMs: number, wholeMs: number) =>
    say("detail-share", { share: shareText(partMs, wholeMs), length: durationText(partMs) });
  return (
    <Facts
      of={[
        [
          say("detail-on-disk"),
          say("detail-size", { size: sizeText(evidence.bytes), parts: evidence.segments }),
        ],
        [say("detail-of-event"), share(evidence.eventCoveredMs, evidence.eventMs)],
        [say("detail-window"), share(evidence.windowCoveredMs, evidence.windowMs)],
        [say("detail-lost-packets"), reader().number(evidence.continuityErrors)],
        [say("detail-damaged-packets"), reader().number(evidence.transportErrors)],
        [say("detail-encrypted-packets"), reader().number(evidence.scrambledPackets)],
      ]}
    />
  );
}

/** The recorder's own sentences, in English and by its own clock. */
function technicalSentences(recording: Recording): readonly string[] {
  const { id, reported, trouble, trim, doubt, clockHoldReason, healing, closing, attempts } = recording;
  const tries = attempts.map(({ number, tunerId, cause = "", begun }) =>
    begun === false ? `${id}.${number} not begun` : `${id}.${number} on ${tunerId} ${cause}`.trim(),
  );
  const sentences = [
    reported?.message,
    trouble === undefined ? undefined : `${trouble.code}: ${trouble.text}`,
    trim?.text,
    doubt,
    clockHoldReason,
    closing?.blocker === undefined ? undefined : `${closing.blocker.code}: ${closing.blocker.text}`,
    healing?.text,
    healing?.trouble === undefined ? undefined : `${healing.trouble.code}: ${healing.trouble.text}`,
    ...tries,
  ];
  return [...new Set(sentences.filter((text) => text !== undefined))];
}
