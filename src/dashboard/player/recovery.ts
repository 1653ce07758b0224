import type HlsPlayer from "hls.js";
import type { Fragment } from "hls.js";
import { every } from "../clock.ts";
import { LOOK_MS, stallWatch } from "./stalls.ts";

/** How many decoding failures within `NEAR_SECONDS` of each other are skipped before playing is given up. */
const FAILURES_MAX = 8;
const NEAR_SECONDS = 30;
/** A picture that fails again is skipped by this much, then by twice as much, and so on. */
const SKIP_SECONDS = 0.5;

/**
 * Begins again where decoding failed, and beyond if it fails there again. Browsers stop at the first picture that they cannot
 * decode.
 */
export function recovery(
  Hls: typeof HlsPlayer,
  { element, player }: { readonly element: HTMLVideoElement; readonly player: HlsPlayer },
  giveUp: () => void,
): () => void {
  let failures: number[] = [];
  let isRecovering = false;
  /** The position before hls.js has buffered anything: then it seeks to where it began to load, if it is faster than the browser. */
  let wanted: number | undefined;
  player.on(Hls.Events.BUFFER_APPENDING, () => {
    if (isRecovering) wanted ??= element.currentTime;
  });
  element.addEventListener("loadedmetadata", () => {
    if (wanted !== undefined && element.currentTime !== wanted) element.currentTime = wanted;
    isRecovering = false;
    wanted = undefined;
  });
  return () => {
    const at = element.currentTime;
    failures = [...failures.filter((failure) => Math.abs(failure - at) < NEAR_SECONDS), at];
    if (failures.length > FAILURES_MAX) return giveUp();
    const again = failures.filter((failure) => Math.abs(failure - at) < 2 * SKIP_SECONDS).length - 1;
    const { paused, playbackRate } = element;
    isRecovering = true;
    wanted = undefined;
    player.recoverMediaError();
    // The element has no metadata now and keeps this position until it has. A seek of the viewer meanwhile replaces it.
    element.currentTime = at + (again === 0 ? 0 : SKIP_SECONDS * 2 ** (again - 1));
    // A new source plays at the default rate, and pauses.
    element.playbackRate = playbackRate;
    // Browsers may require another click before they play sound.
    if (!paused) element.play().catch(() => {});
  };
}

/** Calls `recover` when playback hangs. @returns a function that ends it */
export function watchStalls(
  Hls: typeof HlsPlayer,
  { element, player }: { readonly element: HTMLVideoElement; readonly player: HlsPlayer },
  recover: () => void,
): () => void {
  const requested = new Map<string, Fragment>();
  player.on(Hls.Events.FRAG_LOADING, (_event, { frag }) => {
    requested.set(frag.type, frag);
  });
  const hangs = stallWatch();
  return every(LOOK_MS, () => {
    const { currentTime, paused, ended } = element;
    const loading = [...requested.values()]
      // An aborted request has no event, but no loader either.
      .filter(({ loader }) => loader !== null)
      .map(({ start, end }) => ({ startSeconds: start, endSeconds: end }));
    const endSeconds = player.latestLevelDetails?.edge ?? 0;
    if (hangs({ seconds: currentTime, isWanted: !paused && !ended, endSeconds, loading })) recover();
  });
}
