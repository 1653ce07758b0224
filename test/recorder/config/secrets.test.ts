import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  readSecrets,
  type Secrets,
  secretsFile,
  writeSecrets,
} from "../../../src/recorder/config/secrets.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-secrets-"));
  file = secretsFile(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SECRETS: Secrets = { apiKey: "k-1: #odd", account: { email: "a@b.example", token: "0123456" } };

async function refusal(text: string): Promise<string> {
  await writeFile(file, text, { mode: 0o600 });
  const error = await readSecrets(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "CONFIG_INVALID", facts: { file } });
  return error instanceof Error ? error.message : "";
}

describe("the secrets", () => {
  it("are absent before the first sign-in", async () => {
    expect(await readSecrets(folder)).toBeUndefined();
  });

  it("are the same after writing and reading, with or without an account", async () => {
    await writeSecrets(folder, SECRETS);
    expect(await readSecrets(folder)).toEqual(SECRETS);
    await writeSecrets(folder, { apiKey: "k" });
    expect(await readSecrets(folder)).toEqual({ apiKey: "k" });
  });

  it("R-39 are in one private file, without a copy of the previous ones", async () => {
    await writeSecrets(folder, SECRETS);
    await writeSecrets(folder, { apiKey: "k" });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["secrets.yaml"]);
    expect(await readFile(file, "utf8")).not.toContain("0123456");
  });

  it("are not written if they could not be read again", async () => {
    await writeSecrets(folder, SECRETS);
    const users = Array.from({ length: 101 }, (_, at) => ({ name: `user ${at}`, passwordHash: "hidden" }));
    const writing = writeSecrets(folder, { ...SECRETS, web: { users } });
    await expect(writing).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(writing).rejects.toThrow("web.users");
    await expect(writing).rejects.not.toThrow("hidden");
    expect(await readSecrets(folder)).toEqual(SECRETS);
  });

  it.each([0o640, 0o604, 0o644, 0o660])(
    "R-39 are refused with the remedy if the mode is %o",
    async (mode) => {
      await writeSecrets(folder, SECRETS);
      await chmod(file, mode);
      const reading = readSecrets(folder);
      await expect(reading).rejects.toMatchObject({ code: "CONFIG_INVALID" });
      await expect(reading).rejects.toThrow(`chmod 600 ${file}`);
      await expect(reading).rejects.not.toThrow("0123456");
    },
  );

  it("R-39 are not quoted if the file is invalid", async () => {
    const shape = await refusal("apiKey: [hunter2]\naccount: { email: hunter2, tokn: hunter2 }\n");
    expect(shape).toContain("apiKey, account.token, account");
    expect(shape).not.toContain("hunter2");
    expect(await refusal("apiKey: [hunter2")).not.toContain("hunter2");
    expect(await refusal("hunter2")).not.toContain("hunter2");
    expect(await refusal("")).toContain("recorderd login");
  });
});
