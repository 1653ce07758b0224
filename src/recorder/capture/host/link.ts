import type { Socket } from "node:net";
import type { Clock } from "../../../kit/time/clock.ts";
import type { DurationMs } from "../../../model/time.ts";
import { type FromHost, onMessages, send, type ToHost } from "./protocol.ts";

export type Answer = Extract<FromHost, { readonly type: "done" | "failed" }>;
type Hello = Extract<FromHost, { readonly type: "hello" }>;
type Question =
  | Omit<Extract<ToHost, { readonly type: "start" }>, "request">
  | Omit<Extract<ToHost, { readonly type: "stop" }>, "request">;

export interface LinkParts {
  readonly clock: Clock;
  /** Without an answer for this long, the host counts as absent. */
  readonly answerMs: DurationMs;
  readonly onEnded: (id: string) => void;
  /** The connection broke; its captures may have ended with it. */
  readonly onGone: (running: ReadonlySet<string>) => void;
}

/** A connection to a capture host that sent its greeting. */
export class HostLink {
  readonly protocol: number;
  readonly version: string;
  readonly running: Set<string>;
  readonly #socket: Socket;
  readonly #parts: LinkParts;
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #requests = 0;

  /** @returns `undefined` if no host answers in time */
  static greet(socket: Socket, parts: LinkParts): Promise<HostLink | undefined> {
    return new Promise((resolve) => {
      let link: HostLink | undefined;
      const over = new AbortController();
      socket.on("error", () => {});
      socket.once("close", () => {
        over.abort();
        link?.closed();
        resolve(undefined);
      });
      onMessages<FromHost>(socket, (message) => {
        if (message.type !== "hello") return link?.take(message);
        over.abort();
        link = new HostLink(socket, message, parts);
        resolve(link);
      });
      parts.clock.sleep(parts.answerMs, over.signal).then(
        () => socket.destroy(),
        () => {},
      );
    });
  }

  private constructor(socket: Socket, hello: Hello, parts: LinkParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.protocol = hello.protocol;
    this.version = hello.version;
    this.running = new Set(hello.running);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** @returns `undefined` if no answer arrives in time, or the connection breaks */
  ask(question: Question): Promise<Answer | undefined> {
    this.#requests += 1;
    const request = this.#requests;
    const over = new AbortController();
    return new Promise((resolve) => {
      this.#waiting.set(request, (answer) => {
        this.#waiting.delete(request);
        over.abort();
        resolve(answer);
      });
      if (!this.isOpen) return this.#answer(request, undefined);
      send<ToHost>(this.#socket, { ...question, request });
      this.#parts.clock.sleep(this.#parts.answerMs, over.signal).then(
        () => this.#answer(request, undefined),
        () => {},
      );
    });
  }

  alert(): void {
    send<ToHost>(this.#socket, { type: "alert" });
  }

  leave(): void {
    send<ToHost>(this.#socket, { type: "leave" });
    this.close();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** For `greet`: handles messages after the greeting. */
  take(message: Exclude<FromHost, Hello>): void {
    if (message.type === "started") this.running.add(message.id);
    else if (message.type === "ended") this.#ended(message.id);
    else if (message.type === "done" || message.type === "failed") this.#answer(message.request, message);
  }

  /** For `greet`. */
  closed(): void {
    for (const request of this.#waiting.keys()) this.#answer(request, undefined);
    const running = new Set(this.running);
    this.running.clear();
    this.#parts.onGone(running);
  }

  #ended(id: string): void {
    this.running.delete(id);
    this.#parts.onEnded(id);
  }

  #answer(request: number, answer: Answer | undefined): void {
    this.#waiting.get(request)?.(answer);
  }
}
