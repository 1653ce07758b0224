import { connectRtsp } from "../../../../src/kit/net/rtsp.ts";
import type { Triplet } from "../../../../src/model/service.ts";
import { freeUdpPort } from "../../../free-port.ts";
import { outOfPatience } from "../../../patience.ts";
import { kilohertzOf } from "../fakes/air.ts";

/** Somebody else's stream of a service's multiplex, from when the server says that it has it until it is disposed. */
export async function viewed(rtspPort: number, service: Triplet): Promise<AsyncDisposable> {
  const signal = outOfPatience();
  const viewer = await connectRtsp({ host: "127.0.0.1", port: rtspPort }, signal);
  const base = `rtsp://127.0.0.1:${rtspPort}`;
  const port = await freeUdpPort();
  const megahertz = kilohertzOf(service) / 1000;
  const setUp = await viewer.request(
    {
      method: "SETUP",
      url: `${base}/?freq=${megahertz}&bw=7&msys=dvbt&mtype=64qam&pids=all`,
      headers: { Transport: `RTP/AVP;unicast;client_port=${port}-${port + 1}` },
    },
    signal,
  );
  const url = `${base}/stream=${setUp.headers["com.ses.streamid"]}`;
  const headers = { Session: setUp.headers["session"]?.split(";")[0] ?? "" };
  const play = await viewer.request({ method: "PLAY", url, headers }, signal);
  if (play.status !== 200) throw new Error(`the server answers ${play.status} to PLAY`);
  return {
    async [Symbol.asyncDispose]() {
      await viewer.request({ method: "TEARDOWN", url, headers }, outOfPatience());
      await viewer[Symbol.asyncDispose]();
    },
  };
}
