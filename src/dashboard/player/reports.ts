import { useEffect, useRef } from "preact/hooks";
import { reportProgress } from "../state/progress.ts";
import type { MediaState } from "./media.ts";

/** A position is reported when it has moved this far, and when playback stops. */
const REPORT_SECONDS = 10;
/** A smaller move is not worth a report. */
const LEAST_SECONDS = 1;

/** Reports the position of a recording as it plays, when it is paused, and when the page or the player is closed. */
export function useProgressReports(
  recordingId: string,
  { isGrowing, startSeconds }: { readonly isGrowing: boolean; readonly startSeconds: number },
): (media: MediaState) => void {
  const latest = useRef<MediaState | undefined>(undefined);
  const reported = useRef(startSeconds);
  const hasBegun = useRef(false);
  const isFresh = useRef(isGrowing);
  isFresh.current = isGrowing;

  function report(leastSeconds: number): void {
    const media = latest.current;
    if (media === undefined || Math.abs(media.seconds - reported.current) < leastSeconds) return;
    reported.current = media.seconds;
    const { seconds, range, isEnded } = media;
    const isFinished = isEnded && !isFresh.current ? { isFinished: true } : {};
    void reportProgress(recordingId, { seconds, durationSeconds: range.endSeconds, ...isFinished });
  }

  useEffect(() => {
    const leave = () => report(LEAST_SECONDS);
    // A phone may end a hidden page without another event.
    document.addEventListener("visibilitychange", leave);
    addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      removeEventListener("pagehide", leave);
      leave();
    };
  }, [recordingId]);
  return (media) => {
    // Until it begins, the element is at 0.
    hasBegun.current ||= media.range.endSeconds > 0 && media.seconds >= startSeconds - LEAST_SECONDS;
    if (!hasBegun.current) return;
    latest.current = media;
    report(media.isPaused || media.isEnded ? LEAST_SECONDS : REPORT_SECONDS);
  };
}
