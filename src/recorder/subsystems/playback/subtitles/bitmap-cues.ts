import type { BitmapImage, BitmapScreen } from "../../../../mpeg-ts/bitmap-subtitles/bitmap-page.ts";
import { DEFAULT_DISPLAY } from "../../../../mpeg-ts/bitmap-subtitles/segments.ts";
import type { BitmapCue, BitmapCues } from "../../../api/daemon-api.ts";
import { pngOf } from "./png.ts";
import type { Shown } from "./shown.ts";

/** Bitmaps of a segment for a page: a screen with the size of the last one, and PNG pictures. */
export async function bitmapCues(shown: readonly Shown<BitmapScreen>[]): Promise<BitmapCues> {
  const visible = shown.filter(({ screen }) => screen.images.length > 0);
  const { width, height } = visible.at(-1)?.screen.display ?? DEFAULT_DISPLAY;
  const cues: BitmapCue[] = [];
  for (const { screen, fromMs, toMs } of visible)
    cues.push({ fromMs, toMs, images: await Promise.all(screen.images.map(imageOf)) });
  return { width, height, cues };
}

async function imageOf(image: BitmapImage): Promise<BitmapCue["images"][number]> {
  const { x, y, width, height } = image;
  return { x, y, width, height, png: (await pngOf(image)).toString("base64") };
}
