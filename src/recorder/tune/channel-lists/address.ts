import { BadLine } from "./list.ts";

const ADDRESS = /^(?:https?|udp|rtp|rtsp|satip):\/\/\S+$/i;
const PLAYLIST = /\.(?:m3u8?|mpd)$/i;

/** The address of a stream, as people write it into lists. @throws BadLine */
export function addressOf(text: string): string {
  const written = text.trim().replaceAll(" ", "%20").replaceAll("&amp;", "&");
  if (!ADDRESS.test(written) || !URL.canParse(written))
    throw new BadLine("expected an http, https, udp, rtp, rtsp or satip address");
  const { protocol, port, pathname } = new URL(written);
  if (port === "" && /^(?:udp|rtp):$/.test(protocol)) throw new BadLine("expected a port in the address");
  if (PLAYLIST.test(pathname))
    throw new BadLine(
      "expected a transport stream, not a playlist such as HLS or DASH; many servers have the same at .ts",
    );
  return written;
}
