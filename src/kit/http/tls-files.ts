import { plainText } from "../files/plain-file.ts";
import { HTTP_LIMITS } from "./limits.ts";

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
  return Buffer.from(await plainText(file, HTTP_LIMITS.pemBytes));
}
