import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../state/language.ts";
import { view } from "../state/live.ts";
import { detailLink } from "../state/place.ts";
import { loadProgress, progress, unfinishedShare } from "../state/progress.ts";
import { nextEpisode } from "./next-episode.ts";
import { Player } from "./player.tsx";
import { positionText } from "./position-text.ts";
import { useProgressReports } from "./reports.ts";

/** The recording that plays, and where it begins. The next episode begins in the dialog of its own recording. */
const playing = signal<{ readonly id: string; readonly startSeconds: number } | undefined>(undefined);

/** The next episode is offered in the last seconds. */
const OFFER_SECONDS = 30;

/** Plays a recording, from the position at which the viewer stopped or from the beginning. */
export function Play({ id, isGrowing }: { readonly id: string; readonly isGrowing: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const isPlaying = playing.value?.id === id;
  useEffect(() => {
    void loadProgress();
    return () => {
      if (playing.value?.id === id) playing.value = undefined;
    };
  }, [id]);
  useEffect(() => {
    if (isPlaying) place.current?.scrollIntoView({ block: "start" });
  }, [isPlaying]);
  const address = `/v1/recordings/${encodeURIComponent(id)}`;
  const begin = (startSeconds: number) => () => {
    playing.value = { id, startSeconds };
  };
  return (
    <div class="play" ref={place}>
      {playing.value !== undefined && isPlaying ? (
        <RecordingPlayer id={id} isGrowing={isGrowing} startSeconds={playing.value.startSeconds} />
      ) : null}
      <div class="buttons">
        {isPlaying ? (
          <button type="button" class="primary" onClick={() => (playing.value = undefined)}>
            {say("player-stop")}
          </button>
        ) : (
          <BeginButtons id={id} begin={begin} />
        )}
        <a class="button" href={`${address}/play.m3u`} download>
          {say("player-other")}
        </a>
        <a class="button" href={`${address}/file`} download>
          {say("player-download")}
        </a>
      </div>
    </div>
  );
}

function BeginButtons({
  id,
  begin,
}: {
  readonly id: string;
  readonly begin: (startSeconds: number) => () => void;
}) {
  const stopped = progress.value.get(id);
  if (stopped === undefined || unfinishedShare(stopped) === undefined)
    return (
      <button type="button" class="primary" onClick={begin(0)}>
        {say("player-play")}
      </button>
    );
  return (
    <>
      <button type="button" class="primary" onClick={begin(stopped.seconds)}>
        {say("player-resume", { position: positionText(stopped.seconds) })}
      </button>
      <button type="button" onClick={begin(0)}>
        {say("player-from-beginning")}
      </button>
    </>
  );
}

function RecordingPlayer({
  id,
  isGrowing,
  startSeconds,
}: {
  readonly id: string;
  readonly isGrowing: boolean;
  readonly startSeconds: number;
}) {
  const isNearEnd = useSignal(false);
  const report = useProgressReports(id, { isGrowing, startSeconds });
  return (
    <Player
      stream={{ kind: "recording", id }}
      startSeconds={startSeconds}
      onMedia={(media) => {
        report(media);
        const { endSeconds } = media.range;
        isNearEnd.value = !isGrowing && endSeconds > 0 && media.seconds > endSeconds - OFFER_SECONDS;
      }}
    >
      {isNearEnd.value ? <NextEpisode id={id} /> : null}
    </Player>
  );
}

function NextEpisode({ id }: { readonly id: string }) {
  const entries = view.value?.entries;
  const current = entries?.get(id);
  if (entries === undefined || current === undefined) return null;
  const isFinished = (other: string) => progress.value.get(other)?.isFinished === true;
  const next = nextEpisode([...entries.values()], { current, isFinished });
  if (next === undefined) return null;
  const { recordingId, name, subtitle } = next;
  const stopped = progress.value.get(recordingId);
  const startSeconds = unfinishedShare(stopped) === undefined ? 0 : (stopped?.seconds ?? 0);
  return (
    <a
      class="button next-episode"
      href={detailLink(recordingId)}
      onClick={() => {
        playing.value = { id: recordingId, startSeconds };
      }}
    >
      {say("player-next-episode", { name: subtitle ?? name })}
    </a>
  );
}
