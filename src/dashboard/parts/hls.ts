import type HlsPlayer from "hls.js";

/** How many decoding failures within `NEAR_SECONDS` of each other are skipped before playing is given up. */
const FAILURES_MAX = 8;
const NEAR_SECONDS = 30;
/** A picture that fails again is skipped by this much, then by twice as much, and so on. */
const SKIP_SECONDS = 0.5;
/** The status of an answer without an index. */
const INDEX_MISSING = 409;
const HLS_TYPE = "application/vnd.apple.mpegurl";

export type HlsFailure = "no index" | "cannot play";

interface HlsParts {
  readonly element: HTMLVideoElement;
  readonly url: string;
  readonly onFailure: (failure: HlsFailure) => void;
}

/**
 * Plays by HLS. hls.js is loaded on first use; browsers that play HLS themselves do without it.
 *
 * @returns ends it
 */
export async function playHls({ element, url, onFailure }: HlsParts): Promise<() => void> {
  const { default: Hls } = await import("hls.js");
  if (Hls.isSupported()) return playWith(Hls, { element, url, onFailure });
  if (element.canPlayType(HLS_TYPE) === "") {
    onFailure("cannot play");
    return () => {};
  }
  const failed = () => onFailure("cannot play");
  element.addEventListener("error", failed);
  element.src = url;
  return () => {
    element.removeEventListener("error", failed);
    element.removeAttribute("src");
  };
}

function playWith(Hls: typeof HlsPlayer, { element, url, onFailure }: HlsParts): () => void {
  // A recording is watched from its beginning, also while it grows.
  const player = new Hls({ startPosition: 0 });
  const recover = recovery(element, player, () => onFailure("cannot play"));
  player.on(Hls.Events.ERROR, (_event, { fatal, type, response }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR) recover();
    else onFailure(response?.code === INDEX_MISSING ? "no index" : "cannot play");
  });
  // hls.js does not report what the browser cannot decode.
  const onError = () => {
    if (element.error?.code === MediaError.MEDIA_ERR_DECODE) recover();
  };
  element.addEventListener("error", onError);
  player.loadSource(url);
  player.attachMedia(element);
  return () => {
    element.removeEventListener("error", onError);
    player.destroy();
  };
}

/**
 * Begins again where decoding failed, and beyond if it fails there again. Browsers stop at the first picture that they cannot
 * decode.
 */
function recovery(element: HTMLVideoElement, player: HlsPlayer, giveUp: () => void): () => void {
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
