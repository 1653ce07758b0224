import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checksumOf } from "../../src/backup/create.ts";

it("a file in a backup may be larger than the memory", async () => {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-backup-"));
  try {
    const file = join(folder, "shows.db");
    await writeFile(file, "");
    // A sparse file: reading takes time, and the file takes no room.
    await truncate(file, 2 ** 31 + 1);
    expect(await checksumOf(file)).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
