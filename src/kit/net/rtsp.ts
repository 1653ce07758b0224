import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { anyAbort } from "../time/clock.ts";

export interface RtspAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface RtspRequest {
  readonly method: "OPTIONS" | "DESCRIBE" | "SETUP" | "PLAY" | "TEARDOWN";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One connection to an RTSP server (RFC 2326): one request at a time, without interleaved media. */
export interface RtspClient extends AsyncDisposable {
  /** @throws Error when the connection ends first, or the peer does not speak RTSP; the signal's reason */
  request(request: RtspRequest, signal: AbortSignal): Promise<RtspAnswer>;
}

const ANSWER_CHARACTERS_MAX = 64 * 1024;

/** @throws the system's error, for example ECONNREFUSED; the signal's reason when it is aborted first */
export async function connectRtsp(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<RtspClient> {
  signal.throwIfAborted();
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal });
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  }
  // A server that disconnects between two requests must not end this process: the next request sees the closed connection.
  socket.on("error", () => {});
  let sequence = 0;
  return {
    async request({ method, url, headers = {} }, signal) {
      if (socket.destroyed) throw new Error("the connection was closed");
      sequence += 1;
      const lines = Object.entries({ CSeq: String(sequence), ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(`${method} ${url} RTSP/1.0\r\n${lines.join("")}\r\n`);
      return await answerFrom(socket, signal);
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

async function answerFrom(socket: Socket, signal: AbortSignal): Promise<RtspAnswer> {
  let text = "";
  for (;;) {
    const end = text.indexOf("\r\n\r\n");
    const head = end < 0 ? undefined : headOf(text.slice(0, end));
    const bodyEnd = end + 4 + Number(head?.headers["content-length"] ?? 0);
    if (head !== undefined && text.length >= bodyEnd) return { ...head, body: text.slice(end + 4, bodyEnd) };
    if (text.length > ANSWER_CHARACTERS_MAX) throw new Error("the answer is not RTSP");
    text += await portionFrom(socket, signal);
  }
}

async function portionFrom(socket: Socket, signal: AbortSignal): Promise<string> {
  const done = new AbortController();
  using over = anyAbort([signal, done.signal]);
  const either = over.signal;
  try {
    const data = once(socket, "data", { signal: either }).then(([chunk]) => String(chunk));
    const closed = once(socket, "close", { signal: either }).then(() => {
      throw new Error("the connection was closed");
    });
    return await Promise.race([data, closed]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    done.abort();
  }
}

/** @throws Error when it is not the head of an answer */
function headOf(head: string): Omit<RtspAnswer, "body"> {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^RTSP\/1\.\d (\d{3})/.exec(first)?.[1];
  if (status === undefined) throw new Error("the answer is not RTSP");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).trim().toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return { status: Number(status), headers: Object.fromEntries(headers) };
}
