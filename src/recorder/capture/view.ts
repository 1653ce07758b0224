import { once } from "node:events";
import type { Readable } from "node:stream";
import { oneTimeAddress } from "../../kit/http/one-time-address.ts";
import { startChild } from "../../kit/process/child.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Source } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import type { CaptureLimits } from "./engine.ts";
import { hasPassword, viewArguments } from "./ffmpeg-arguments.ts";

export interface ViewParts {
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly limits: Pick<CaptureLimits, "inputTimeoutMs" | "firstPayloadMs">;
}

export interface View {
  /** Destroy it to end the reading. */
  readonly stream: Readable;
  /** Resolves when nothing reads from the source any more. */
  readonly ended: Promise<void>;
}

/**
 * The live output of a source, through an ffmpeg that ends with the stream. Nothing is stored; a slow reader makes the source wait
 * or lose packets.
 *
 * @throws RecorderdError STREAM_NO_DATA if nothing arrives in time
 */
export async function openView(
  { source, service }: { readonly source: Source; readonly service: Triplet },
  { ffmpegPath, clock, limits }: ViewParts,
  signal: AbortSignal,
): Promise<View> {
  const url = hasPassword(source.url)
    ? await oneTimeAddress(source.url, { clock, patienceMs: limits.firstPayloadMs })
    : source.url;
  const args = viewArguments({ source: { ...source, url }, service }, limits);
  const child = await startChild(ffmpegPath, args, { stdio: ["ignore", "pipe", "ignore"] }).catch((error) => {
    throw new RecorderdError("FFMPEG_MISSING", `${ffmpegPath} cannot be run: ${error.message}`);
  });
  const stream = child.stdout;
  if (stream === null) throw new Error("its output is piped");
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  stream.once("close", () => child.kill("SIGKILL"));
  const timeoutError = () =>
    new RecorderdError("STREAM_NO_DATA", "The tuner offers the service but sends nothing.");
  try {
    await withDeadline(clock, { ms: limits.firstPayloadMs, signal, timeoutError }, (over) =>
      once(stream, "readable", { signal: over }),
    );
    // The stream is also readable at its end.
    if (stream.readableLength === 0) throw timeoutError();
    return { stream, ended };
  } catch (error) {
    stream.destroy();
    await ended;
    throw error;
  }
}
