import type { WebHead } from "../../kit/http/web-server.ts";
import { isLoopback } from "../../kit/net/loopback.ts";

/**
 * The reason why a request cannot come from a person at this machine; `undefined` if nothing contradicts it.
 *
 * A proxy on this machine also connects from a loopback address. Most proxies leave a trace: a header, HTTP/1.0, or
 * another host's name. One that passes on HTTP/1.1 with the client's own headers leaves none, so nothing that must
 * be certain may rest on this (docs/dev/decisions/0036-loopback-is-not-proof.md).
 *
 * @param names this machine's names for its browsers, besides `localhost` and the loopback addresses
 */
export function whyNotLocal(request: WebHead, names: readonly string[]): string | undefined {
  const { address, headers, httpVersion } = request;
  if (!isLoopback(address)) return "the request comes from another machine";
  const trace = Object.keys(headers).find(isProxyHeader);
  if (trace !== undefined) return `the request came through a proxy (${trace.slice(0, 100)})`;
  if (httpVersion === "1.0") return "the request came through a proxy (HTTP/1.0)";
  const host = headers.host?.toLowerCase() ?? "";
  if (ownHosts(request, names).includes(host)) return undefined;
  return `${host.slice(0, 100)} is not a name of this recorder: see web.names`;
}

/** The listener's own Host headers: with its port, unless that is the scheme's default. */
function ownHosts({ localPort, isTls }: WebHead, names: readonly string[]): readonly string[] {
  const hosts = ["localhost", "127.0.0.1", "[::1]", ...names];
  const isUsual = localPort === (isTls ? 443 : 80);
  return [...hosts.map((host) => `${host}:${localPort}`), ...(isUsual ? hosts : [])];
}

/** Headers that proxies set and that browsers and client programs do not. */
const PROXY_HEADERS =
  /^(via|forwarded|client-ip|true-client-ip|cdn-loop|max-forwards|early-data|(cf|fastly|proxy|remote|ssl)-.+)$/;

/** `X-` headers of client programs; any other comes from a proxy. */
const OWN_X_HEADERS: readonly string[] = [
  "x-csrf-token",
  "x-requested-with",
  "x-prometheus-scrape-timeout-seconds",
];

function isProxyHeader(name: string): boolean {
  return PROXY_HEADERS.test(name) || (name.startsWith("x-") && !OWN_X_HEADERS.includes(name));
}
