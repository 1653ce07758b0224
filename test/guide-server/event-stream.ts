import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Ask, Hosted } from "./hosted.ts";

/** A stream of server-sent events, as a client receives it. */
export interface EventStream extends Disposable {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Everything received so far. */
  text(): string;
  /** Resolves when the text matches. */
  shows(pattern: RegExp): Promise<void>;
  /** Resolves when the stream has ended: `true` for a clean end. */
  readonly ended: Promise<boolean>;
}

/** Asks for a stream; resolves with its head. */
export function openEventStream(
  guide: Pick<Hosted, "baseUrl" | "email" | "token">,
  {
    method = "GET",
    path,
    email = guide.email,
    token = guide.token,
  }: Partial<Ask> & { readonly path: string },
): Promise<EventStream> {
  const url = new URL(path, guide.baseUrl);
  url.searchParams.set("email_address", email);
  url.searchParams.set("token", token);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (answer) => resolve(received(sent, answer)));
    sent.on("error", reject);
    sent.end();
  });
}

function received(sent: ClientRequest, answer: IncomingMessage): EventStream {
  let text = "";
  let look = () => {};
  answer.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    look();
  });
  const ended = new Promise<boolean>((resolve) => {
    answer.once("close", () => resolve(answer.complete));
    answer.on("error", () => {});
  });
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    shows: (pattern) =>
      new Promise((resolve) => {
        look = () => {
          if (pattern.test(text)) resolve();
        };
        look();
      }),
    ended,
    [Symbol.dispose]: () => sent.destroy(),
  };
}
