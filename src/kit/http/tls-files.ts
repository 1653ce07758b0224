import { readFile } from "node:fs/promises";
import { unreadableFile } from "../files/unreadable-file.ts";

/** Files of a server's TLS certificate and key, in PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** @throws RecorderdError FILE_UNREADABLE */
export async function readTlsFiles({
  certFile,
  keyFile,
}: TlsFiles): Promise<{ readonly cert: Buffer; readonly key: Buffer }> {
  return { cert: await pemFile(certFile), key: await pemFile(keyFile) };
}

async function pemFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadableFile(file, error);
  }
}
