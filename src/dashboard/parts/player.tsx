import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type HlsFailure, playHls } from "./hls.ts";

const FAILURES: Readonly<Record<HlsFailure, string>> = {
  "no index":
    "The index of this recording does not exist yet. The recorder makes it when it is idle: try again later, or download the file.",
  "cannot play":
    "This browser cannot play this recording, for example because of MPEG-2 video. Use a player such as VLC.",
};

/** Plays a recording in the page by HLS. */
export function Player({ recordingId }: { readonly recordingId: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const failure = useSignal<HlsFailure | undefined>(undefined);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    let end = () => {};
    let isOver = false;
    const onFailure = (found: HlsFailure) => {
      failure.value = found;
    };
    async function begin(element: HTMLVideoElement): Promise<void> {
      const url = `/v1/recordings/${encodeURIComponent(recordingId)}/hls/index.m3u8`;
      const stop = await playHls({ element, url, onFailure });
      if (isOver) return stop();
      end = stop;
      // Browsers may require another click before they play sound.
      await Promise.resolve(element.play()).catch(() => {});
    }
    begin(element).catch(() => onFailure("cannot play"));
    return () => {
      isOver = true;
      end();
    };
  }, [recordingId, failure]);
  return (
    <div class="player">
      {/* biome-ignore lint/a11y/useMediaCaption: subtitles are in the stream, as broadcast */}
      <video ref={video} controls playsInline aria-label="Recording" />
      <p role="status" class="bad-text">
        {failure.value === undefined ? "" : FAILURES[failure.value]}
      </p>
    </div>
  );
}
