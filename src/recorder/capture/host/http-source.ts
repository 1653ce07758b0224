import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { systemCode } from "../../../kit/machine/system-code.ts";
import { hostOf } from "../../../kit/net/host-of.ts";
import type { Source } from "../../../model/ports.ts";
import { type BodyReader, chunkedBody, plainBody } from "./http-body.ts";
import { HeadReader } from "./http-head.ts";
import {
  type Consequence,
  consequenceOf,
  firstRequest,
  requestText,
  type SourceRequest,
} from "./http-request.ts";
import { HOST_LIMITS } from "./limits.ts";
import { endAfter, type Feed, type OpenSource, type SourceEnd, type SourceParts } from "./source.ts";

/** One receive buffer for all sockets: data is copied out before another socket reads. */
const SHARED = Buffer.allocUnsafeSlow(256 * 1024);

const FLOODED = `sent a full ${(8 * HOST_LIMITS.sourceBytesPerSecond) / 1e6} Mbit/s for ${HOST_LIMITS.floodMs / 1000} s`;

/** Reads an http or https address: follows redirects, signs in with Basic or Digest, and passes on the body. */
export function openHttp(
  { url, headers = {} }: Pick<Source, "url" | "headers">,
  feed: Feed,
  { share, nowMs }: SourceParts,
): OpenSource {
  let request = firstRequest(url, headers);
  let socket = ask();
  let head = new HeadReader();
  /** Deadline for the begin of the body, on the monotonic clock. */
  let headDueMs: number | undefined;
  let body: BodyReader | undefined;
  /** Paused by its reader, or because its share is used up. */
  let isPaused = false;
  let isHeldBack = false;
  let isOver = false;

  function ask(): Socket {
    const { url: to } = request;
    const isTls = to.protocol === "https:";
    const host = hostOf(to);
    const port = Number(to.port) || (isTls ? 443 : 80);
    const target = { host, port, onread: { buffer: SHARED, callback } };
    // Certificates are not verified, as with ffmpeg (docs/dev/decisions/0013).
    const secured = { ...target, rejectUnauthorized: false, ...(isIP(host) > 0 ? {} : { servername: host }) };
    const opened = isTls ? connectTls(secured) : connect(target);
    opened.once(isTls ? "secureConnect" : "connect", () => opened.write(requestText(request)));
    let failure: Error | undefined;
    opened.once("error", (error) => {
      failure = error;
    });
    opened.once("close", () => {
      if (opened === socket) finish(endOf(failure));
    });
    function callback(length: number): boolean {
      const beganMs = nowMs();
      if (opened === socket) take(length);
      if (!share.spend(length, nowMs() - beganMs) && !isHeldBack) {
        isHeldBack = true;
        socket.pause();
      }
      return !isPaused && !isHeldBack;
    }
    return opened;
  }

  function askAgain(next: SourceRequest): void {
    const before = socket;
    isHeldBack = false;
    request = next;
    head = new HeadReader();
    socket = ask();
    before.destroy();
  }

  function take(length: number): void {
    if (isOver) return;
    try {
      if (body !== undefined) read(0, length);
      else takeHead(length);
    } catch (error) {
      finish(endAfter(error));
    }
  }

  function read(from: number, to: number): void {
    if (body?.read(SHARED, from, to) === true) finish({ words: "" });
  }

  function takeHead(length: number): void {
    const found = head.take(SHARED, 0, length);
    if (found.kind === "more") return;
    if (found.kind === "foreign") return finish(unreachable("sent no HTTP"));
    if (found.kind === "excessive") {
      return finish({ ...failedWith(found.what), complaint: "STREAM_EXCESSIVE" });
    }
    follow(consequenceOf(found.head, request));
    if (body !== undefined && !isOver) read(found.bodyAt, length);
  }

  function follow(next: Consequence): void {
    if (next.kind === "again") return askAgain(next.request);
    if (next.kind === "failed") return finish({ ...failedWith(next.what), complaint: next.complaint });
    body = next.isChunked ? chunkedBody(handOn) : plainBody(next.length, handOn);
  }

  function handOn(bytes: Buffer, from: number, to: number): void {
    feed.bytes(bytes, from, to);
  }

  function awaitBody(atMs: number): void {
    headDueMs ??= atMs + HOST_LIMITS.headMs;
    const seconds = HOST_LIMITS.headMs / 1000;
    if (atMs >= headDueMs) finish(unreachable(`sent no complete answer within ${seconds} s`));
  }

  function failedWith(what: string): SourceEnd {
    return { words: `${request.url.host} ${what}` };
  }

  function unreachable(what: string): SourceEnd {
    return { ...failedWith(what), complaint: "TUNER_UNREACHABLE" };
  }

  /** The end after a closed connection. */
  function endOf(failure: Error | undefined): SourceEnd {
    if (body !== undefined || !head.isEmpty)
      return failure === undefined ? { words: "" } : failedWith(nameOf(failure));
    if (failure === undefined || systemCode(failure) === "ECONNRESET")
      return failedWith("closed without an answer");
    return unreachable(nameOf(failure));
  }

  function finish(end: SourceEnd): void {
    if (isOver) return;
    close();
    feed.ended(end);
  }

  function close(): void {
    isOver = true;
    share.leave();
    socket.destroy();
  }

  return {
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      if (!isHeldBack) socket.resume();
    },
    look(atMs) {
      if (isOver) return;
      if (body === undefined) awaitBody(atMs);
      if (share.floodedMs >= HOST_LIMITS.floodMs)
        finish({ ...failedWith(FLOODED), complaint: "STREAM_EXCESSIVE" });
      if (!isHeldBack || !share.isOpen) return;
      isHeldBack = false;
      if (!isPaused) socket.resume();
    },
    isMissing: () => false,
    remarks: () => "",
    close,
  };
}

function nameOf(failure: Error): string {
  return `failed with ${systemCode(failure)}`;
}
