import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { createBackup } from "../../src/backup/create.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { temporaryFolder } from "../main-job/recorder.ts";

const parts = { clock: systemClock(), signal: new AbortController().signal };

/** A backup of a recorder that never ran; its configuration names this data folder. */
async function backupFor(folder: string, data: string): Promise<string> {
  const configFile = join(folder, "recorderd.yaml");
  const config = {
    guide: { url: "https://guide.example", regionId: 1 },
    recordings: { folder: join(folder, "recordings") },
    tuners: [{ kind: "file", id: "try", path: join(folder, "a.ts") }],
    data: { folder: data },
  };
  await writeFile(configFile, stringify(config));
  const file = join(folder, "backup.tar.gz");
  const none = join(folder, "none");
  await mkdir(none);
  const order = { file, configFile, dataFolder: none, guideFolder: join(folder, "no-guide") };
  await createBackup(
    { ...order, secretsFile: join(none, "secrets.yaml"), withSecrets: false, version: "1" },
    parts,
  );
  return file;
}

describe("a restore that may replace everything", () => {
  const THEIRS = [
    "ledger/2025/accounts",
    "document.json/photo.jpg",
    "ledger/accounts.dat",
    "secrets.yaml/key",
  ];

  it.each(THEIRS)("removes nothing that only has a name of ours, such as %s", async (name) => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home");
    const theirs = join(home, name);
    await mkdir(dirname(theirs), { recursive: true });
    await writeFile(theirs, "theirs");
    const file = await backupFor(folder.path, home);
    const configFile = join(folder.path, "restored.yaml");
    const order = { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: true };
    await expect(restoreBackup(order, parts)).rejects.toMatchObject({
      code: "FILE_NOT_OURS",
      message: expect.stringContaining(`${join(home, name.split("/")[0] ?? "")} is not of a recorder`),
    });
    expect(await readFile(theirs, "utf8")).toBe("theirs");
    await expect(readFile(configFile)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("leaves damaged files of others, and removes its own", async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, "home");
    await mkdir(join(home, "photos.damaged"), { recursive: true });
    await writeFile(join(home, "document.json.damaged"), "");
    const file = await backupFor(folder.path, home);
    const configFile = join(folder.path, "restored.yaml");
    await restoreBackup(
      { file, configFile, guideFolder: join(folder.path, "no-guide"), replaces: true },
      parts,
    );
    const left = await readdir(home);
    expect(left).toContain("photos.damaged");
    expect(left).not.toContain("document.json.damaged");
  });
});
