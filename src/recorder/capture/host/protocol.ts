import type { Socket } from "node:net";
import { onJsonLines } from "../../../kit/net/json-lines.ts";
import type { Source } from "../../../model/ports.ts";
import type { DurationMs } from "../../../model/time.ts";

/** Incremented when hosts and daemons with different numbers could not work together. */
export const PROTOCOL = 1;
/** Environment variable that names the owner of the captures. */
export const HOST_MARK = "RECORDERD_CAPTURE_HOST";

/** Everything that a capture needs. */
export interface CopyOrder {
  readonly id: string;
  readonly source: Source;
  readonly sid: number;
  readonly tsid: number;
  readonly file: string;
  readonly endsInMs: DurationMs;
  /** A source that sends nothing for this long has ended. */
  readonly silenceMs: DurationMs;
  /** Time that a capture waits for its disk at its end. */
  readonly patienceMs: DurationMs;
  /** It ends with the connection that ordered it. */
  readonly endsWithClient?: boolean;
}

export type ToHost =
  | { readonly type: "start"; readonly request: number; readonly order: CopyOrder }
  /** Answered when the capture is gone, even if it never existed. */
  | { readonly type: "stop"; readonly request: number; readonly id: string }
  /** A start will follow soon. */
  | { readonly type: "alert" }
  /** Ends the host and its captures. */
  | { readonly type: "leave" };

export type FromHost =
  /** The first message to every client. */
  | {
      readonly type: "hello";
      readonly protocol: number;
      readonly version: string;
      readonly running: readonly string[];
    }
  | { readonly type: "started" | "ended"; readonly id: string }
  | { readonly type: "done"; readonly request: number }
  /** The error of a failed system call. */
  | {
      readonly type: "failed";
      readonly request: number;
      readonly code: string;
      readonly syscall: string;
      readonly message: string;
    };

/** An order with a long address and some headers has two thousand characters. */
const LINE_LENGTH_MAX = 64 * 1024;

/** Passes on messages from a socket, one per line; a line that is too long or not JSON ends the connection. */
export function onMessages<T extends { readonly type: string }>(
  socket: Socket,
  take: (message: T) => void,
): void {
  // Both sides are ours and run as one user: a matching protocol number implies the right shape.
  onJsonLines(socket, { lengthMax: LINE_LENGTH_MAX }, (message) => take(message as T));
}

export function send<T extends ToHost | FromHost>(socket: Socket, message: T): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}
