import { BadLine } from "./list.ts";

const ADDRESS = /^(?:https?|udp|rtp|rtsp|satip):\/\/\S+$/i;

/** The address of a stream, as people write it into lists. @throws BadLine */
export function addressOf(text: string): string {
  const url = text.trim().replaceAll(" ", "%20");
  if (ADDRESS.test(url) && URL.canParse(url)) return url;
  throw new BadLine("expected an http, https, udp, rtp, rtsp or satip address");
}
