import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { credentialFile } from "../../kit/files/credential-file.ts";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { pathText } from "./mistakes.ts";
import { readYamlFile } from "./yaml-file.ts";

/** What identifies the account. Lives in one file and in memory, and is shown nowhere. */
const Secrets = z.strictObject({
  /** The application's key at the service. */
  apiKey: z.string().min(1).max(1000),
  /** Of who is signed in. */
  account: z
    .strictObject({ email: z.string().min(1).max(1000), token: z.string().min(1).max(10_000) })
    .optional(),
  /** Of servers that tuners are behind, by the tuner's id. */
  tuners: z
    .record(z.string(), z.strictObject({ user: z.string().max(1000), password: z.string().max(1000) }))
    .optional(),
  /** Who may come in over HTTP: passwords as scrypt made them, tokens as their SHA-256. */
  web: z
    .strictObject({
      users: z
        .array(z.strictObject({ name: z.string().min(1).max(200), passwordHash: z.string().max(500) }))
        .max(100)
        .optional(),
      tokens: z
        .array(z.strictObject({ name: z.string().min(1).max(200), sha256: z.string().length(64) }))
        .max(100)
        .optional(),
    })
    .optional(),
  /** Of targets of notifications, by the target's id; without a user it is a token. */
  notify: z
    .record(
      z.string(),
      z.strictObject({ user: z.string().max(1000).optional(), password: z.string().max(10_000) }),
    )
    .optional(),
});
export type Secrets = Readonly<z.infer<typeof Secrets>>;
type Web = NonNullable<Secrets["web"]>;
type WebUser = NonNullable<Web["users"]>[number];

/** Lets somebody in; a user of the same name has this password from now on. */
export function withUser({ users = [], ...rest }: Web, user: WebUser): Web {
  return { ...rest, users: [...users.filter(({ name }) => name !== user.name), user] };
}

export function secretsFile(dataFolder: string): string {
  return join(dataFolder, "secrets.yaml");
}

/** Reads the secrets of a data folder, as readSecretsFile does. */
export function readSecrets(dataFolder: string): Promise<Secrets | undefined> {
  return readSecretsFile(secretsFile(dataFolder));
}

/**
 * The file that counts: one that systemd or a container hands over, else that of the data folder.
 */
export function secretsPlace(dataFolder: string): string {
  return handedOver() ?? secretsFile(dataFolder);
}

/** Who may read it is the affair of whoever hands it over: systemd does it by access lists, Docker by mounting it for one container. */
function handedOver(): string | undefined {
  return credentialFile({ variable: "RECORDERD_SECRETS_FILE", credential: "secrets.yaml" });
}

/**
 * Reads a file of secrets.
 *
 * @returns `undefined` when nobody has written any yet
 * @throws RecorderdError CONFIG_INVALID when others can read the file, or it is not as it should be; nothing of it is quoted
 * @throws RecorderdError FILE_UNREADABLE when the system refuses to read it
 */
export async function readSecretsFile(file: string): Promise<Secrets | undefined> {
  const yaml = await readYamlFile(file);
  if (yaml === undefined) return undefined;
  if ((yaml.mode & 0o077) !== 0 && file !== handedOver()) {
    const mode = yaml.mode.toString(8);
    throw new RecorderdError(
      "CONFIG_INVALID",
      `${file} holds secrets and others can read it (mode ${mode}). Run: chmod 600 ${file}`,
      { file, mode },
    );
  }
  const parsed = Secrets.safeParse(yaml.data);
  if (parsed.success) return parsed.data;
  throw new RecorderdError(
    "CONFIG_INVALID",
    `${file} is not as it should be (${wrongPlaces(parsed.error)}). Write it anew: recorderd login`,
    { file },
  );
}

function wrongPlaces({ issues }: z.ZodError): string {
  return [...new Set(issues.map(({ path }) => pathText(path)))].join(", ");
}

/**
 * Makes the folder of a file of secrets where there is none, so that nothing is asked for that could not be kept.
 *
 * @throws RecorderdError WRITE_FAILED
 */
export async function prepareFolder(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (systemCode(error) !== "EEXIST") throw error;
    });
    await access(folder, constants.W_OK);
  } catch (error) {
    const system = systemCode(error);
    const message = `${folder} cannot be written (${system}): the token would have no place. Check its owner, or choose another.`;
    throw new RecorderdError("WRITE_FAILED", message, { file, system }, { cause: error });
  }
}

/** Replaces the secrets of a data folder, as writeSecretsFile does. */
export function writeSecrets(dataFolder: string, secrets: Secrets): Promise<void> {
  return writeSecretsFile(secretsFile(dataFolder), secrets);
}

/**
 * Replaces a file of secrets; no copy of those before stays.
 *
 * @throws RecorderdError CONFIG_INVALID where nobody could read them again, as with more than 100 users: nothing is changed then
 * @throws RecorderdError DISK_FULL or WRITE_FAILED
 */
export async function writeSecretsFile(file: string, secrets: Secrets): Promise<void> {
  const { error } = Secrets.safeParse(secrets);
  if (error !== undefined) {
    const message = `${file} stays as it is: too many or too long are ${wrongPlaces(error)}.`;
    throw new RecorderdError("CONFIG_INVALID", message, { file });
  }
  await new DurableFile({ file, mode: 0o600, keepsPrevious: false }).replace(stringify(secrets));
}
