import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../state/api.ts";
import type { Fragment } from "./session.ts";

/** The answer of `bitmaps-ID-N.json`. Times are relative to the beginning of the segment. */
interface Bitmaps {
  /** Size of the plane, which covers the whole picture. */
  readonly width: number;
  readonly height: number;
  readonly cues: readonly Cue[];
}

interface Cue {
  readonly fromMs: number;
  readonly toMs: number;
  /** `png` is base64. */
  readonly images: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly png: string;
  }[];
}

/** Segments whose subtitles are kept. */
const KEPT = 4;

/** Bitmap subtitles over the picture, loaded segment by segment. */
export function BitmapSubtitles({
  address,
  track,
  fragment,
  seconds,
  element,
}: {
  /** Address of the stream. */
  readonly address: string;
  /** Id of the chosen track. */
  readonly track: string;
  readonly fragment: Signal<Fragment | undefined>;
  readonly seconds: number;
  readonly element: HTMLVideoElement | null;
}) {
  const known = useSignal<ReadonlyMap<number, Bitmaps>>(new Map());
  const number = fragment.value?.number;
  useEffect(() => {
    known.value = new Map();
  }, [known, track]);
  useEffect(() => {
    if (number === undefined) return;
    // The next segment's subtitles are there when it begins.
    for (const each of [number, number + 1]) void load(each);
    async function load(each: number): Promise<void> {
      if (known.value.has(each)) return;
      const path = `${address}/hls/bitmaps-${encodeURIComponent(track)}-${each}.json`;
      // The next segment may not exist yet, and a picture without subtitles is better than none.
      const found = await ask<Bitmaps>("GET", path).catch(() => undefined);
      if (found !== undefined) known.value = new Map([...known.value, [each, found] as const].slice(-KEPT));
    }
  }, [known, number, address, track]);
  const bitmaps = number === undefined ? undefined : known.value.get(number);
  if (bitmaps === undefined || element === null) return null;
  const atMs = (seconds - (fragment.value?.startSeconds ?? 0)) * 1000;
  const { width, height, cues } = bitmaps;
  const images = cues
    .filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
    .flatMap((cue) => cue.images);
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;
  return (
    <div class="bitmaps" style={pictureBox(element)}>
      {images.map((image) => (
        <img
          key={`${image.x} ${image.y} ${image.png.length}`}
          alt=""
          src={`data:image/png;base64,${image.png}`}
          style={{
            left: percent(image.x, width),
            top: percent(image.y, height),
            width: percent(image.width, width),
            height: percent(image.height, height),
          }}
        />
      ))}
    </div>
  );
}

/** The part of the element that the picture fills: black bars surround a picture of another shape. */
function pictureBox({ clientWidth, clientHeight, videoWidth, videoHeight }: HTMLVideoElement) {
  const scale = Math.min(clientWidth / (videoWidth || 16), clientHeight / (videoHeight || 9));
  const [width, height] = [(videoWidth || 16) * scale, (videoHeight || 9) * scale];
  return {
    left: `${(clientWidth - width) / 2}px`,
    top: `${(clientHeight - height) / 2}px`,
    width: `${width}px`,
    height: `${height}px`,
  };
}
