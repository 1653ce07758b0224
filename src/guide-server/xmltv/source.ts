import { createHash } from "node:crypto";
import { closeSync, writeSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openFd } from "../../kit/files/steady-fs.ts";
import { isBrotliName } from "../../kit/files/unpack.ts";
import type { HttpAnswer, HttpClient } from "../../kit/http/http.ts";
import { authorizationFor, credentialsIn } from "../../kit/http/http-auth.ts";
import { mayRedirect } from "../../kit/net/redirect-scope.ts";
import { runBounded } from "../../kit/process/bounded-process.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { SERVER_LIMITS } from "../limits.ts";

export interface ListingSource {
  readonly from:
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "http"; readonly url: URL }
    | { readonly kind: "command"; readonly command: string; readonly args: readonly string[] };
  /** For logs: never an address or an argument, which may hold secrets. */
  readonly name: string;
  /** Equal for equal sources, and reveals nothing about them. */
  readonly id: string;
}

const COMMAND = "command:";

/**
 * Reads a source: a file or its `file:` address, an address that begins with `http://` or `https://`, or `command:` and a program with its
 * arguments, separated by spaces, that writes a listing to its standard output. Quotes hold an argument with spaces together.
 */
export function parseSource(text: string): ListingSource | undefined {
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  if (text.startsWith(COMMAND)) {
    const [command, ...args] = words(text.slice(COMMAND.length));
    if (command === undefined) return undefined;
    return { from: { kind: "command", command, args }, name: basename(command), id };
  }
  if (/^https?:\/\//i.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url && { from: { kind: "http", url }, name: url.host, id };
  }
  const path = /^file:\/\//i.test(text) ? pathOf(text) : text;
  return path === undefined || path === ""
    ? undefined
    : { from: { kind: "file", path: resolve(path) }, name: text, id };
}

function words(text: string): readonly string[] {
  const found = text.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? [];
  return found.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** @returns `undefined` for a file of another machine */
function pathOf(address: string): string | undefined {
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

/** Detects a new version of a source. */
export interface Version {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly mtimeMs?: number | undefined;
  readonly bytes?: number | undefined;
}

export interface FetchedListing extends AsyncDisposable {
  /** The current file, possibly compressed; disposal removes a temporary file. */
  readonly file: string;
  /** It is packed by brotli, which the file itself does not show. */
  readonly isBrotli: boolean;
  readonly version: Version;
}

export interface Fetching {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** The folder for downloads. */
  readonly folder: string;
  /** The environment of a command. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Fetches a listing.
 *
 * @param before the last version; without it, the listing is fetched in any case
 * @returns `undefined` if it is unchanged
 * @throws RecorderdError LISTING_UNREACHABLE, FILE_UNREADABLE
 */
export async function fetchListing(
  { from, id }: ListingSource,
  before: Version | undefined,
  fetching: Fetching,
): Promise<FetchedListing | undefined> {
  if (from.kind === "file") return fileListing(from.path, before);
  const file = join(fetching.folder, `listing-${id}.tmp`);
  const dispose = () => rm(file, { force: true });
  const fd = await openFd(file, "w", 0o600);
  try {
    const brought =
      from.kind === "http"
        ? await download(from.url, { before, fd, fetching })
        : await runCommand(from, fd, fetching);
    if (brought !== undefined) return { file, ...brought, [Symbol.asyncDispose]: dispose };
    await dispose();
    return undefined;
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    closeSync(fd);
  }
}

async function fileListing(path: string, before: Version | undefined): Promise<FetchedListing | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new RecorderdError("FILE_UNREADABLE", `${path} is not a readable file.`, { file: path });
  }
  if (before?.mtimeMs === found.mtimeMs && before.bytes === found.size) return undefined;
  const version = { mtimeMs: found.mtimeMs, bytes: found.size };
  return {
    file: path,
    isBrotli: isBrotliName(path),
    version,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

type Brought = Pick<FetchedListing, "isBrotli" | "version">;

interface Download {
  readonly before: Version | undefined;
  readonly fd: number;
  readonly fetching: Fetching;
}

/** @see RFC 9110 §13.1 (conditional requests) and §15.4 (redirects) */
async function download(address: URL, { before, fd, fetching }: Download): Promise<Brought | undefined> {
  const { clock, signal, http } = fetching;
  const conditions = {
    ...(before?.etag === undefined ? {} : { "if-none-match": before.etag }),
    ...(before?.lastModified === undefined ? {} : { "if-modified-since": before.lastModified }),
  };
  let written = 0;
  const onData = (chunk: Uint8Array) => {
    written += chunk.length;
    writeSync(fd, chunk);
  };
  const timeoutError = () => unreachable("there was no answer in time");
  const answer = await withDeadline(
    clock,
    { ms: SERVER_LIMITS.listingFetchMs, signal, timeoutError },
    async (inTime) => {
      let url = address;
      for (let hop = 0; hop <= SERVER_LIMITS.listingRedirects; hop += 1) {
        const bytesMax = SERVER_LIMITS.listingBytes;
        const ask = (credentials: Readonly<Record<string, string>>) =>
          http.stream({ url, headers: { ...conditions, ...credentials }, bytesMax, onData }, inTime);
        let outcome = await ask(credentialsFor(address, url));
        const challenge =
          outcome.kind === "answer" && outcome.status === 401
            ? outcome.headers["www-authenticate"]
            : undefined;
        if (challenge !== undefined) outcome = await ask(credentialsFor(address, url, challenge));
        if (outcome.kind === "failed") throw unreachable(`${outcome.cause}, ${outcome.code}`);
        const next = redirectOf(outcome, url);
        if (next === undefined) return outcome;
        url = next;
      }
      throw unreachable("it has too many redirects");
    },
  );
  if (answer.status === 304 && before !== undefined) return undefined;
  if (answer.status !== 200) throw unreachable(`status ${answer.status}`);
  if (written >= SERVER_LIMITS.listingBytes) throw unreachable("it is too large");
  const { etag, "last-modified": lastModified, "content-encoding": coding = "" } = answer.headers;
  return {
    isBrotli: coding.trim().toLowerCase() === "br",
    version: withoutUndefined({ etag, lastModified }),
  };
}

function redirectOf({ status, headers }: HttpAnswer, from: URL): URL | undefined {
  const location = headers["location"];
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to === undefined || !/^https?:$/.test(to.protocol))
    throw unreachable("a redirect has no valid address");
  if (!mayRedirect(from, to))
    throw unreachable("a redirect leads to an address of this machine or its network");
  return to;
}

/** The address's credentials, for its own server and no other. */
function credentialsFor(address: URL, url: URL, challenge = "Basic"): Readonly<Record<string, string>> {
  const credentials = credentialsIn(address);
  if (credentials === undefined || address.origin !== url.origin) return {};
  const asked = { challenge, method: "GET", uri: `${url.pathname}${url.search}` };
  const authorization = authorizationFor(asked, credentials);
  return authorization === undefined ? {} : { authorization };
}

async function runCommand(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  fd: number,
  { clock, signal, env }: Fetching,
): Promise<Brought> {
  const end = await runBounded(
    {
      command,
      args,
      env,
      stdoutFd: fd,
      timeoutMs: SERVER_LIMITS.listingFetchMs,
      outputBytesMax: 500,
    },
    { clock, signal },
  );
  if (end.how === "exited" && end.code === 0) return { isBrotli: false, version: {} };
  const code = end.code === undefined ? "" : ` with ${end.code}`;
  throw unreachable(`the command ${end.how}${code}: ${redacted(end.output, args)}`);
}

/** Shorter values are common words. */
const SECRET_LENGTH_MIN = 4;

/** Removes a command's arguments and all addresses from its output: others read the logs. */
function redacted(text: string, args: readonly string[]): string {
  const secrets = args
    .flatMap(valuesIn)
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .sort((a, b) => b.length - a.length);
  return secrets
    .reduce((rest, value) => rest.replaceAll(value, "…"), text)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s;,'")>]+/gi, "…");
}

/** The secret parts of an argument: option names are public, and a program may print any part of an address. */
function valuesIn(arg: string): readonly string[] {
  const value = arg.replace(/^-[\w-]*=/, "");
  if (value.startsWith("-")) return [];
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url === undefined ? [value] : [value, url.password, `${url.pathname}${url.search}`, url.search];
}

function unreachable(why: string): RecorderdError {
  return new RecorderdError("LISTING_UNREACHABLE", `The listing cannot be fetched: ${why}.`, { why });
}
