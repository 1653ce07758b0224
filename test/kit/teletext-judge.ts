import { told } from "./tool.ts";

/** A text as another decoder shows it. */
export interface JudgedText {
  /** Of the stream, as far as the decoder tells it: the end of a page is some milliseconds after its beginning. */
  readonly ms: number;
  /** Lines without spaces at their ends. */
  readonly text: string;
}

/**
 * The texts that libzvbi finds in a transport stream of teletext alone, through ffmpeg.
 *
 * @param page for example `888`; `*`: all of them
 */
export async function judgedTexts(stream: Uint8Array, page: string): Promise<readonly JudgedText[]> {
  const args = ["-v", "error", "-copyts", "-txt_page", page, "-txt_format", "text", "-i", "-"];
  const { out } = await told("ffmpeg", {
    args: [...args, "-map", "0:s:0", "-f", "srt", "-"],
    input: Buffer.from(stream),
  });
  return out.split(/\n\n(?=\d+\n\d\d:)/).flatMap((block) => {
    const [, times = "", ...lines] = block.split("\n");
    const [hours = 0, minutes = 0, seconds = 0, rest = 0] = times.split(/[:,]| --> /).map(Number);
    if (lines.length === 0) return [];
    return [{ ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest, text: tidy(lines) }];
  });
}

/** The muxer writes braces with a backslash, and libzvbi mosaics as characters for private use. */
function tidy(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .replaceAll(/\\(?=[{}\\])/g, "")
        .replaceAll(/[\p{C} ]+/gu, " ")
        .trim(),
    )
    .filter((line) => line !== "")
    .join("\n");
}
