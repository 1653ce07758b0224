import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Tags of DER (ITU-T X.690 §8). */
const TAGS = {
  integer: 0x02,
  bits: 0x03,
  oid: 0x06,
  text: 0x0c,
  utc: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
const VERSION_FIELD = 0xa0;

/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758 §3.2). */
const ECDSA_SHA256 = Buffer.from("2a8648ce3d040302", "hex");
/** commonName, 2.5.4.3 (X.520). */
const COMMON_NAME = Buffer.from("550403", "hex");
/** Clocks may be wrong: these certificates are valid at all times (RFC 5280 §4.1.2.5). */
const ALWAYS = [der(TAGS.utc, Buffer.from("700101000000Z")), der(TAGS.time, Buffer.from("99991231235959Z"))];
const SERIAL_BYTES = 16;

/** A certificate and its private key, both in PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Makes a new key, and a certificate that it signs itself (X.509 version 3, RFC 5280 §4.1; ECDSA with P-256). Nobody vouches for
 * it: who connects must know this very certificate.
 *
 * @param name up to 64 characters
 */
export function selfSigned(name: string): Identity {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(der(TAGS.oid, ECDSA_SHA256));
  const named = sequence(
    der(TAGS.set, sequence(der(TAGS.oid, COMMON_NAME), der(TAGS.text, Buffer.from(name)))),
  );
  const serial = randomBytes(SERIAL_BYTES);
  // Positive, and without a leading zero.
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  const signed = sequence(
    der(VERSION_FIELD, der(TAGS.integer, Buffer.of(2))),
    der(TAGS.integer, serial),
    algorithm,
    named,
    sequence(...ALWAYS),
    named,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(TAGS.bits, Buffer.of(0), sign("sha256", signed, privateKey));
  return {
    certificate: pem("CERTIFICATE", sequence(signed, algorithm, signature)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAGS.sequence, ...parts);
}

/** Tag, length and content (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content]);
}

/** Up to 65,535 bytes. */
function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
