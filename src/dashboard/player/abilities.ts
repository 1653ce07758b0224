/** Media types by the names of the server: one of them must be decodable. */
const VIDEO = {
  h264: ['video/mp4; codecs="avc1.640028"'],
  hevc: ['video/mp4; codecs="hvc1.1.6.L120.90"', 'video/mp4; codecs="hev1.1.6.L120.90"'],
  mpeg2: ['video/mp4; codecs="mp4v.61"'],
};
const AUDIO = {
  aac: ['audio/mp4; codecs="mp4a.40.2"'],
  mp3: ["audio/mpeg", 'audio/mp4; codecs="mp3"'],
  mp2: ['audio/mp4; codecs="mp4a.40.33"'],
  ac3: ['audio/mp4; codecs="ac-3"'],
  eac3: ['audio/mp4; codecs="ec-3"'],
};
/** hls.js cannot read these from a transport stream, whatever the browser decodes. */
const NOT_BY_HLS_JS = ["mpeg2", "mp2", "eac3"];

/** The codecs that the browser can decode, as parameters of the multivariant playlist. */
export function abilities({ isNative }: { readonly isNative: boolean }): Record<"video" | "audio", string> {
  const probe = document.createElement("video");
  const decodes = (type: string) =>
    isNative ? probe.canPlayType(type) !== "" : MediaSource.isTypeSupported(type);
  const known = (codecs: Readonly<Record<string, readonly string[]>>) =>
    Object.keys(codecs)
      .filter((name) => (isNative || !NOT_BY_HLS_JS.includes(name)) && codecs[name]?.some(decodes))
      .join(",");
  return { video: known(VIDEO), audio: known(AUDIO) };
}

/** A name for one player, by which the server finds its conversion. */
export function newViewer(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
