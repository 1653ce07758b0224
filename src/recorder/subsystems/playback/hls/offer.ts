import type { PlayerClient } from "../../../api/daemon-api.ts";
import type { AudioTrack, Tracks, VideoTrack } from "./tracks.ts";

/** A stream, and whether the device needs it converted. */
export interface Offered<T> {
  readonly track: T;
  readonly isConverted: boolean;
}

/** The tracks for one device, and what it needs converted. */
export interface Offer {
  readonly video?: Offered<VideoTrack>;
  /** The sound that plays if nobody chooses. */
  readonly audio?: Offered<AudioTrack>;
  /** The other sound tracks. */
  readonly others: readonly Offered<AudioTrack>[];
}

/** Fits tracks to a device. A track that it decodes is never converted. */
export function offerFor({ video, audio }: Tracks, client: Pick<PlayerClient, "video" | "audio">): Offer {
  const offered = audio.map((track) => ({ track, isConverted: !client.audio.includes(track.codec) }));
  const main = mainAudio(offered);
  return {
    others: offered.filter((each) => each !== main),
    ...(video === undefined
      ? {}
      : { video: { track: video, isConverted: !client.video.includes(video.codec) } }),
    ...(main === undefined ? {} : { audio: main }),
  };
}

/** The first track that is no audio description; of several in its language, one that needs no conversion. */
function mainAudio(offered: readonly Offered<AudioTrack>[]): Offered<AudioTrack> | undefined {
  const plain = offered.filter(({ track }) => !track.isDescription);
  const [first] = plain;
  const same = plain.filter(({ track }) => track.language === first?.track.language);
  return same.find(({ isConverted }) => !isConverted) ?? first ?? offered[0];
}

/** Whether the picture, or the sound with it, must be converted. */
export function convertsMain({ video, audio }: Offer): boolean {
  return video?.isConverted === true || audio?.isConverted === true;
}
