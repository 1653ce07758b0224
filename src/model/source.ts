import type { Source } from "./ports.ts";

/** The schemes of the addresses that captures read. A scheme is added here and in `capture/profiles.ts`, which reads it. */
export const SOURCE_SCHEMES = ["http", "https", "udp", "rtp", "rtsp", "satip", "file"] as const;
export type SourceScheme = (typeof SOURCE_SCHEMES)[number];

/** A source without its address: enough to tell who can read it, and how. */
export interface SourceShape extends Pick<Source, "programme"> {
  readonly scheme: SourceScheme;
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
