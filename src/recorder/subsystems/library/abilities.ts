import { askTool } from "../../../kit/process/media-tools.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { deviceOptions, encoderOf, encodersIn, type Profile } from "./core/profile.ts";

/**
 * Checks before the first recording that the installed programs can do what the configuration requires.
 *
 * @returns the encoder to use; empty if nothing is encoded
 * @throws RecorderdError CONFIG_INVALID naming the missing ability, or that the encoder does not work on this machine
 */
export async function checkAbilities(
  { profile, comskip }: { readonly profile: Profile; readonly comskip: string | undefined },
  parts: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  if (comskip !== undefined && (await askTool(comskip, ["--help"], parts)).how === "not-started") {
    throw missing(
      `jobs.commercials needs comskip, but ${comskip} is missing: install it, or configure its path.`,
    );
  }
  if (profile.kind === "verbatim") return "";
  const { how, output } = await askTool("ffmpeg", ["-hide_banner", "-encoders"], parts);
  if (how === "not-started") throw missing(`profile: ${profile.kind} needs ffmpeg in PATH: install it.`);
  if (profile.kind === "remux") return "";
  const encoder = encoderOf(profile, { encoders: encodersIn(output) });
  const { input, filter } = deviceOptions(encoder);
  const tried = await askTool(
    "ffmpeg",
    [
      ...["-v", "error", "-nostdin", ...input],
      ...["-f", "lavfi", "-i", "color=size=320x240:rate=25:duration=0.2"],
      ...["-vf", filter === "" ? "format=yuv420p" : filter],
      ...["-c:v", encoder, "-f", "null", "-"],
    ],
    parts,
  );
  if (tried.code === 0) return encoder;
  throw missing(
    `profile: the encoder ${encoder} does not work on this machine: ${tried.output.slice(-300) || tried.how}`,
  );
}

function missing(message: string): RecorderdError {
  return new RecorderdError("CONFIG_INVALID", message);
}
