import { resolve } from "node:path";
import type { DatabaseOptions } from "../../guide-server/server.ts";
import { plainText } from "../../kit/files/plain-file.ts";
import type { DatabaseAddress } from "../../kit/postgres/address.ts";
import { RecorderdError } from "../../model/errors.ts";

/** The place of a database's password, for messages. */
export const PASSWORD_PLACE = "--database-password-file or PGPASSFILE";

/** A larger file holds something else. */
const SECRET_BYTES_MAX = 64 * 1024;

/** The options of the guide server that say where its data is. */
export interface DataFlags {
  readonly data?: string;
  readonly database?: DatabaseAddress;
  readonly databasePasswordFile?: string;
}

/** @throws RecorderdError CONFIG_INVALID without one */
export function dataFolderOf({ data }: DataFlags): string {
  if (data !== undefined) return resolve(data);
  throw new RecorderdError("CONFIG_INVALID", "Where is the data of the guide server? Give --data FOLDER.");
}

/** @throws RecorderdError CONFIG_INVALID without one, FILE_UNREADABLE for the password's file */
export async function databaseOf({ database, databasePasswordFile }: DataFlags): Promise<DatabaseOptions> {
  if (database === undefined)
    throw new RecorderdError("CONFIG_INVALID", "Where is the database? Give --database ADDRESS.");
  if (databasePasswordFile === undefined) return { address: database };
  return { address: database, password: await secretFrom(databasePasswordFile) };
}

/** The content of a file with one secret. @throws RecorderdError FILE_UNREADABLE, CONFIG_INVALID if it is empty */
export async function secretFrom(file: string): Promise<string> {
  const secret = await textOf(file);
  if (secret !== "") return secret;
  throw new RecorderdError("CONFIG_INVALID", `${file} is empty: it must contain the secret.`, { file });
}

/** The content of a file without spaces around it. @throws RecorderdError FILE_UNREADABLE */
export async function textOf(file: string): Promise<string> {
  return (await wholeText(file)).trim();
}

/** The content of a file with a secret. @throws RecorderdError FILE_UNREADABLE */
export async function wholeText(file: string): Promise<string> {
  return await plainText(file, SECRET_BYTES_MAX);
}
