import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { afterGap } from "./gaps.ts";
import { playHls } from "./hls.ts";
import { followMedia, type MediaState } from "./media.ts";
import type { StreamFacts, SubtitleFacts } from "./model.ts";
import type { Session } from "./session.ts";
import { addressOf, factsOf, type Stream } from "./stream.ts";

/** A stream that is being played. */
export interface Playback {
  readonly session: Session;
  /** Missing data when the player began. */
  readonly gaps: StreamFacts["gaps"];
  /** Sound tracks, as far as the facts are loaded. */
  readonly audio: NonNullable<StreamFacts["audio"]>;
  /** Subtitles that the page draws. */
  readonly bitmaps: readonly SubtitleFacts[];
}

export interface PlaybackSignals {
  /** Absent until the stream is open. */
  readonly playback: Signal<Playback | undefined>;
  readonly media: Signal<MediaState | undefined>;
  /** Why it cannot be played; empty if it can. */
  readonly failure: Signal<string>;
  /** The browser plays only after another press. */
  readonly isBlocked: Signal<boolean>;
}

/** Missing data so far: the playlist of a growing stream knows more than the facts did at its beginning. */
export function gapsOf(playback: Playback | undefined): StreamFacts["gaps"] {
  const known = playback?.session.gaps.value ?? [];
  return known.length > 0 ? known : (playback?.gaps ?? []);
}

/** Plays a stream in a video element as long as the component is shown. */
export function usePlayback(
  video: RefObject<HTMLVideoElement | null>,
  { stream, startSeconds }: { readonly stream: Stream; readonly startSeconds: number },
): PlaybackSignals {
  const playback = useSignal<Playback | undefined>(undefined);
  const media = useSignal<MediaState | undefined>(undefined);
  const failure = useSignal("");
  const isBlocked = useSignal(false);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    let isOver = false;
    // The first failure is the cause of those that follow.
    const onFailure = (message: string) => {
      if (failure.value === "") failure.value = message;
    };
    const onBlocked = () => {
      isBlocked.value = true;
    };
    const followed = followMedia(element, () => playback.value?.session);
    const unfollow = followed.media.subscribe((state) => {
      media.value = state;
      if (!state.isPaused && !state.isWaiting) isBlocked.value = false;
      const target = afterGap(state.seconds, { gaps: gapsOf(playback.value), buffered: state.buffered });
      if (target !== undefined && !state.isPaused) element.currentTime = target;
    });
    async function begin(element: HTMLVideoElement): Promise<void> {
      // A live service is tuned by the first request, and the player loads meanwhile.
      const [asked, loaded] = [
        factsOf(stream),
        playHls({ element, stream, startSeconds, onFailure, onBlocked }),
      ];
      asked.catch(() => {});
      const session = await loaded;
      if (isOver) return session.stop();
      playback.value = { session, gaps: [], audio: [], bitmaps: [] };
      const facts = await asked;
      if (isOver) return;
      const bitmaps = facts?.subtitles?.filter(({ kind }) => kind === "bitmap") ?? [];
      playback.value = { session, gaps: facts?.gaps ?? [], audio: facts?.audio ?? [], bitmaps };
    }
    begin(element).catch((error: unknown) =>
      onFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      isOver = true;
      unfollow();
      followed.stop();
      playback.value?.session.stop();
    };
  }, [addressOf(stream)]);
  return { playback, media, failure, isBlocked };
}
