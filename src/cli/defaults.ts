import { Option } from "commander";
import { DEFAULT_CONFIG } from "../recorder/config/load.ts";

/** `--config` of every command that uses the configuration. */
export function configOption(description: string): Option {
  return new Option("--config <file>", description).default(DEFAULT_CONFIG);
}
