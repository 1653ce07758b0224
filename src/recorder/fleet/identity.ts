import { join } from "node:path";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { type Identity, selfSigned } from "../../kit/net/self-signed.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/;
const KEY = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/;

/**
 * The certificate of this node, which it makes once. The others find it in the database of the fleet.
 *
 * @throws RecorderdError FILE_UNREADABLE, DISK_FULL or WRITE_FAILED
 */
export async function identityOf(dataFolder: string): Promise<Identity> {
  const file = new DurableFile({ file: join(dataFolder, "node.pem"), mode: 0o600, keepsPrevious: false });
  const found = await file.read((text) => ({
    certificate: CERTIFICATE.exec(text)?.[0],
    key: KEY.exec(text)?.[0],
  }));
  const { certificate, key } = found?.value ?? {};
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  const made = selfSigned("recorderd");
  await file.replace(made.certificate + made.key);
  return made;
}
