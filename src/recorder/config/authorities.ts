import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { HttpClientOptions } from "../../kit/http/http.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";

/**
 * Whom to trust that a server is the one it says: the certificates of this file and no others, or whom Node.js trusts without one.
 *
 * @throws RecorderdError FILE_UNREADABLE, or CONFIG_INVALID when there is no certificate in it
 */
export async function trustOf(caFile: string | undefined): Promise<HttpClientOptions> {
  if (caFile === undefined) return {};
  const authorities = await readFile(caFile, "utf8").catch((error: unknown) => {
    const system = systemCode(error);
    const text = `${caFile}, the authority of the guide service (guide.caFile), cannot be read (${system}).`;
    throw new RecorderdError("FILE_UNREADABLE", text, { file: caFile, system });
  });
  if (isCertificate(authorities)) return { authorities };
  const text = `${caFile} (guide.caFile) is no certificate: expected one in PEM, from BEGIN CERTIFICATE on.`;
  throw new RecorderdError("CONFIG_INVALID", text, { file: caFile });
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== "";
  } catch {
    return false;
  }
}
