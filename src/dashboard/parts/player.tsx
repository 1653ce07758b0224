import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** Plays a recording in the page by HLS. hls.js is loaded on first use; browsers that play HLS themselves do without it. */
export function Player({ recordingId }: { readonly recordingId: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const failure = useSignal("");
  useEffect(() => {
    const url = `/v1/recordings/${encodeURIComponent(recordingId)}/hls/index.m3u8`;
    let end = () => {};
    let isOver = false;
    async function begin(): Promise<void> {
      const { default: Hls } = await import("hls.js");
      const element = video.current;
      if (isOver || element === null) return;
      if (Hls.isSupported()) {
        // A recording is watched from its beginning, also while it grows.
        const player = new Hls({ startPosition: 0 });
        end = () => player.destroy();
        player.on(Hls.Events.ERROR, (_event, { fatal, response }) => {
          if (fatal) failure.value = response?.code === INDEX_MISSING ? NO_INDEX : CANNOT;
        });
        player.loadSource(url);
        player.attachMedia(element);
      } else if (element.canPlayType(HLS_TYPE) !== "") {
        element.src = url;
        end = () => element.removeAttribute("src");
        element.addEventListener("error", () => {
          failure.value = CANNOT;
        });
      } else {
        failure.value = CANNOT;
        return;
      }
      // Browsers may require another click before they play sound.
      await Promise.resolve(element.play()).catch(() => {});
    }
    begin().catch(() => {
      failure.value = CANNOT;
    });
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
        {failure.value}
      </p>
    </div>
  );
}

/** The status of an answer without an index. */
const INDEX_MISSING = 409;
const NO_INDEX =
  "The index of this recording does not exist yet. The recorder makes it when it is idle: try again later, or download the file.";
const CANNOT =
  "This browser cannot play this recording, for example because of MPEG-2 video. Use a player such as VLC.";
const HLS_TYPE = "application/vnd.apple.mpegurl";
