import { readFile } from "../../kit/files/steady-fs.ts";
import { RECEIVE_BUFFER_BYTES } from "./ffmpeg-arguments.ts";

const SETTING = "net.core.rmem_max";

/** The kernel silently limits larger buffers; then a busy machine loses packets. */
export async function receiveBufferComplaint(): Promise<string | undefined> {
  const text = await readFile(`/proc/sys/${SETTING.replaceAll(".", "/")}`, "utf8").catch(() => "");
  const bytes = Number(text);
  if (text === "" || bytes >= RECEIVE_BUFFER_BYTES) return undefined;
  return `${SETTING} is ${bytes}: set it to ${RECEIVE_BUFFER_BYTES} or more (sysctl), or a busy machine loses packets of UDP and RTP sources`;
}
