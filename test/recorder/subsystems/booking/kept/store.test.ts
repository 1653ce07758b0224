import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isOfBackup } from "../../../../../src/backup/contents.ts";
import { silentLog } from "../../../../../src/kit/log.ts";
import { stateInFolder } from "../../../../../src/recorder/store/state-store.ts";
import { NO_RULES, openRuleStore } from "../../../../../src/recorder/subsystems/booking/kept/store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-rules-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const RULE = { id: 1, name: "Tide", words: "tide", quality: "Prefer HD", deviceId: 1, createdAt: 5 } as const;
const file = () => join(folder, "rules.json");

it("rules outlast the recorder, and are in its backup", async () => {
  const store = await openRuleStore(stateInFolder(folder), silentLog);
  expect(store.current).toEqual(NO_RULES);
  await store.change((kept) => ({ ...kept, nextId: 2, rules: [RULE] }));
  const again = await openRuleStore(stateInFolder(folder), silentLog);
  expect(again.current).toEqual({ ...NO_RULES, nextId: 2, rules: [RULE] });
  expect(["recorder/rules.json", "recorder/rules.json.previous"].every(isOfBackup)).toBe(true);
});

it("a changed file is not believed: the version before it applies, and without one the recorder has no rules", async () => {
  const store = await openRuleStore(stateInFolder(folder), silentLog);
  await store.change((kept) => ({ ...kept, rules: [RULE] }));
  await store.change((kept) => ({ ...kept, rules: [] }));
  await writeFile(file(), (await readFile(file(), "utf8")).replace('"rules":[]', '"rules":[ ]'));
  expect((await openRuleStore(stateInFolder(folder), silentLog)).current.rules).toEqual([RULE]);
  await rm(`${file()}.previous`);
  expect((await openRuleStore(stateInFolder(folder), silentLog)).current).toEqual(NO_RULES);
});
