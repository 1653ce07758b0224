import { told } from "./tool.ts";

/**
 * The texts that libzvbi finds in a transport stream of teletext alone, through ffmpeg.
 *
 * @param page for example `888`; `*`: all of them
 */
export async function judgedTexts(stream: Uint8Array, page: string): Promise<readonly string[]> {
  const args = ["-v", "error", "-copyts", "-txt_page", page, "-txt_format", "text", "-i", "-"];
  const { out } = await told("ffmpeg", {
    args: [...args, "-map", "0:s:0", "-f", "srt", "-"],
    input: Buffer.from(stream),
  });
  return out.split(/\n\n(?=\d+\n\d\d:)/).flatMap((block) => {
    const [, , ...lines] = block.split("\n");
    return lines.length === 0 ? [] : [tidy(lines)];
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
