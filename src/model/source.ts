import type { Source } from "./ports.ts";

/** The schemes of the addresses that captures read. A scheme is added here and in `capture/ffmpeg-arguments.ts`, which reads it. */
export const SOURCE_SCHEMES = ["http", "https", "udp", "rtp", "rtsp", "satip", "file"] as const;
export type SourceScheme = (typeof SOURCE_SCHEMES)[number];

/** A source without its address: enough to tell who can read it, and how. */
export interface SourceShape extends Pick<Source, "programme"> {
  readonly scheme: SourceScheme;
  /** Names of the options in an address of datagrams: `localaddr` in `udp://…?localaddr=…`. */
  readonly options?: readonly string[];
}

/** @returns `undefined` for an address that no capture reads */
export function schemeOf(url: string): SourceScheme | undefined {
  const scheme = url.slice(0, Math.max(0, url.indexOf(":"))).toLowerCase();
  return SOURCE_SCHEMES.find((one) => one === scheme);
}

const DATAGRAMS: ReadonlySet<SourceScheme> = new Set(["udp", "rtp", "satip"]);

/** Whether the kernel buffers what arrives, and drops packets while the buffer is full. */
export function bringsDatagrams(scheme: SourceScheme): boolean {
  return DATAGRAMS.has(scheme);
}

/** @returns `undefined` for an address that no capture reads */
export function shapeOf({ url, programme }: Pick<Source, "url" | "programme">): SourceShape | undefined {
  const scheme = schemeOf(url);
  if (scheme === undefined || !URL.canParse(url)) return undefined;
  const options = bringsDatagrams(scheme) ? [...new URL(url).searchParams.keys()] : [];
  return { scheme, programme, ...(options.length === 0 ? {} : { options }) };
}
