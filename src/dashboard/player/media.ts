import { type Signal, signal } from "@preact/signals";
import type { Span } from "./model.ts";
import type { Session } from "./session.ts";

/** The state of a video element. */
export interface MediaState {
  readonly seconds: number;
  /** The positions that can be played. */
  readonly range: Span;
  /** The position at which a live service is played without delay. */
  readonly liveSeconds: number;
  readonly buffered: readonly Span[];
  readonly isPaused: boolean;
  readonly isEnded: boolean;
  /** It waits for data. */
  readonly isWaiting: boolean;
  readonly rate: number;
  readonly volume: number;
  readonly isMuted: boolean;
}

const EVENTS = [
  ...["timeupdate", "progress", "durationchange", "play", "playing", "pause", "waiting", "ended"],
  ...["seeking", "seeked", "ratechange", "volumechange"],
] as const;

/** @returns the state of the element as a signal, and a function that stops following it */
export function followMedia(
  element: HTMLVideoElement,
  session: () => Session | undefined,
): { readonly media: Signal<MediaState>; readonly stop: () => void } {
  const media = signal(stateOf(element, session()));
  const look = () => {
    media.value = stateOf(element, session());
  };
  for (const name of EVENTS) element.addEventListener(name, look);
  return {
    media,
    stop: () => {
      for (const name of EVENTS) element.removeEventListener(name, look);
    },
  };
}

function stateOf(element: HTMLVideoElement, session: Session | undefined): MediaState {
  const { currentTime, duration, paused, ended, readyState, playbackRate, volume, muted } = element;
  const endSeconds = Number.isFinite(duration) ? duration : 0;
  const range = session?.range() ?? { startSeconds: 0, endSeconds };
  return {
    seconds: currentTime,
    range,
    liveSeconds: session?.liveEdge() ?? range.endSeconds,
    buffered: spansOf(element.buffered),
    isPaused: paused,
    isEnded: ended,
    isWaiting: !paused && readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    rate: playbackRate,
    volume,
    isMuted: muted,
  };
}

function spansOf(ranges: TimeRanges): readonly Span[] {
  return Array.from({ length: ranges.length }, (_, at) => ({
    startSeconds: ranges.start(at),
    endSeconds: ranges.end(at),
  }));
}
