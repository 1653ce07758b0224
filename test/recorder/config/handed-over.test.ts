import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { readSecretsFile, secretsPlace } from "../../../src/recorder/config/secrets.ts";

const SECRETS = { apiKey: "handed-over" };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-handed-"));
  await mkdir(join(folder, "credentials"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A file as systemd and Docker provide it: its mode does not tell who else may read it. */
async function written(file: string): Promise<string> {
  await writeFile(file, stringify(SECRETS));
  await chmod(file, 0o444);
  return file;
}

describe("secrets from the service environment", () => {
  it("come from the file that Docker's variable names", async () => {
    const file = await written(join(folder, "any-name"));
    vi.stubEnv("RECORDERD_SECRETS_FILE", file);
    expect(secretsPlace(join(folder, "data"))).toBe(file);
    expect(await readSecretsFile(file)).toEqual(SECRETS);
  });

  it("come from a credential of the systemd unit", async () => {
    vi.stubEnv("CREDENTIALS_DIRECTORY", join(folder, "credentials"));
    const file = await written(join(folder, "credentials/secrets.yaml"));
    expect(secretsPlace(join(folder, "data"))).toBe(file);
    expect(await readSecretsFile(file)).toEqual(SECRETS);
  });

  it("come from the data folder if the unit has only other credentials", () => {
    vi.stubEnv("CREDENTIALS_DIRECTORY", join(folder, "credentials"));
    expect(secretsPlace("/data")).toBe("/data/secrets.yaml");
  });

  it("do not excuse a data-folder file that others can read", async () => {
    vi.stubEnv("RECORDERD_SECRETS_FILE", join(folder, "elsewhere"));
    const file = await written(join(folder, "secrets.yaml"));
    await expect(readSecretsFile(file)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
