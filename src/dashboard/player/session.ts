import { type Signal, signal } from "@preact/signals";
import type { Span, StreamFacts, Tracks } from "./model.ts";

const NO_TRACKS: Tracks = { of: [], chosen: -1 };

/** The segment that plays. */
export interface Fragment {
  readonly number: number;
  readonly startSeconds: number;
}

/** HLS that is being played. */
export interface Session {
  /** The browser plays HLS itself, with controls of its own. */
  readonly isNative: boolean;
  readonly audio: Signal<Tracks>;
  /** Text tracks. */
  readonly subtitles: Signal<Tracks>;
  readonly fragment: Signal<Fragment | undefined>;
  /** Missing data that the playlist shows so far; empty if the browser plays HLS itself. */
  readonly gaps: Signal<StreamFacts["gaps"]>;
  /** The positions that can be played; `undefined` until they are known. */
  range(): Span | undefined;
  /** The position at which a live service is played without delay. */
  liveEdge(): number | undefined;
  chooseAudio(position: number): void;
  /** @param position -1: none */
  chooseSubtitles(position: number): void;
  stop(): void;
}

/** HLS by the browser. Its own controls choose tracks. */
export function nativeSession(element: HTMLVideoElement, stop: () => void): Session {
  const range = () => {
    const { seekable } = element;
    const last = seekable.length - 1;
    return last < 0 ? undefined : { startSeconds: seekable.start(0), endSeconds: seekable.end(last) };
  };
  return {
    isNative: true,
    audio: signal(NO_TRACKS),
    subtitles: signal(NO_TRACKS),
    fragment: signal(undefined),
    gaps: signal([]),
    range,
    liveEdge: () => range()?.endSeconds,
    chooseAudio: () => {},
    chooseSubtitles: () => {},
    stop,
  };
}

/** Signals of a session that has just begun. */
export function sessionSignals(): Pick<Session, "audio" | "subtitles" | "fragment" | "gaps"> {
  return {
    audio: signal(NO_TRACKS),
    subtitles: signal(NO_TRACKS),
    fragment: signal<Fragment | undefined>(undefined),
    gaps: signal<StreamFacts["gaps"]>([]),
  };
}
