import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Plays a transport stream in the page; the player library is loaded on first use. */
export function Player({ url, isGrowing }: { readonly url: string; readonly isGrowing: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const failure = useSignal("");
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    async function begin(): Promise<void> {
      const { default: mpegts } = await import("mpegts.js");
      const element = video.current;
      if (isOver || element === null) return;
      if (!mpegts.isSupported()) {
        failure.value = CANNOT;
        return;
      }
      mpegts.LoggingControl.enableAll = false;
      const player = mpegts.createPlayer({ type: "mpegts", url, isLive: isGrowing });
      end = () => player.destroy();
      player.on(mpegts.Events.ERROR, () => {
        failure.value = CANNOT;
      });
      player.attachMediaElement(element);
      player.load();
      // Browsers may require another click before they play sound.
      await Promise.resolve(player.play()).catch(() => {});
    }
    begin().catch(() => {
      failure.value = CANNOT;
    });
    return () => {
      isOver = true;
      end();
    };
  }, [url, isGrowing, failure]);
  return (
    <div class="player">
      {/* biome-ignore lint/a11y/useMediaCaption: subtitles are in the stream, as broadcast */}
      <video ref={video} controls aria-label="Recording" />
      <p role="status" class="bad-text">
        {failure.value}
      </p>
    </div>
  );
}

const CANNOT =
  "This browser cannot play this format, for example MPEG-2 video. Open it in a player such as VLC.";
