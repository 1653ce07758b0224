import { createHmac, timingSafeEqual } from "node:crypto";
import type { TLSSocket } from "node:tls";

/** The header in which each end of a connection proves that it knows the secret of the fleet. */
export const PROOF_HEADER = "recorderd-proof";
const MATERIAL_BYTES = 32;
const LABEL = "EXPORTER-recorderd-fleet";

/**
 * A proof for this connection alone: whoever receives it learns no secret, and cannot use it on another connection. A node may be
 * named in the database by somebody who does not know the secret.
 *
 * @param by the end that proves
 * @see RFC 8446 §7.5
 */
export function proofOf(socket: TLSSocket, secret: string, by: "leader" | "node"): string {
  const material = socket.exportKeyingMaterial(MATERIAL_BYTES, LABEL, Buffer.alloc(0));
  return createHmac("sha256", secret).update(by).update(material).digest("base64url");
}

export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== "string" || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
