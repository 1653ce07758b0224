import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { credentialFile } from "../../kit/files/credential-file.ts";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { FLEET_SECRET_LENGTH } from "./fleet.ts";
import { pathText } from "./mistakes.ts";
import { readYamlFile } from "./yaml-file.ts";

/** The credentials of account, tuners and users. They exist only in one file and in memory. */
export const Secrets = z.strictObject({
  /** The application's key for the service. */
  apiKey: z.string().min(1).max(1000),
  /** The signed-in account. */
  account: z
    .strictObject({ email: z.string().min(1).max(1000), token: z.string().min(1).max(10_000) })
    .optional(),
  /** Credentials for tuner servers, by tuner id. */
  tuners: z
    .record(z.string(), z.strictObject({ user: z.string().max(1000), password: z.string().max(1000) }))
    .optional(),
  /** Users of the HTTP API: scrypt hashes of passwords, SHA-256 hashes of tokens. */
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
  /** Credentials of notification targets, by target id; without a user it is a token. */
  notify: z
    .record(
      z.string(),
      z.strictObject({ user: z.string().max(1000).optional(), password: z.string().max(10_000) }),
    )
    .optional(),
  /** The password of the fleet's database; the secret by which its nodes know each other. */
  fleet: z
    .strictObject({
      password: z.string().min(1).max(1000).optional(),
      secret: z
        .string()
        .min(FLEET_SECRET_LENGTH)
        .max(1000)
        .regex(/^[!-~]+$/)
        .optional(),
    })
    .optional(),
});
export type Secrets = Readonly<z.infer<typeof Secrets>>;
type Web = NonNullable<Secrets["web"]>;
type WebUser = NonNullable<Web["users"]>[number];

/** Adds a user, or replaces the password of an existing one. */
export function withUser({ users = [], ...rest }: Web, user: WebUser): Web {
  return { ...rest, users: [...users.filter(({ name }) => name !== user.name), user] };
}

export function secretsFile(dataFolder: string): string {
  return join(dataFolder, "secrets.yaml");
}

/** Reads the secrets of a data folder, like readSecretsFile. */
export function readSecrets(dataFolder: string): Promise<Secrets | undefined> {
  return readSecretsFile(secretsFile(dataFolder));
}

/** The file in effect: one passed by systemd or a container, otherwise that of the data folder. */
export function secretsPlace(dataFolder: string): string {
  return handedOver() ?? secretsFile(dataFolder);
}

/**
 * @param handedOver the file that the daemon reads, if systemd or a container provides it
 * @throws RecorderdError WRITE_FAILED if so: only its provider changes it
 */
export function refuseHandedOver(handedOver: string | undefined): void {
  if (handedOver === undefined) return;
  const message = `The daemon reads its secrets from ${handedOver}, which systemd or the container hands over, so nothing is changed here. Change the original with the option --secrets of the command, then restart recorderd.`;
  throw new RecorderdError("WRITE_FAILED", message, { file: handedOver });
}

/** The provider of the file controls its permissions: systemd uses access lists, Docker mounts it for one container. */
export function handedOver(): string | undefined {
  return credentialFile({ variable: "RECORDERD_SECRETS_FILE", credential: "secrets.yaml" });
}

/**
 * Reads a secrets file.
 *
 * @returns `undefined` if there is none yet
 * @throws RecorderdError CONFIG_INVALID if others can read the file, or its content is invalid; the message quotes nothing
 * @throws RecorderdError FILE_UNREADABLE if the system refuses to read it
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
    `${file} has invalid content (${wrongPlaces(parsed.error)}). Replace it: recorderd login`,
    { file },
  );
}

function wrongPlaces({ issues }: z.ZodError): string {
  return [...new Set(issues.map(({ path }) => pathText(path)))].join(", ");
}

/**
 * Creates the folder of a secrets file if needed, so that setup asks only for what it can store.
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
    const message = `${folder} is not writable (${system}): the token cannot be stored. Check the folder's owner, or choose another folder.`;
    throw new RecorderdError("WRITE_FAILED", message, { file, system }, { cause: error });
  }
}

/** Replaces the secrets of a data folder, like writeSecretsFile. */
export function writeSecrets(dataFolder: string, secrets: Secrets): Promise<void> {
  return writeSecretsFile(secretsFile(dataFolder), secrets);
}

/**
 * Replaces a secrets file; no copy of the previous one remains.
 *
 * @throws RecorderdError CONFIG_INVALID if they would be unreadable, as with more than 100 users; nothing changes then
 * @throws RecorderdError DISK_FULL or WRITE_FAILED
 */
export async function writeSecretsFile(file: string, secrets: Secrets): Promise<void> {
  const { error } = Secrets.safeParse(secrets);
  if (error !== undefined) {
    const message = `${file} is unchanged: too many or too long values in ${wrongPlaces(error)}.`;
    throw new RecorderdError("CONFIG_INVALID", message, { file });
  }
  await new DurableFile({ file, mode: 0o600, keepsPrevious: false }).replace(stringify(secrets));
}
