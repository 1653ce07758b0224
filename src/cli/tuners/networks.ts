import type { NetworkSettings } from "../../model/network.ts";
import { loadConfig } from "../../recorder/config/load.ts";
import { networkSettings } from "../../recorder/config/networks.ts";

/** The option of commands that read transport streams. */
export const NETWORKS_OPTION = [
  "--config <file>",
  "configuration with the character sets and times of networks (`networks`)",
] as const;

/** @throws RecorderdError CONFIG_INVALID, FILE_UNREADABLE */
export async function networksIn(configFile: string | undefined): Promise<NetworkSettings> {
  return configFile === undefined ? new Map() : networkSettings((await loadConfig(configFile)).networks);
}
