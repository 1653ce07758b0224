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
 * The Authorization header for the best of the challenges: Digest (SHA-256 or MD5, also with a session key, with or without
 * `qop=auth`), else Basic.
 *
 * @see RFC 7616, RFC 7617, RFC 9110 §11.6.1
 * @returns `undefined` if no scheme and algorithm is supported
 */
export function authorizationFor(
  { challenge, method, uri }: Challenged,
  credentials: Credentials,
): string | undefined {
  const challenges = challengesIn(challenge);
  for (const hashName of ["sha256", "md5"]) {
    const usable = challenges.find(
      (each) => each.scheme === "digest" && digestOf(each)?.hashName === hashName,
    );
    if (usable !== undefined) return digest(usable, { method, uri, ...credentials });
  }
  if (!challenges.some(({ scheme }) => scheme === "basic")) return undefined;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`;
}

interface Challenge {
  readonly scheme: string;
  readonly fields: Map<string, string>;
}

interface DigestKind {
  readonly algorithm: string;
  readonly hashName: string;
  readonly isSession: boolean;
  readonly withQop: boolean;
}

/** `undefined` for an unknown algorithm, and for `auth-int` alone, which protects the body too. */
function digestOf({ fields }: Challenge): DigestKind | undefined {
  const algorithm = fields.get("algorithm") ?? "MD5";
  const hashName = HASHES[algorithm.toUpperCase().replace(SESSION, "")];
  const qop = fields
    .get("qop")
    ?.toLowerCase()
    .split(",")
    .map((each) => each.trim());
  if (hashName === undefined || qop?.includes("auth") === false) return undefined;
  return { algorithm, hashName, isSession: SESSION.test(algorithm), withQop: qop !== undefined };
}

function digest(
  challenge: Challenge,
  { method, uri, user, password }: Credentials & { readonly method: string; readonly uri: string },
): string | undefined {
  const kind = digestOf(challenge);
  if (kind === undefined) return undefined;
  const { algorithm, hashName, isSession, withQop } = kind;
  const hash = (...parts: readonly string[]) => createHash(hashName).update(parts.join(":")).digest("hex");
  const { fields } = challenge;
  const [realm = "", nonce = ""] = [fields.get("realm"), fields.get("nonce")];
  const cnonce = randomBytes(8).toString("hex");
  const counted = withQop ? [NONCE_COUNT, cnonce, "auth"] : [];
  const known = hash(user, realm, password);
  const key = isSession ? hash(known, nonce, cnonce) : known;
  const response = hash(key, nonce, ...counted, hash(method, uri));
  const opaque = fields.get("opaque");
  return [
    `Digest username="${quoted(user)}", realm="${quoted(realm)}", nonce="${quoted(nonce)}", uri="${uri}"`,
    `response="${response}", algorithm=${algorithm}`,
    ...(withQop ? [`qop=auth, nc=${NONCE_COUNT}`] : []),
    ...(withQop || isSession ? [`cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque="${quoted(opaque)}"`]),
  ].join(", ");
}

/** Every request gets a new challenge, so no nonce is used twice. */
const NONCE_COUNT = "00000001";

const HASHES: Readonly<Record<string, string>> = { MD5: "md5", "SHA-256": "sha256" };
const SESSION = /-sess$/i;

/** Longer ones are cut: a search in a hostile one takes time. */
const CHALLENGES_LENGTH = 4096;
/** Several challenges may be in one header, and each has fields: commas separate both. */
const PART = /(?:[^",]|"(?:[^"\\]|\\.)*")+/g;
const FIELD = /^([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/;

function challengesIn(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  for (const [part] of header.slice(0, CHALLENGES_LENGTH).matchAll(PART)) {
    const [, scheme, rest = ""] = FIELD.test(part.trim())
      ? []
      : (/^([\w-]+)(?:\s+(.*))?$/s.exec(part.trim()) ?? []);
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), fields: new Map() });
    const [, name, inQuotes, plain = ""] = FIELD.exec(scheme === undefined ? part.trim() : rest.trim()) ?? [];
    if (name === undefined) continue;
    challenges.at(-1)?.fields.set(name.toLowerCase(), inQuotes?.replace(/\\(.)/g, "$1") ?? plain);
  }
  return challenges;
}

function quoted(text: string): string {
  return text.replace(/["\\]/g, "\\$&");
}
