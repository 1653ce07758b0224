import type { Source } from "../../../model/ports.ts";
import { type SourceScheme, type SourceShape, shapeOf } from "../../../model/source.ts";

const HTTP: ReadonlySet<SourceScheme> = new Set(["http", "https"]);
const DATAGRAMS: ReadonlySet<SourceScheme> = new Set(["udp", "rtp"]);
/** Supported options of udp and rtp addresses, in ffmpeg's spelling. */
const OPTIONS = ["localaddr", "reuse", "sources"];

/**
 * The reason why the capture host cannot read sources of a shape; `undefined` if it can.
 *
 * @returns the end of a sentence about the host: "does not read rtsp: addresses"
 */
export function whyNotByHost({ scheme, options = [] }: SourceShape): string | undefined {
  if (HTTP.has(scheme)) return undefined;
  if (!DATAGRAMS.has(scheme)) return `does not read ${scheme}: addresses`;
  const unknown = options.find((name) => !OPTIONS.includes(name));
  return unknown === undefined ? undefined : `does not know the option "${unknown}" of ${scheme}: addresses`;
}

/** The same for one source. */
export function whySourceNotByHost(source: Source): string | undefined {
  const shape = shapeOf(source);
  return shape === undefined ? "cannot read the address of the source" : whyNotByHost(shape);
}
