import { createHash } from "node:crypto";
import { isLocal } from "../../kit/net/loopback.ts";
import type { TunerId } from "../../model/tuner.ts";
import { kindOf, type TunerConfig } from "./registry.ts";

/**
 * Tells which tuners other machines reach, too: those of servers on the network. Two machines have the same one if both say
 * the same of it, as they do when their entries in the configuration are equal.
 *
 * @returns by id of a tuner, also of those that `count` creates; `undefined` for a machine's own
 */
export function shareIn(configs: readonly TunerConfig[]): (id: TunerId) => string | undefined {
  const shares = new Map(
    configs.flatMap((config) => (isOfNetwork(config) ? [[config.id, shareOf(config)]] : [])),
  );
  return (id) => {
    const [entry = "", number = ""] = id.split("#");
    const share = shares.get(entry);
    return share === undefined ? undefined : `${share}#${number}`;
  };
}

/** Whether the tuner is one of a server on the network. */
export function isOfNetwork(config: TunerConfig): boolean {
  const hosts = kindOf(config).hosts(config);
  return hosts.length > 0 && !hosts.some(isLocal);
}

/** Equal entries have equal keys in any order. */
function shareOf(config: TunerConfig): string {
  const entries = Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest("base64url");
}
