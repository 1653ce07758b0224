import { RecorderdError } from "../../model/errors.ts";
import { startProblem } from "./startable.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** The whole environment of an ffmpeg that needs nothing of ours. */
export const FFMPEG_ENV: Readonly<Record<string, string>> = { PATH, LC_ALL: "C" };

/**
 * The beginning of a command line of ffmpeg that leaves processor and disk to recordings.
 *
 * @param niceness as for nice(1)
 * @throws RecorderdError FFMPEG_MISSING
 */
export async function politeFfmpeg(ffmpegPath: string, niceness: number): Promise<readonly string[]> {
  const problem = await startProblem([ffmpegPath], PATH);
  if (problem !== undefined)
    throw new RecorderdError("FFMPEG_MISSING", `${ffmpegPath} cannot be started: ${problem}.`);
  // A sandbox may forbid both. nice then starts the program anyway; ionice does so only with -t.
  const hasIonice = (await startProblem(["ionice"], PATH)) === undefined;
  return ["nice", "-n", `${niceness}`, ...(hasIonice ? ["ionice", "-t", "-c", "3"] : []), ffmpegPath];
}
