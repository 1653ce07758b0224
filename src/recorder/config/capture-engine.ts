import { z } from "zod";
import { whyNotByHost } from "../capture/host/readable.ts";
import { kindOf, type TunerConfig } from "../tune/registry.ts";

export const Capture = z
  .strictObject({
    ffmpegPath: z.string().min(1).default("ffmpeg").describe("A program name, or an absolute path."),
    engine: z
      .enum(["auto", "host", "ffmpeg"])
      .default("auto")
      .describe(
        "Capture engine. host: one process that copies all streams, which must be over HTTP, UDP or RTP; ffmpeg: one process for each stream; auto: the host where possible, otherwise ffmpeg.",
      ),
  })
  .prefault({});
type Capture = z.infer<typeof Capture>;

/**
 * Without ffmpeg, a tuner whose addresses the capture host does not read would fail at every recording.
 *
 * @returns the expected value, with the reason; `undefined` if the engine can capture from all tuners
 */
export function captureEngineMistake(
  { engine }: Pick<Capture, "engine">,
  tuners: readonly TunerConfig[],
): string | undefined {
  if (engine !== "host") return undefined;
  for (const tuner of tuners) {
    const reasons = kindOf(tuner)
      .sources(tuner)
      .flatMap((source) => whyNotByHost(source) ?? []);
    const [reason] = reasons;
    if (reason !== undefined)
      return `expected auto or ffmpeg, as the capture host ${reason}, which tuner ${tuner.id} has`;
  }
  return undefined;
}
