import type HlsPlayer from "hls.js";
import type { MediaPlaylist } from "hls.js";
import { after } from "../clock.ts";
import { say } from "../state/language.ts";
import { abilities, newViewer } from "./abilities.ts";
import type { Track } from "./model.ts";
import { gapsIn } from "./playlist-gaps.ts";
import { recovery, watchStalls } from "./recovery.ts";
import { nativeSession, type Session, sessionSignals } from "./session.ts";
import { addressOf, type Stream } from "./stream.ts";

/** The statuses of a recorder without multivariant playlists. */
const MISSING = [400, 404];
const HLS_TYPE = "application/vnd.apple.mpegurl";
/** A live service is played this far from its newest picture, so that a late segment does not interrupt it. */
const LIVE_DELAY_SECONDS = 10;
/** A converted segment begins to arrive when it is whole, and a playlist of a live service with its first segment. */
const FIRST_BYTE_MS = 45_000;
/** A whole answer may take longer. */
const LOAD_MS = 60_000;
/** Seconds of decoded stream that stay in memory behind the position. */
const KEPT_SECONDS = 60;

export interface HlsOrder {
  readonly element: HTMLVideoElement;
  readonly stream: Stream;
  /** The position at which playing begins. A live service begins at its edge. */
  readonly startSeconds: number;
  readonly onFailure: (message: string) => void;
  /** The browser plays only after another press. */
  readonly onBlocked: () => void;
}

/** Plays by HLS. hls.js is loaded on first use; browsers that alone play HLS, such as an iPhone's, do without it. */
export async function playHls(order: HlsOrder): Promise<Session> {
  const { element, onFailure } = order;
  const playsItself = element.canPlayType(HLS_TYPE) !== "";
  // With ManagedMediaSource, hls.js would work on iPhones too, but without AirPlay and full screen.
  if (!("MediaSource" in globalThis) && playsItself) return playNatively(order);
  const { default: Hls } = await import("hls.js");
  if (Hls.isSupported()) return playWith(Hls, order);
  if (playsItself) return playNatively(order);
  onFailure(say("player-cannot"));
  return nativeSession(element, () => {});
}

/** Addresses to try, one after the other: an older recorder has no multivariant playlists. */
function playlists({ stream }: HlsOrder, isNative: boolean): readonly string[] {
  const base = `${addressOf(stream)}/hls`;
  const query = new URLSearchParams({ ...abilities({ isNative }), viewer: newViewer() });
  return [`${base}/master.m3u8?${query}`, `${base}/index.m3u8`];
}

function playNatively(order: HlsOrder): Session {
  const { element, stream, startSeconds, onFailure, onBlocked } = order;
  const [first = "", ...others] = playlists(order, true);
  const failed = () => {
    const next = others.shift();
    if (next === undefined) onFailure(say("player-cannot"));
    else element.src = next;
  };
  const begin = () => {
    if (stream.kind === "recording" && startSeconds > 0) element.currentTime = startSeconds;
  };
  element.addEventListener("error", failed);
  element.addEventListener("loadedmetadata", begin, { once: true });
  element.src = first;
  play(element, onBlocked);
  return nativeSession(element, () => {
    element.removeEventListener("error", failed);
    element.removeEventListener("loadedmetadata", begin);
    element.removeAttribute("src");
  });
}

/** Browsers may require another press before they play sound. */
function play(element: HTMLVideoElement, onBlocked: () => void): void {
  element.play().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "NotAllowedError") onBlocked();
  });
}

function playWith(Hls: typeof HlsPlayer, order: HlsOrder): Session {
  const { element, stream, startSeconds, onFailure, onBlocked } = order;
  const isLive = stream.kind === "live";
  const [first = "", ...others] = playlists(order, false);
  const { fragLoadPolicy, manifestLoadPolicy, playlistLoadPolicy } = Hls.DefaultConfig;
  const patient = <T extends { readonly default: object }>(policy: T): T => ({
    ...policy,
    default: { ...policy.default, maxTimeToFirstByteMs: FIRST_BYTE_MS, maxLoadTimeMs: LOAD_MS },
  });
  const player = new Hls({
    // A recording is watched from its beginning, also while it grows.
    startPosition: isLive ? -1 : startSeconds,
    liveSyncDuration: LIVE_DELAY_SECONDS,
    // WebKit ends playback at the end of what a growing recording has so far, and does not continue.
    liveDurationInfinity: true,
    backBufferLength: KEPT_SECONDS,
    fragLoadPolicy: patient(fragLoadPolicy),
    manifestLoadPolicy: patient(manifestLoadPolicy),
    playlistLoadPolicy: patient(playlistLoadPolicy),
  });
  const recover = recovery(Hls, { element, player }, () => onFailure(say("player-cannot")));
  const unwatch = watchStalls(Hls, { element, player }, recover);
  player.on(Hls.Events.ERROR, (_event, { fatal, type, response, networkDetails }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR) return recover();
    const next = MISSING.includes(response?.code ?? 0) ? others.shift() : undefined;
    if (next === undefined) onFailure(messageOf(networkDetails) ?? say("player-cannot"));
    // hls.js stops loading after this event.
    else after(0, () => begin(next));
  });
  // A new source pauses the element.
  const begin = (url: string) => {
    player.once(Hls.Events.MANIFEST_PARSED, () => play(element, onBlocked));
    player.loadSource(url);
  };
  // hls.js does not report what the browser cannot decode.
  const onError = () => {
    if (element.error?.code === MediaError.MEDIA_ERR_DECODE) recover();
  };
  element.addEventListener("error", onError);
  const signals = sessionSignals();
  followTracks(Hls, player, signals);
  begin(first);
  player.attachMedia(element);
  return {
    ...signals,
    isNative: false,
    range: () => {
      const details = player.latestLevelDetails;
      return details === null || details.fragments.length === 0
        ? undefined
        : { startSeconds: details.fragmentStart, endSeconds: details.edge };
    },
    liveEdge: () => player.liveSyncPosition ?? undefined,
    chooseAudio: (position) => {
      player.audioTrack = position;
    },
    chooseSubtitles: (position) => {
      player.subtitleDisplay = position >= 0;
      player.subtitleTrack = position;
    },
    stop: () => {
      element.removeEventListener("error", onError);
      unwatch();
      player.destroy();
    },
  };
}

/** RFC 8216 §4.3.4.1: purposes of a rendition. */
const PURPOSES = {
  description: "public.accessibility.describes-video",
  hardOfHearing: "public.accessibility.transcribes-spoken-dialog",
} as const;

function trackOf({ name, lang, characteristics = "" }: MediaPlaylist): Track {
  const purposes = characteristics.split(",");
  return {
    name,
    ...(lang === undefined ? {} : { language: lang }),
    isDescription: purposes.includes(PURPOSES.description),
    isForHardOfHearing: purposes.includes(PURPOSES.hardOfHearing),
  };
}

/** Keeps the signals of a session like the state of hls.js. */
function followTracks(
  Hls: typeof HlsPlayer,
  player: HlsPlayer,
  { audio, subtitles, fragment, gaps }: ReturnType<typeof sessionSignals>,
): void {
  const { Events } = Hls;
  const onAudio = () => {
    audio.value = { of: player.audioTracks.map(trackOf), chosen: player.audioTrack };
  };
  const onSubtitles = () => {
    subtitles.value = { of: player.subtitleTracks.map(trackOf), chosen: player.subtitleTrack };
  };
  player.on(Events.AUDIO_TRACKS_UPDATED, onAudio);
  player.on(Events.AUDIO_TRACK_SWITCHED, onAudio);
  player.on(Events.SUBTITLE_TRACKS_UPDATED, onSubtitles);
  player.on(Events.SUBTITLE_TRACK_SWITCH, onSubtitles);
  player.on(Events.LEVEL_UPDATED, (_event, { details }) => {
    const found = gapsIn(details.fragments);
    // The bar is drawn again only if the list differs.
    if (JSON.stringify(found) !== JSON.stringify(gaps.value)) gaps.value = found;
  });
  player.on(Events.FRAG_CHANGED, (_event, { frag }) => {
    if (typeof frag.sn === "number") fragment.value = { number: frag.sn, startSeconds: frag.start };
  });
}

/** The recorder's own message in a refused request. */
function messageOf(details: unknown): string | undefined {
  if (!(details instanceof XMLHttpRequest)) return undefined;
  try {
    const { code, message } = JSON.parse(details.responseText) as Readonly<Record<string, unknown>>;
    if (code === "INDEX_UNUSABLE") return say("player-no-index");
    return typeof message === "string" ? message : undefined;
  } catch {
    // The answer was none of the recorder's, or there was none.
    return undefined;
  }
}
