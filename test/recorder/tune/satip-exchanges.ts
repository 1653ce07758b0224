import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { connectRtsp } from "../../../src/kit/net/rtsp.ts";
import { outOfPatience } from "../../patience.ts";

const METHODS = ["OPTIONS", "DESCRIBE", "SETUP", "PLAY", "TEARDOWN"] as const;
const Step = z.strictObject({
  method: z.enum(METHODS),
  /** Below the server's address; `{stream}` stands for the number that SETUP gave. */
  path: z.string(),
  answer: z.strictObject({
    status: z.int(),
    /** Patterns of values. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Patterns of lines of the body. */
    lines: z.array(z.string()).optional(),
  }),
  /** The RTP that follows: no packet at all within a second, packets that are headers alone, or packets of the transport stream. */
  media: z.enum(["silence", "headers", "packets"]).optional(),
});
type Step = z.infer<typeof Step>;
/** One client's requests on one connection. */
const Conversation = z.strictObject({
  name: z.string(),
  /** `busy`: another client receives another multiplex with the only tuner. */
  when: z.literal("busy").optional(),
  steps: z.array(Step),
});
export type Conversation = z.infer<typeof Conversation>;
const Recorded = z.strictObject({ server: z.string(), conversations: z.array(Conversation) });

const RTP_HEADER_BYTES = 12;
const SILENCE_MS = 1000;

/** The answers of a real server: `fakes/satip-NAME.json`. */
export async function recordedConversations(name: string): Promise<readonly Conversation[]> {
  const file = resolve(import.meta.dirname, "fakes", `satip-${name}.json`);
  return Recorded.parse(JSON.parse(await readFile(file, "utf8"))).conversations;
}

/** A server's answers to the same steps, as far as the recorded ones say something about them. */
export async function conversationWith(port: number, { steps }: Conversation): Promise<readonly Step[]> {
  const signal = outOfPatience();
  await using client = await connectRtsp({ host: "127.0.0.1", port }, signal);
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  let media: Step["media"] = "silence";
  socket.on("message", (packet) => {
    if (media !== "packets") media = packet.length > RTP_HEADER_BYTES ? "packets" : "headers";
  });
  let stream = "";
  let session: string | undefined;
  const said: Step[] = [];
  try {
    for (const step of steps) {
      const rtp = socket.address().port;
      const answer = await client.request(
        {
          method: step.method,
          url: `rtsp://127.0.0.1:${port}${step.path.replace("{stream}", stream)}`,
          headers: {
            ...(step.method === "SETUP" && { Transport: `RTP/AVP;unicast;client_port=${rtp}-${rtp + 1}` }),
            // Without a session it is asked of the server as a whole.
            ...(step.method === "DESCRIBE"
              ? { Accept: "application/sdp" }
              : session !== undefined && { Session: session }),
          },
        },
        signal,
      );
      stream = answer.headers["com.ses.streamid"] ?? stream;
      session = answer.headers["session"]?.split(";")[0] ?? session;
      if (step.media === "silence") await new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
      else if (step.media !== undefined) await come(step.media);
      said.push({ ...step, answer: like(step.answer, answer), ...(step.media && { media }) });
    }
  } finally {
    socket.close();
  }
  return said;

  async function come(what: Step["media"]): Promise<void> {
    while (media !== what && media !== "packets") await once(socket, "message", { signal });
  }
}

function like(
  { headers, lines }: Step["answer"],
  said: Awaited<ReturnType<Awaited<ReturnType<typeof connectRtsp>>["request"]>>,
): Step["answer"] {
  const matching = Object.entries(headers ?? {}).filter(([name, pattern]) =>
    new RegExp(pattern).test(said.headers[name] ?? ""),
  );
  const has = (pattern: string) => said.body.split(/\r?\n/).some((line) => new RegExp(pattern).test(line));
  return {
    status: said.status,
    ...(headers && { headers: Object.fromEntries(matching) }),
    ...(lines && { lines: lines.filter(has) }),
  };
}
