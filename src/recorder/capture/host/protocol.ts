import type { Socket } from "node:net";
import type { Source } from "../../../model/ports.ts";
import type { DurationMs } from "../../../model/time.ts";

/** Rises when a host and a daemon with different numbers could not work together. */
export const PROTOCOL = 1;
/** In the host's environment: whose captures it carries. */
export const HOST_MARK = "RECORDERD_CAPTURE_HOST";

/** All that a capture needs to know. */
export interface CopyOrder {
  readonly id: string;
  readonly source: Source;
  readonly sid: number;
  readonly file: string;
  readonly endsInMs: DurationMs;
  /** A source that sends nothing for so long has ended. */
  readonly silenceMs: DurationMs;
  /** At its end a capture waits so long for its disk. */
  readonly patienceMs: DurationMs;
}

export type ToHost =
  | { readonly type: "start"; readonly request: number; readonly order: CopyOrder }
  /** Answered when it is gone, also where it never was. */
  | { readonly type: "stop"; readonly request: number; readonly id: string }
  /** Something is to be started soon. */
  | { readonly type: "alert" }
  /** Ends the host, and what it may still carry. */
  | { readonly type: "leave" };

export type FromHost =
  /** The first thing that it says to whoever connects. */
  | {
      readonly type: "hello";
      readonly protocol: number;
      readonly version: string;
      readonly running: readonly string[];
    }
  | { readonly type: "started" | "ended"; readonly id: string }
  | { readonly type: "done"; readonly request: number }
  /** What a call of the system failed with. */
  | {
      readonly type: "failed";
      readonly request: number;
      readonly code: string;
      readonly syscall: string;
      readonly message: string;
    };

/** An order with a long address and some headers has two thousand. */
const LINE_LENGTH_MAX = 64 * 1024;

/** Hands out what comes over a socket, line by line; a line that is too long or no JSON ends the connection. */
export function onMessages<T extends { readonly type: string }>(
  socket: Socket,
  take: (message: T) => void,
): void {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (part: string) => {
    const lines = (text + part).split("\n");
    text = lines.pop() ?? "";
    if (text.length > LINE_LENGTH_MAX) return void socket.destroy();
    for (const line of lines) {
      const message = parsed<T>(line);
      if (message === undefined) return void socket.destroy();
      take(message);
    }
  });
}

/** Both sides are ours, and one user's: what has the right number of the protocol has the right shape. */
function parsed<T extends { readonly type: string }>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}

export function send<T extends ToHost | FromHost>(socket: Socket, message: T): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
