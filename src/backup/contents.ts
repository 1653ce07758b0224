import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Folders of a backup. */
export const RECORDER_PART = "recorder";
export const GUIDE_PART = "guide";
export const CONFIG_FILE = "recorderd.yaml";
export const MANIFEST_FILE = "backup.json";
export const SECRETS_FILE = "secrets.yaml";
const LEDGER = "ledger";

/** Names that stand for the whole in a data folder: what belongs to the machine (alarms, locks, tuners that are held) is not kept. */
const KEPT = {
  [RECORDER_PART]: /^(document|library|notify|services)\.json(\.previous|\.past-\d{1,9})?$/,
  [GUIDE_PART]: /^(guide\.journal|shows\.db(-journal|-wal)?)$/,
} as const;
export type Part = keyof typeof KEPT;

/** @returns paths within the data folder, secrets aside */
export async function keptFiles(part: Part, folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => KEPT[part].test(name));
  if (part === GUIDE_PART) return names;
  const ledger = await readdir(join(folder, LEDGER)).catch(() => []);
  return [...names, ...ledger.filter((name) => /^ledger-\d+\.jsonl$/.test(name)).map(inLedger)];
}

/** @returns names of a data folder that make way for what is restored, besides those that it brings */
export function isReplaced(part: Part, name: string): boolean {
  return KEPT[part].test(name) || (part === RECORDER_PART && (name === LEDGER || /\.damaged$/.test(name)));
}

/** Whether a backup may bring this file. */
export function isOfBackup(path: string): boolean {
  const [part, ...rest] = path.split("/");
  if (path === CONFIG_FILE) return true;
  const name = rest.join("/");
  if (part === GUIDE_PART) return KEPT[GUIDE_PART].test(name);
  if (part !== RECORDER_PART) return false;
  return (
    KEPT[RECORDER_PART].test(name) || name === SECRETS_FILE || /^ledger\/ledger-\d{6,}\.jsonl$/.test(name)
  );
}

function inLedger(name: string): string {
  return `${LEDGER}/${name}`;
}
