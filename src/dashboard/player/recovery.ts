import type HlsPlayer from "hls.js";

/** How many decoding failures within `NEAR_SECONDS` of each other are skipped before playing is given up. */
const FAILURES_MAX = 8;
const NEAR_SECONDS = 30;
/** A picture that fails again is skipped by this much, then by twice as much, and so on. */
const SKIP_SECONDS = 0.5;

/**
 * Begins again where decoding failed, and beyond if it fails there again. Browsers stop at the first picture that they cannot
 * decode.
 */
export function recovery(element: HTMLVideoElement, player: HlsPlayer, giveUp: () => void): () => void {
  let failures: number[] = [];
  return () => {
    const at = element.currentTime;
    failures = [...failures.filter((failure) => Math.abs(failure - at) < NEAR_SECONDS), at];
    if (failures.length > FAILURES_MAX) return giveUp();
    const again = failures.filter((failure) => Math.abs(failure - at) < 2 * SKIP_SECONDS).length - 1;
    player.recoverMediaError();
    const target = at + (again === 0 ? 0 : SKIP_SECONDS * 2 ** (again - 1));
    element.addEventListener(
      "loadedmetadata",
      () => {
        element.currentTime = target;
        // Browsers may require another click before they play sound.
        element.play().catch(() => {});
      },
      { once: true },
    );
  };
}
