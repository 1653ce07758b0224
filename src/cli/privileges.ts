import type { Command } from "commander";
import { becomeOwnerOf, isRoot } from "../kit/process/privileges.ts";

/** Options that name a command's folders. */
interface Places {
  readonly data?: string;
  readonly config?: string;
  readonly secrets?: string;
}

/**
 * Commands that keep their rights: setup, backup and restore, whose files belong to several users, act as each owner in turn
 * (`asOwnerOf`); the others write nothing in anybody's folder.
 */
const KEEPS_RIGHTS: readonly string[] = ["setup", "check", "doctor", "backup", "restore"];

/** Words after the program's name. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? "" : `${pathOf(parent)} ${command.name()}`.trim();
}

/** Whether a command started by root becomes the owner of its folder. */
export function givesUpRights(path: string): boolean {
  return !KEEPS_RIGHTS.includes(path);
}

/** Before a command touches any file, root becomes the owner of its folder (docs/dev/decisions/0033). */
export async function giveUpRights(command: Command): Promise<void> {
  if (givesUpRights(pathOf(command))) await becomeOwnerOfPlaces(command.optsWithGlobals<Places>());
}

/**
 * Root becomes the owner of a command's folders: the service must be able to replace the recorder's files.
 *
 * @param args of a command line that does what this one has still to do, if not all of it
 */
export async function becomeOwnerOfPlaces(
  { data, config, secrets }: Places,
  args?: readonly string[],
): Promise<void> {
  if (!isRoot()) return;
  // The named secrets are all that the command writes, and may be root's own.
  if (secrets !== undefined) return void (await becomeOwnerOf(secrets, args));
  for (const place of [data, config]) {
    if (place !== undefined && (await becomeOwnerOf(place, args))) return;
  }
  if (config === undefined) return;
  // Most commands are not started by root, and do without this code.
  const [{ loadConfig }, { secretsPlace }] = await Promise.all([
    import("../recorder/config/load.ts"),
    import("../recorder/config/secrets.ts"),
  ]);
  // The command itself reports a bad configuration.
  const folder = await loadConfig(config).then(
    (read) => read.data.folder,
    () => undefined,
  );
  if (folder !== undefined && !(await becomeOwnerOf(folder, args)))
    await becomeOwnerOf(secretsPlace(folder), args);
}
