import { chmod, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { type LiveSecrets, liveSecrets, secretsInForce } from "../../../src/recorder/config/live-secrets.ts";
import { secretsFile } from "../../../src/recorder/config/secrets.ts";

let folder: string;
let file: string;
let secrets: LiveSecrets;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-live-secrets-"));
  file = secretsFile(folder);
  secrets = await liveSecrets(file, { clock: systemClock(), log: silentLog });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(apiKey: string, to = file): Promise<void> {
  await writeFile(to, `apiKey: ${apiKey}\n`, { mode: 0o600 });
}

describe("the secrets of a running daemon", () => {
  it("follow the file after each rewrite, even in place and with an unchanged time", async () => {
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

  it("stay in force while others can read the file, and while it is missing", async () => {
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

  it.each([
    ["empty", "", 0o600],
    ["not YAML", "apiKey: [", 0o600],
    ["readable by others", "apiKey: k", 0o644],
  ])(
    "R-39 are unavailable while the file is %s at the start, until it is repaired",
    async (_how, text, mode) => {
      await writeFile(file, text, { mode: 0o600 });
      await chmod(file, mode);
      const started = await liveSecrets(file, { clock: systemClock(), log: silentLog });
      expect(started.trouble).toMatchObject({ code: "CONFIG_INVALID", usesEarlier: false });
      expect(() => secretsInForce(started)).toThrow(started.trouble?.text);
      await write("none");
      await chmod(file, 0o600);
      expect(await started.refresh()).toBe(true);
      expect(started.trouble).toBeUndefined();
      expect(secretsInForce(started).apiKey).toBe("none");
    },
  );

  it("stay in force while a good file is damaged, with an alarm", async () => {
    await write("first");
    await secrets.refresh();
    await writeFile(file, "");
    await secrets.refresh();
    expect(secrets.trouble).toMatchObject({ usesEarlier: true });
    expect(secretsInForce(secrets).apiKey).toBe("first");
  });
});
