import { chmod, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LiveSecrets, liveSecrets } from "../../src/config/live-secrets.ts";
import { secretsFile } from "../../src/config/secrets.ts";
import { silentLog } from "../../src/kit/log.ts";

let folder: string;
let file: string;
let secrets: LiveSecrets;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-live-secrets-"));
  file = secretsFile(folder);
  secrets = await liveSecrets(file, silentLog);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(apiKey: string, to = file): Promise<void> {
  await writeFile(to, `apiKey: ${apiKey}\n`, { mode: 0o600 });
}

describe("secrets of a daemon that runs", () => {
  it("are those of the file whenever it was written anew, also in its place and with the time of the one before", async () => {
    await write("first");
    expect(await secrets.refresh()).toBe(true);
    expect(await secrets.refresh()).toBe(false);
    await write("the second");
    await utimes(file, 0, 0);
    expect(await secrets.refresh()).toBe(true);
    expect(secrets.current.apiKey).toBe("the second");
    await write("the third key", `${file}.new`);
    await utimes(`${file}.new`, 0, 0);
    await rename(`${file}.new`, file);
    expect(await secrets.refresh()).toBe(true);
    expect(secrets.current.apiKey).toBe("the third key");
  });

  it("stay in force while others can read the file, and while it is gone", async () => {
    await write("first");
    await secrets.refresh();
    await write("the second");
    await chmod(file, 0o644);
    expect(await secrets.refresh()).toBe(false);
    expect(await secrets.refresh()).toBe(false);
    expect(secrets.current.apiKey).toBe("first");
    await chmod(file, 0o600);
    expect(await secrets.refresh()).toBe(true);
    await rm(file);
    expect(await secrets.refresh()).toBe(false);
    expect(secrets.current.apiKey).toBe("the second");
  });
});
