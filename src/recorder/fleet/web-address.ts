import { isIPv6 } from "node:net";
import { hostname } from "node:os";
import { isLocal } from "../../kit/net/loopback.ts";
import type { Config } from "../config/schema.ts";

const ALL_ADDRESSES = ["0.0.0.0", "::"];

/** The address at which other machines reach the dashboard of a node; empty: there is none, or they do not reach it. */
export function webAddressOf({ web, fleet }: Pick<Config, "web" | "fleet">): string {
  if (web === undefined || web.port === 0) return "";
  const host = web.names[0] ?? (ALL_ADDRESSES.includes(web.host) ? ownHost(fleet) : web.host);
  if (isLocal(host)) return "";
  const scheme = web.tls === undefined ? "http" : "https";
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${web.port}`;
}

/** The other nodes reach this machine there; its readers may not know its name. */
function ownHost(fleet: Config["fleet"]): string {
  const host = fleet?.listen.host ?? "";
  return host === "" || isLocal(host) || ALL_ADDRESSES.includes(host) ? hostname() : host;
}
