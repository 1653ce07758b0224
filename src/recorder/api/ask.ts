import { z } from "zod";
import { createHttpClient, type HttpAnswer } from "../../kit/http/http.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { ERRORS, type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";

const PATIENCE_MS = 10 * SECOND;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Replaces the usual patience for slow answers. */
  readonly patienceMs?: DurationMs;
}

interface AskParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Asks the daemon behind a control socket for its snapshot.
 *
 * @throws RecorderdError DAEMON_UNREACHABLE when nothing answers there
 */
export function askSnapshot(socketPath: string, parts: AskParts): Promise<Snapshot> {
  return askDaemon(socketPath, { method: "GET", path: "/v1/snapshot" }, parts);
}

/**
 * Asks the daemon behind a control socket. Both come from the same package, so answers need no validation.
 *
 * @throws RecorderdError DAEMON_UNREACHABLE when nothing answers there
 * @throws RecorderdError with the daemon's own code and message when it refuses
 */
export async function askDaemon<T>(
  socketPath: string,
  { method, path, body, patienceMs = PATIENCE_MS }: Question,
  { clock, signal }: AskParts,
): Promise<T> {
  await using http = createHttpClient({ socketPath });
  const unreachable = (why: string) =>
    new RecorderdError("DAEMON_UNREACHABLE", unreachableText(socketPath, why), { socket: socketPath });
  const answer = await withDeadline(
    clock,
    { ms: patienceMs, signal, timeoutError: () => unreachable("it is too slow") },
    (both) =>
      http.request(
        {
          method,
          url: new URL(path, "http://daemon"),
          headers: {},
          ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
          bodyBytesMax: ANSWER_BYTES_MAX,
        },
        both,
      ),
  );
  if (answer.kind === "failed") throw unreachable(answer.code);
  if (answer.status !== 200 && answer.status !== 202)
    throw refusalOf(answer) ?? unreachable(`status ${answer.status}`);
  return JSON.parse(answer.body.toString("utf8")) as T;
}

function unreachableText(socketPath: string, why: string): string {
  // The system refuses before it looks whether a daemon listens.
  if (why === "EACCES" || why === "EPERM")
    return `The system does not let this user connect to ${socketPath} (${why}): only root and the daemon's user may ask the daemon. Run the command with sudo, or as that user.`;
  return `No daemon answers on ${socketPath} (${why}): see that it runs, and name its socket with --socket if it is another.`;
}

const Refusal = z.object({ code: z.string(), message: z.string() });

function refusalOf({ status, body }: HttpAnswer): RecorderdError | undefined {
  if (![404, 409, 503].includes(status)) return undefined;
  const { data } = Refusal.safeParse(JSON.parse(body.toString("utf8")));
  return data === undefined || !isCode(data.code) ? undefined : new RecorderdError(data.code, data.message);
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
