import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Conversions, createConversions } from "../subsystems/playback/conversion/conversions.ts";
import { PLAYBACK_LIMITS } from "../subsystems/playback/limits.ts";
import type { DaemonBase } from "./base.ts";

/** The conversions for viewers, within the limit of the configuration. */
export function openConversions({ config, folder, disposeLater, clock, closed }: DaemonBase): Conversions {
  const { conversions, hardware } = config.playback;
  return disposeLater(
    createConversions({
      folder: join(folder, "converted"),
      viewersMax: conversions ?? Math.max(1, Math.floor(availableParallelism() / 2)),
      ffmpegPath: config.capture.ffmpegPath,
      usesHardware: hardware,
      niceness: PLAYBACK_LIMITS.convertNiceness,
      clock,
      signal: closed,
    }),
  );
}
