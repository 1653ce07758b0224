import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../state/language.ts";
import { carryOut, isForFocused } from "./act.ts";
import { BitmapSubtitles } from "./bitmaps.tsx";
import { type Command, commandOf } from "./commands.ts";
import { Controls } from "./controls.tsx";
import { useFullScreen } from "./full-screen.ts";
import { Icon } from "./icons.tsx";
import { KeyHelp } from "./key-help.tsx";
import type { MediaState } from "./media.ts";
import { addressOf, type Stream } from "./stream.ts";
import { type SubtitleChoice, subtitleChoices } from "./subtitle-choices.ts";
import { soundNames } from "./track-names.ts";
import { gapsOf, usePlayback } from "./use-playback.ts";

const NO_SUBTITLES: SubtitleChoice = { kind: "none" };

/** Plays a recording or a live service in the page, with controls for touch, mouse, keyboard and screen reader. */
export function Player({
  stream,
  startSeconds = 0,
  onMedia = () => {},
  children,
}: {
  readonly stream: Stream;
  readonly startSeconds?: number;
  /** Called with each change of the position or state. */
  readonly onMedia?: (media: MediaState) => void;
  /** Shown over the picture. */
  readonly children?: ComponentChildren;
}) {
  const address = addressOf(stream);
  const box = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const { playback, media, failure, isBlocked } = usePlayback(video, { stream, startSeconds });
  const full = useFullScreen(box, video);
  const subtitle = useSignal(NO_SUBTITLES);
  const isHelpOpen = useSignal(false);
  useEffect(() => media.subscribe((state) => state && onMedia(state)), [media, address]);

  const session = playback.value?.session;
  const subtitles = subtitleChoices(session?.subtitles.value.of ?? [], playback.value?.bitmaps ?? []);

  function chooseSubtitles(choice: SubtitleChoice): void {
    subtitle.value = choice;
    session?.chooseSubtitles(choice.kind === "text" ? choice.position : -1);
  }

  function act(command: Command): void {
    const element = video.current;
    if (element === null || session === undefined || media.value === undefined) return;
    carryOut(command, {
      element,
      media: media.value,
      toggleFullScreen: full.toggle,
      nextSound: () => {
        const { of, chosen } = session.audio.value;
        if (of.length > 1) session.chooseAudio((chosen + 1) % of.length);
      },
      toggleCaptions: () =>
        chooseSubtitles(
          subtitle.value.kind === "none" ? (subtitles[1]?.choice ?? NO_SUBTITLES) : NO_SUBTITLES,
        ),
      toggleHelp: () => {
        isHelpOpen.value = !isHelpOpen.value;
      },
    });
  }

  function onKey(event: KeyboardEvent): void {
    full.wake();
    if (event.key === "Escape" && isHelpOpen.value) {
      isHelpOpen.value = false;
      return event.preventDefault();
    }
    const command = isForFocused(event) ? undefined : commandOf(event);
    if (command === undefined) return;
    event.preventDefault();
    act(command);
  }

  useDialogKeys(box, onKey);
  const isNative = session?.isNative === true;
  return (
    <section
      ref={box}
      class={`player${full.isIdle.value && media.value?.isPaused === false ? " idle" : ""}`}
      aria-label={say("player-video")}
      tabIndex={-1}
      onPointerMove={full.wake}
    >
      <div class="screen">
        {/* biome-ignore lint/a11y/useMediaCaption: subtitles are in the stream, as broadcast */}
        <video
          ref={video}
          controls={isNative}
          playsInline
          x-webkit-airplay="allow"
          aria-label={stream.kind === "live" ? say("player-live-television") : say("player-recording")}
          onClick={() => {
            if (!isNative && !full.isIdle.value) act({ do: "toggle" });
            full.wake();
          }}
          onDblClick={() => isNative || full.toggle()}
        />
        {subtitle.value.kind === "bitmap" && session !== undefined ? (
          <BitmapSubtitles
            address={address}
            track={subtitle.value.id}
            fragment={session.fragment}
            seconds={media.value?.seconds ?? 0}
            element={video.current}
          />
        ) : null}
        <p role="status" class="waiting">
          {failure.value === "" ? waitingText(stream, media.value) : ""}
        </p>
        {isBlocked.value && !isNative ? (
          <button
            type="button"
            class="primary begin"
            onClick={() => {
              isBlocked.value = false;
              act({ do: "toggle" });
            }}
          >
            <Icon name="play" /> {say("player-play")}
          </button>
        ) : null}
        {isHelpOpen.value ? <KeyHelp /> : null}
        {children}
      </div>
      {session === undefined || media.value === undefined || isNative ? null : (
        <Controls
          media={media.value}
          isLive={stream.kind === "live"}
          gaps={gapsOf(playback.value)}
          sounds={soundNames(session.audio.value.of, playback.value?.audio)}
          chosenSound={session.audio.value.chosen}
          subtitles={subtitles}
          chosenSubtitles={subtitles.findIndex(({ choice }) => isSame(choice, subtitle.value))}
          isFull={full.isFull.value}
          canFloat={document.pictureInPictureEnabled === true}
          act={act}
          onAudio={session.chooseAudio}
          onSubtitles={chooseSubtitles}
          onFloat={() => void toggleFloating(video.current)}
        />
      )}
      <p role="status" class="bad-text">
        {failure.value}
      </p>
    </section>
  );
}

/** Keys work in the whole dialog of the player. */
function useDialogKeys(
  box: { readonly current: HTMLElement | null },
  onKey: (event: KeyboardEvent) => void,
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const place = box.current?.closest("dialog") ?? box.current;
    // The pressed button is gone: without this, the focus would be nowhere.
    box.current?.focus({ preventScroll: true });
    const listen = (event: KeyboardEvent) => {
      const { target } = event;
      if (target === document.body || (target instanceof Node && place?.contains(target)))
        latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [box]);
}

function waitingText(stream: Stream, media: MediaState | undefined): string {
  if (media?.isWaiting === true && media.range.endSeconds > 0) return say("frame-loading");
  if (media !== undefined && media.range.endSeconds > 0) return "";
  return stream.kind === "live" ? say("player-tuning") : say("frame-loading");
}

async function toggleFloating(video: HTMLVideoElement | null): Promise<void> {
  if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
  // The browser refuses it for a video without a picture.
  else await video?.requestPictureInPicture().catch(() => {});
}

function isSame(a: SubtitleChoice, b: SubtitleChoice): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
