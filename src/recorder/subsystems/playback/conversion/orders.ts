import type { Segment } from "../hls/segments.ts";
import type { HlsSource } from "../hls/source.ts";

export interface ConvertedStream {
  readonly pid: number;
  /** False: the device decodes it, so it is copied. */
  readonly isConverted: boolean;
}

/** The streams of a conversion: the picture with its sound, a picture alone, or a sound track alone. */
export interface ConvertedStreams {
  readonly video?: ConvertedStream;
  readonly audio?: ConvertedStream;
}

/** A conversion of a source from one segment on. */
export interface ConversionOrder {
  readonly source: HlsSource;
  readonly first: Segment;
  readonly streams: ConvertedStreams;
  readonly pcrPid: number;
}
