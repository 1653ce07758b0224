import { loadConfig } from "../config/load.ts";
import { networkSettings } from "../config/networks.ts";
import type { NetworkSettings } from "../model/network.ts";

/** The option of commands that read transport streams. */
export const NETWORKS_OPTION = [
  "--config <file>",
  "configuration that says how networks code their tables (`networks`)",
] as const;

/** @throws RecorderdError CONFIG_INVALID, FILE_UNREADABLE */
export async function networksIn(configFile: string | undefined): Promise<NetworkSettings> {
  return configFile === undefined ? new Map() : networkSettings((await loadConfig(configFile)).networks);
}
