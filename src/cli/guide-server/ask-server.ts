import { createHttpClient } from "../../kit/http/http.ts";
import { withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import type { CliIo } from "../io.ts";

const PATIENCE_MS = 10 * SECOND;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** The address of a guide server, as in its own options. */
interface Listener {
  readonly host: string;
  readonly port: number;
}

/**
 * Asks a guide server whether it serves requests, for health checks.
 *
 * @throws RecorderdError GUIDE_UNREACHABLE if nothing answers, or only with an error of the server
 */
export async function askServer({ host, port }: Listener, { clock, signal }: CliIo): Promise<void> {
  const url = new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}/openapi.json`);
  const refusal = (why: string) =>
    new RecorderdError("GUIDE_UNREACHABLE", `No guide server answers on ${url.host} (${why}).`);
  await using http = createHttpClient({});
  const answer = await withDeadline(
    clock,
    { ms: PATIENCE_MS, signal, timeoutError: () => refusal("it is too slow") },
    (both) => http.request({ method: "GET", url, headers: {}, bodyBytesMax: ANSWER_BYTES_MAX }, both),
  );
  if (answer.kind === "failed") throw refusal(answer.code);
  if (answer.status >= 500) throw refusal(`status ${answer.status}`);
}
