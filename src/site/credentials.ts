import { z } from "zod";
import { openPlainFile } from "../kit/files/plain-file.ts";
import { systemCode } from "../kit/machine/system-code.ts";
import { parseJson } from "../kit/text/parse-json.ts";
import { RecorderdError } from "../model/errors.ts";
import { SITE_LIMITS } from "./limits.ts";

/** A user of the content site and that user's application password, which differs from the sign-in password. */
export interface SiteCredentials {
  readonly user: string;
  readonly applicationPassword: string;
}

const Credentials = z.strictObject({
  // A colon would end the user's name (RFC 7617 §2).
  user: z.string().regex(/^[^:\p{Cc}]{1,200}$/u),
  applicationPassword: z.string().regex(/^[^\p{Cc}]{1,200}$/u),
});

/**
 * Reads `{"user": "…", "applicationPassword": "…"}`. Other users must have no access to the file.
 *
 * @throws RecorderdError SITE_CREDENTIALS_INVALID, without any of the file's content in its text
 */
export async function readSiteCredentials(file: string): Promise<SiteCredentials> {
  const invalid = (problem: string) =>
    new RecorderdError("SITE_CREDENTIALS_INVALID", `The credentials file ${file} ${problem}`, { file });
  const text = await readPrivate(file, invalid);
  const read = Credentials.safeParse(parseJson(text));
  if (read.success) return read.data;
  throw invalid('must contain one JSON object: {"user": "…", "applicationPassword": "…"}');
}

type Invalid = (problem: string) => RecorderdError;

async function readPrivate(file: string, invalid: Invalid): Promise<string> {
  try {
    await using handle = await openPlainFile(file);
    const found = await handle.stat();
    if ((found.mode & 0o077) !== 0) throw invalid("can be read by other users: run chmod 600 on it");
    if (found.size > SITE_LIMITS.credentialsBytes) throw invalid("is too large to hold credentials");
    return await handle.readFile("utf8");
  } catch (error) {
    if (error instanceof RecorderdError)
      throw error.code === "FILE_UNREADABLE" ? invalid("is not a file") : error;
    const code = systemCode(error);
    throw invalid(`cannot be read (${code})`);
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The value of the Authorization header (RFC 7617), which is readable on the network unless the connection is
 * encrypted.
 *
 * @throws RecorderdError SITE_CREDENTIALS_INVALID for plain http to another machine
 */
export function basicAuthorization({ user, applicationPassword }: SiteCredentials, site: URL): string {
  if (site.protocol !== "https:" && !LOOPBACK.test(site.hostname)) {
    throw new RecorderdError(
      "SITE_CREDENTIALS_INVALID",
      `Credentials are never sent unencrypted to ${site.origin}: give the site's address with https`,
      { origin: site.origin },
    );
  }
  return `Basic ${Buffer.from(`${user}:${applicationPassword}`, "utf8").toString("base64")}`;
}

/** Every form in which an answer could quote the application password. */
export function secretsOf({ user, applicationPassword }: SiteCredentials): readonly string[] {
  // Sites accept the password with and without its displayed spaces.
  const bare = applicationPassword.replace(/\s+/g, "");
  const forms = [applicationPassword, bare].flatMap((password) => [
    Buffer.from(`${user}:${password}`, "utf8").toString("base64"),
    password,
    encodeURIComponent(password),
    new URLSearchParams([["", password]]).toString().slice(1),
  ]);
  return forms.filter((form) => form !== "").sort((a, b) => b.length - a.length);
}
