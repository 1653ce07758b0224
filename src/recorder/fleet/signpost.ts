import { readTlsFiles } from "../../kit/http/tls-files.ts";
import { createWebServer, type WebAnswer, type WebRequest } from "../../kit/http/web-server.ts";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Config } from "../config/schema.ts";

/** The node that leads, for people who ask another one. */
export interface Signpost {
  /** Its name; empty: nobody leads. */
  readonly leader: string;
  /** The address of its dashboard; empty: other machines do not reach it. */
  readonly web: string;
}

const AGAIN_SECONDS = 5;
/** Paths about one machine: an answer of the leader would be counted twice, or call a node ready that is not. */
const OWN_PATHS = ["/metrics", "/healthz", "/readyz"];

/**
 * Leads everybody who asks this node for the dashboard or the API to the node that leads, while this one stands by.
 *
 * @returns what ends it; an address that is in use is logged, and nobody is led
 * @throws RecorderdError FILE_UNREADABLE if a TLS file cannot be read
 */
export async function openSignpost(
  { web }: Pick<Config, "web">,
  { look, clock, log }: { readonly look: () => Signpost; readonly clock: Clock; readonly log: Log },
): Promise<AsyncDisposable> {
  if (web === undefined) return { [Symbol.asyncDispose]: async () => {} };
  const { host, port, tls } = web;
  const isSecure = tls !== undefined;
  const server = createWebServer({
    routes: [],
    refuse: (request, why) =>
      why.kind === "unreadable"
        ? { status: why.status, body: why.reason }
        : answerTo(request, look(), isSecure),
    // The server reads no body: the client sends the request to the leader again.
    bodyBytesMax: 1,
    clock,
    ...(tls === undefined ? {} : { tls: await readTlsFiles(tls) }),
  });
  try {
    await server.listen({ host, port });
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("nobody is led to the dashboard of the leader", { text: error.message });
  }
  return server;
}

function answerTo(
  { path, query, method }: WebRequest,
  { leader, web }: Signpost,
  isSecure: boolean,
): WebAnswer {
  // A visitor over TLS does not leave it.
  const mayLead = web !== "" && (!isSecure || web.startsWith("https:")) && !OWN_PATHS.includes(path);
  if (mayLead) {
    const search = query.size === 0 ? "" : `?${query}`;
    return { status: 307, headers: { Location: `${web}${path}${search}`, "Cache-Control": "no-store" } };
  }
  const where =
    leader === "" ? "no node leads at present" : `${leader} leads: its dashboard is on that machine`;
  const body = `This recorder stands by for its fleet; ${where}.\n`;
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Retry-After": String(AGAIN_SECONDS),
  };
  return { status: 503, headers, ...(method === "HEAD" ? {} : { body }) };
}
