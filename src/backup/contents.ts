import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The folders of a backup. */
export const RECORDER_PART = "recorder";
export const GUIDE_PART = "guide";
export const CONFIG_FILE = "recorderd.yaml";
export const MANIFEST_FILE = "backup.json";
export const SECRETS_FILE = "secrets.yaml";
/** Imported lists (`recorderd tuners import`). */
export const LISTS = "channel-lists";
const LEDGER = "ledger";
const LEDGER_NAME = /^ledger-\d+\.jsonl$/;
/** Hidden files are unfinished ones; an archive holds only short names. */
const LIST_NAME = /^[\w-][\w.-]{0,69}$/;

/**
 * The files of each data folder that a backup keeps; machine state (alarms, locks, occupied tuners) is left out. A
 * guide server of an earlier version has a journal.
 */
const KEPT_FILES = {
  [RECORDER_PART]:
    /^(document|hdhomerun|library|multiplexes|notify|progress|rules|services)\.json(\.previous|\.past-\d{1,9}|\.log-[0-9a-f]{8})?$/,
  [GUIDE_PART]: /^(guide\.journal|(guide|shows)\.db(-journal|-wal)?)$/,
} as const;
export type Part = keyof typeof KEPT_FILES;

/** @returns paths within the data folder, without the secrets file */
export async function keptFiles(part: Part, folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => KEPT_FILES[part].test(name));
  if (part === GUIDE_PART) return names;
  const ledger = await readdir(join(folder, LEDGER)).catch(() => []);
  const lists = await readdir(join(folder, LISTS), { withFileTypes: true }).catch(() => []);
  return [
    ...names,
    ...ledger.filter((name) => LEDGER_NAME.test(name)).map(inLedger),
    ...lists.filter((one) => one.isFile() && LIST_NAME.test(one.name)).map(({ name }) => `${LISTS}/${name}`),
  ];
}

/** Whether a restore removes this name from a data folder before it installs its own files. Channel lists stay. */
export function isReplaced(part: Part, name: string): boolean {
  return KEPT_FILES[part].test(name.replace(/\.damaged$/, "")) || (part === RECORDER_PART && name === LEDGER);
}

/** Whether what has such a name may be removed: the data folder that a backup names may be anybody's. */
export async function isOurs(folder: string, name: string): Promise<boolean> {
  if (name !== LEDGER) return !(await lstat(join(folder, name))).isDirectory();
  const inside = await readdir(join(folder, name), { withFileTypes: true }).catch(() => undefined);
  return inside?.every((one) => one.isFile() && LEDGER_NAME.test(one.name)) === true;
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
    isList(name) ||
    /^ledger\/ledger-\d{6,}\.jsonl$/.test(name)
  );
}

/** Whether a path within the data folder is an imported channel list. */
export function isList(path: string): boolean {
  const [folder, name, ...rest] = path.split("/");
  return folder === LISTS && name !== undefined && LIST_NAME.test(name) && rest.length === 0;
}

/** Whether a channel list may hold a provider's secrets: an address that is not just a multicast group. */
export function mayHoldSecrets(list: string): boolean {
  return /\b(?!(?:udp|rtp):)[a-z][a-z0-9+.-]*:\/\//i.test(list);
}

function inLedger(name: string): string {
  return `${LEDGER}/${name}`;
}
