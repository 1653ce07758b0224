import { createHash, randomBytes } from "node:crypto";

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** User and password of a URL; `undefined` if it has none. An invalid percent escape stands for itself. */
export function credentialsIn({ username, password }: URL): Credentials | undefined {
  if (username === "" && password === "") return undefined;
  return { user: unescaped(username), password: unescaped(password) };
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

interface Challenged {
  /** The WWW-Authenticate header of the response. */
  readonly challenge: string;
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly uri: string;
}

/**
 * The Authorization header for a challenge: Digest (MD5 or SHA-256, with or without `qop=auth`), or Basic.
 *
 * @see RFC 7616, RFC 7617
 * @returns `undefined` for an unsupported scheme or algorithm
 */
export function authorizationFor(
  { challenge, method, uri }: Challenged,
  { user, password }: Credentials,
): string | undefined {
  const scheme = /^\s*(\w+)/.exec(challenge)?.[1]?.toLowerCase();
  if (scheme === "basic") return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  if (scheme !== "digest") return undefined;
  const fields = fieldsOf(challenge);
  const algorithm = fields.get("algorithm") ?? "MD5";
  const hashName = HASHES[algorithm.toUpperCase()];
  if (hashName === undefined) return undefined;
  const hash = (...parts: readonly string[]) => createHash(hashName).update(parts.join(":")).digest("hex");
  const [realm = "", nonce = ""] = [fields.get("realm"), fields.get("nonce")];
  const withQop =
    fields
      .get("qop")
      ?.split(",")
      .some((each) => each.trim() === "auth") === true;
  const cnonce = randomBytes(8).toString("hex");
  const counted = withQop ? [NONCE_COUNT, cnonce, "auth"] : [];
  const response = hash(hash(user, realm, password), nonce, ...counted, hash(method, uri));
  const opaque = fields.get("opaque");
  return [
    `Digest username="${quoted(user)}", realm="${quoted(realm)}", nonce="${quoted(nonce)}", uri="${uri}"`,
    `response="${response}", algorithm=${algorithm}`,
    ...(withQop ? [`qop=auth, nc=${NONCE_COUNT}, cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque="${quoted(opaque)}"`]),
  ].join(", ");
}

/** Every request gets a new challenge, so no nonce is used twice. */
const NONCE_COUNT = "00000001";

const HASHES: Readonly<Record<string, string>> = { MD5: "md5", "SHA-256": "sha256" };

function fieldsOf(challenge: string): ReadonlyMap<string, string> {
  const pairs = challenge.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g);
  return new Map(
    [...pairs].map(([, name = "", inQuotes, plain]) => [
      name.toLowerCase(),
      inQuotes?.replace(/\\(.)/g, "$1") ?? plain ?? "",
    ]),
  );
}

function quoted(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}
