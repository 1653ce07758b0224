import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { secretsToChange } from "../../src/cli/secrets-file.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { readSecretsFile, writeSecretsFile } from "../../src/recorder/config/secrets.ts";
import { outOfPatience } from "../patience.ts";
import { commandLine } from "./command-line.ts";
import { type Household, household } from "./household.ts";

let folder = "";
let home: Household;
let config = "";
let handedOver = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-handed-"));
  handedOver = join(folder, "credential.yaml");
  config = join(folder, "recorderd.yaml");
  await writeSecretsFile(handedOver, { apiKey: "handed-over" });
  home = await household(folder, { secretsFile: handedOver });
  const text = stringify({
    guide: { url: "http://127.0.0.1:9", regionId: 1 },
    recordings: { folder: join(folder, "recordings") },
    tuners: [{ kind: "mock", id: "sim", broadcaster: "http://127.0.0.1:9" }],
    notify: [{ id: "phone", kind: "ntfy", topic: "tv" }],
    data: { folder: join(folder, "data") },
    control: { socket: home.socket },
  });
  await writeFile(config, text);
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const COMMANDS: readonly (readonly string[])[] = [
  ["tuners", "login", "sim", "rec"],
  ["notify", "login", "phone"],
  ["web", "password", "owner"],
  ["web", "token", "player"],
  ["web", "remove", "owner"],
  ["login", "me@example.org"],
  ["guide", "logout"],
];

const run = (args: readonly string[]) =>
  commandLine([...args, "--config", config], { stdin: "a long password\n" });

describe("with secrets that another program hands to the daemon", () => {
  it.each(COMMANDS)(
    "recorderd %s %s changes nothing and names their file and the remedy",
    async (...args) => {
      const { out, err, code } = await run(args);
      expect({ out, code }).toEqual({ out: "", code: 74 });
      expect(err).toContain(handedOver);
      expect(err).toMatch(/--secrets.*restart/);
      await expect(access(join(folder, "data/secrets.yaml"))).rejects.toThrow();
      expect(await readSecretsFile(handedOver)).toEqual({ apiKey: "handed-over" });
    },
  );

  it("the commands of a container know it without a daemon", async () => {
    vi.stubEnv("RECORDERD_SECRETS_FILE", handedOver);
    const refused = secretsToChange(
      { clock: systemClock(), signal: outOfPatience() },
      { data: { folder }, control: { socket: join(folder, "absent.sock") } },
      undefined,
    );
    await expect(refused).rejects.toMatchObject({ code: "WRITE_FAILED", facts: { file: handedOver } });
    vi.unstubAllEnvs();
  });

  it("commands change the original that --secrets names", async () => {
    const original = join(folder, "original.yaml");
    await writeSecretsFile(original, { apiKey: "kept" });
    expect(await run(["tuners", "login", "sim", "rec", "--secrets", original])).toMatchObject({ code: 0 });
    expect(await run(["web", "token", "player", "--secrets", original])).toMatchObject({ code: 0 });
    expect(await readSecretsFile(original)).toMatchObject({
      apiKey: "kept",
      tuners: { sim: { user: "rec", password: "a long password" } },
      web: { tokens: [{ name: "player" }] },
    });
  });
});
