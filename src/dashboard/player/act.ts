import { type Command, rateAfter } from "./commands.ts";
import type { MediaState } from "./media.ts";

export interface Actors {
  readonly element: HTMLVideoElement;
  readonly media: MediaState;
  readonly toggleFullScreen: () => void;
  readonly nextSound: () => void;
  readonly toggleCaptions: () => void;
  readonly toggleHelp: () => void;
}

/** Carries out a command of the viewer. */
export function carryOut(command: Command, actors: Actors): void {
  const { element, media } = actors;
  const { startSeconds, endSeconds } = media.range;
  const seek = (seconds: number) => {
    element.currentTime = Math.min(Math.max(seconds, startSeconds), endSeconds);
  };
  switch (command.do) {
    case "toggle":
      if (element.paused) element.play().catch(() => {});
      else element.pause();
      return;
    case "skip":
      return seek(element.currentTime + command.seconds);
    case "seek":
      return seek(command.seconds);
    case "part":
      return seek(startSeconds + ((endSeconds - startSeconds) * command.tenths) / 10);
    case "live":
      seek(media.liveSeconds);
      element.play().catch(() => {});
      return;
    case "louder":
      return setVolume(element, element.volume + command.by);
    case "volume":
      return setVolume(element, command.volume);
    case "mute":
      element.muted = !element.muted;
      return;
    case "faster":
      element.playbackRate = rateAfter(element.playbackRate, command.steps);
      return;
    case "rate":
      element.playbackRate = command.rate;
      return;
    case "full-screen":
      return actors.toggleFullScreen();
    case "next-sound":
      return actors.nextSound();
    case "captions":
      return actors.toggleCaptions();
    case "help":
      return actors.toggleHelp();
  }
}

function setVolume(element: HTMLVideoElement, volume: number): void {
  element.muted = false;
  element.volume = Math.min(1, Math.max(0, volume));
}

/** Whether a key belongs to the element that has the focus: text fields, choices, and buttons that Space presses. */
export function isForFocused({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== "range" || (target.className === "volume" && key.startsWith("Arrow"));
  return (
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement ||
    (key === " " && target.closest("button, a, summary") !== null)
  );
}
