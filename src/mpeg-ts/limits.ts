/** Limits of what is read from one stream. */
export const MPEG_TS_LIMITS = {
  /** Spans and clock breaks of one inspected file: spans beyond do not count as covered, breaks beyond are not listed. */
  spans: 10_000,
  /** Spans of a stream that is not among the first two of its kind: spans beyond do not count as present. */
  spansOfExtra: 250,
  /** Time spans with a bit rate of their own in one file; in a longer file the spans become longer. */
  rateSpans: 240,
  /** Services of one stream; further ones are ignored. */
  services: 1024,
  /** Changes of tables that are read at once; further ones wait for `packetsPerTableChange`. */
  tableChanges: 1024,
  /** After this many packets of tables, one more change is read. */
  packetsPerTableChange: 250,
  /** Clock readings and unit starts that are stored until the tables name their service: some seconds of a multiplex. */
  beginnings: 16_384,
  /** Elementary streams of each kind in one service; further ones are ignored. */
  tracks: 64,
  /** Packets at the beginning of a PES packet that are searched for an access point: parameter sets and messages come first. */
  accessPackets: 16,
  /** Bytes of a part for a player that wait for the end of a PES packet. The largest picture of a UHD broadcast has some 3 MB. */
  waitingUnitBytes: 16 * 1024 * 1024,
  /** The longest PES packet that says how long it is: a length of 16 bits, and the 6 bytes before it. ISO/IEC 13818-1 §2.4.3.7. */
  pesPacketBytes: 65_541,
  /** Pixels of a region of bitmap subtitles, and of their screen: those of UHD. */
  subtitlePixels: 3840 * 2160,
  /** Regions of a page of bitmap subtitles; further ones are ignored. */
  subtitleRegions: 16,
  /** Objects of a region of bitmap subtitles; further ones are ignored. */
  subtitleObjects: 64,
  /** Pixels that the bitmap subtitles of a few seconds may write: some twenty screens of HD. What follows is not shown. */
  subtitlePixelsDrawn: 40_000_000,
  /** Changes of the streams of one service by its PMT; further ones are ignored. */
  eras: 512,
} as const;
