import type { Command } from "commander";
import { becomeOwnerOf, isRoot } from "../kit/process/privileges.ts";
import { loadConfig } from "../recorder/config/load.ts";
import { secretsPlace } from "../recorder/config/secrets.ts";

/** Options that say where a command works. */
interface Places {
  readonly data?: string;
  readonly config?: string;
  readonly secrets?: string;
}

/**
 * What keeps the rights that it was started with: setup, backup and restore, whose files are several users', work as each in turn
 * (`asOwnerOf`); the rest makes nothing in anybody's folder.
 */
const KEEPS_RIGHTS: readonly string[] = ["setup", "check", "doctor", "backup", "restore"];

/** Words after the program's name. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? "" : `${pathOf(parent)} ${command.name()}`.trim();
}

/** Whether a command becomes the owner of the folder that it works in, where root starts it. */
export function givesUpRights(path: string): boolean {
  return !KEEPS_RIGHTS.includes(path);
}

/** Before a command touches any file: root becomes the owner of the folder that it works in (docs/dev/decisions/0033). */
export async function giveUpRights(command: Command): Promise<void> {
  if (givesUpRights(pathOf(command))) await becomeOwnerOfPlaces(command.optsWithGlobals<Places>());
}

/** Root becomes the owner of where a command works: what the recorder makes there must be the service's to replace. */
export async function becomeOwnerOfPlaces({ data, config, secrets }: Places): Promise<void> {
  if (!isRoot()) return;
  for (const place of [data, secrets, config]) {
    if (place !== undefined && becomeOwnerOf(place)) return;
  }
  if (config === undefined) return;
  // A mistake in it is told by the command itself.
  const folder = await loadConfig(config).then(
    (read) => read.data.folder,
    () => undefined,
  );
  if (folder !== undefined && !becomeOwnerOf(folder)) becomeOwnerOf(secretsPlace(folder));
}
