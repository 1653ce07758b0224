import { z } from "zod";
import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";
import { Name } from "../../web/schemas.ts";
import type { SegmentAnswer, Watched } from "./daemon-api.ts";
import { ServiceId } from "./service-id.ts";

export const PLAYLIST_TYPE = "application/vnd.apple.mpegurl";
export const SEGMENT_TYPE = "video/mp2t";

/** Addresses of HLS below one base: those of recordings, or those of live services. */
export interface HlsFamily<P extends z.ZodRawShape> {
  /** For example `/v1/recordings/:id/hls`. */
  readonly base: string;
  /** For summaries, such as `a recording`. */
  readonly name: string;
  readonly params: z.ZodObject<P>;
  readonly watchedOf: (params: z.output<z.ZodObject<P>>) => Watched;
}

export const RECORDING_HLS: HlsFamily<{ readonly id: typeof Name }> = {
  base: "/v1/recordings/:id/hls",
  name: "a recording",
  params: z.strictObject({ id: Name }),
  watchedOf: ({ id }) => ({ recordingId: id }),
};

export const LIVE_HLS: HlsFamily<{ readonly service: typeof ServiceId }> = {
  base: "/v1/live/:service/hls",
  name: "a live service",
  params: z.strictObject({ service: ServiceId }),
  watchedOf: ({ service }) => ({ service }),
};

export const Pid = z
  .string()
  .regex(/^\d{1,4}$/, "expected a PID")
  .transform(Number);

/** The number of a segment in an address that continues after it. */
export const SegmentNumber = z
  .string()
  .regex(/^\d{1,6}$/, "expected the number of a segment")
  .transform(Number);

/** The name of a segment of a transport stream. */
export const SegmentName = z
  .string()
  .regex(/^\d{1,6}\.ts$/, "expected the number of a segment with .ts")
  .transform((name) => Number.parseInt(name, 10));

export function playlistAnswer(body: string): WebAnswer {
  return { status: 200, headers: { "content-type": PLAYLIST_TYPE, "cache-control": "no-cache" }, body };
}

export function segmentAnswer({ bytes, read }: SegmentAnswer, { method }: WebRequest): WebAnswer {
  const length = bytes === undefined ? {} : { "content-length": String(bytes) };
  const headers = { "content-type": SEGMENT_TYPE, ...length };
  return method === "HEAD" ? { status: 200, headers } : { status: 200, headers, body: read() };
}
