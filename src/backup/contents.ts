import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The folders of a backup. */
export const RECORDER_PART = "recorder";
export const GUIDE_PART = "guide";
export const CONFIG_FILE = "recorderd.yaml";
export const MANIFEST_FILE = "backup.json";
export const SECRETS_FILE = "secrets.yaml";
const LEDGER = "ledger";

/** The files of each data folder that a backup keeps; machine state (alarms, locks, occupied tuners) is left out. */
const KEPT_FILES = {
  [RECORDER_PART]:
    /^(document|hdhomerun|library|notify|progress|services)\.json(\.previous|\.past-\d{1,9})?$/,
  [GUIDE_PART]: /^(guide\.journal|shows\.db(-journal|-wal)?)$/,
} as const;
export type Part = keyof typeof KEPT_FILES;

/** @returns paths within the data folder, without secrets */
export async function keptFiles(part: Part, folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => KEPT_FILES[part].test(name));
  if (part === GUIDE_PART) return names;
  const ledger = await readdir(join(folder, LEDGER)).catch(() => []);
  return [...names, ...ledger.filter((name) => /^ledger-\d+\.jsonl$/.test(name)).map(inLedger)];
}

/** Whether a restore removes this name from a data folder before it installs its own files. */
export function isReplaced(part: Part, name: string): boolean {
  return (
    KEPT_FILES[part].test(name) || (part === RECORDER_PART && (name === LEDGER || /\.damaged$/.test(name)))
  );
}

/** Whether a backup may hold this file. */
export function isOfBackup(path: string): boolean {
  const [part, ...rest] = path.split("/");
  if (path === CONFIG_FILE) return true;
  const name = rest.join("/");
  if (part === GUIDE_PART) return KEPT_FILES[GUIDE_PART].test(name);
  if (part !== RECORDER_PART) return false;
  return (
    KEPT_FILES[RECORDER_PART].test(name) ||
    name === SECRETS_FILE ||
    /^ledger\/ledger-\d{6,}\.jsonl$/.test(name)
  );
}

function inLedger(name: string): string {
  return `${LEDGER}/${name}`;
}
