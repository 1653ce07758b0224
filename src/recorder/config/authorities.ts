import { X509Certificate } from "node:crypto";
import { readPlainFile } from "../../kit/files/plain-file.ts";
import type { HttpClientOptions } from "../../kit/http/http.ts";
import { HTTP_LIMITS } from "../../kit/http/limits.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";

/**
 * The trusted certificate authorities: only those in this file, or without a file those of Node.js.
 *
 * @throws RecorderdError FILE_UNREADABLE, or CONFIG_INVALID if it contains no certificate
 */
export async function trustOf(caFile: string | undefined): Promise<HttpClientOptions> {
  if (caFile === undefined) return {};
  const read = await readPlainFile(caFile, HTTP_LIMITS.pemBytes).catch((error: unknown) => {
    if (error instanceof RecorderdError) throw error;
    const system = systemCode(error);
    const text = `${caFile}, the authority of the guide service (guide.caFile), cannot be read (${system}).`;
    throw new RecorderdError("FILE_UNREADABLE", text, { file: caFile, system });
  });
  const authorities = read.toString("utf8");
  if (isCertificate(authorities)) return { authorities };
  const text = `${caFile} (guide.caFile) is not a certificate: expected PEM, beginning with BEGIN CERTIFICATE.`;
  throw new RecorderdError("CONFIG_INVALID", text, { file: caFile });
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== "";
  } catch {
    return false;
  }
}
