import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { SECOND } from "../../model/time.ts";
import { after } from "../clock.ts";

/** In full screen, the controls leave after this time without a sign of the viewer. */
const IDLE_MS = 3 * SECOND;

/** An iPhone shows only the video itself in full screen. */
type AppleVideo = HTMLVideoElement & { readonly webkitEnterFullscreen?: () => void };

export interface FullScreen {
  readonly isFull: Signal<boolean>;
  /** The viewer has not moved or pressed anything for a while. */
  readonly isIdle: Signal<boolean>;
  readonly toggle: () => void;
  /** Notes a sign of the viewer. */
  readonly wake: () => void;
}

/** Full screen for the box of the player, so that its controls and subtitles come with it. */
export function useFullScreen(
  box: RefObject<HTMLElement | null>,
  video: RefObject<HTMLVideoElement | null>,
): FullScreen {
  const isFull = useSignal(false);
  const isIdle = useSignal(false);
  const callOff = useSignal(() => {});
  useEffect(() => {
    const look = () => {
      isFull.value = document.fullscreenElement === box.current;
    };
    document.addEventListener("fullscreenchange", look);
    return () => {
      document.removeEventListener("fullscreenchange", look);
      callOff.value();
    };
  }, [box, isFull, callOff]);
  return {
    isFull,
    isIdle,
    wake: () => {
      callOff.value();
      isIdle.value = false;
      callOff.value = after(IDLE_MS, () => {
        isIdle.value = true;
      });
    },
    toggle: () => {
      const element: AppleVideo | null = video.current;
      if (document.fullscreenElement !== null) void document.exitFullscreen();
      else if (document.fullscreenEnabled) void box.current?.requestFullscreen().catch(() => {});
      else element?.webkitEnterFullscreen?.();
    },
  };
}
