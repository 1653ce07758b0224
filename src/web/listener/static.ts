import { readdirSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { portionsOf } from "../../kit/files/steady-fs.ts";
import { acceptsGzip } from "../../kit/http/accepts-gzip.ts";
import type { WebAnswer, WebRequest } from "../../kit/http/web-server.ts";

/** The built dashboard. */
export const DASHBOARD = join(
  import.meta.dirname,
  import.meta.url.endsWith(".ts") ? "../../../dist/dashboard" : "../../dashboard",
);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Everything loads from the recorder itself; players create blob URLs for the media they read. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const NOT_BUILT =
  "<!doctype html><title>recorderd</title><p>The dashboard is not built: run <code>npm run setup</code>. " +
  'The API is here: <a href="/v1/openapi.json">/v1/openapi.json</a>.';

/** Lists the files of a folder once: no other path can be served. */
export function staticFiles(folder: string): (request: WebRequest) => WebAnswer | undefined {
  const files = new Map<string, string>();
  const compressedOnes = new Map<string, string>();
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    if (name.endsWith(".gz")) compressedOnes.set(file.slice(0, -".gz".length), file);
    else files.set(`/${name.split(sep).join("/")}`, file);
  }
  const page = files.get("/index.html");
  /** The build compresses what shrinks by it. */
  const answer = (file: string, path: string, headers: WebRequest["headers"]) => {
    const compressed = compressedOnes.get(file);
    if (compressed === undefined) return fileAnswer(file, path, {});
    return acceptsGzip(headers["accept-encoding"])
      ? fileAnswer(compressed, path, { vary: "accept-encoding", "content-encoding": "gzip" })
      : fileAnswer(file, path, { vary: "accept-encoding" });
  };
  return ({ method, path, headers }) => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const file = files.get(path);
    if (file !== undefined) return answer(file, path, headers);
    // The page routes by its own address.
    const wantsPage = path === "/" || (!path.startsWith("/v1/") && headers.accept?.includes("text/html"));
    if (!wantsPage) return undefined;
    return page === undefined
      ? { status: 200, headers: headersOf(".html", "no-cache"), body: NOT_BUILT }
      : answer(page, "/", headers);
  };
}

/** @param path the address, or `/` for the page: its ending gives the type, whatever file is sent */
function fileAnswer(file: string, path: string, more: Readonly<Record<string, string>>): WebAnswer {
  // The file names contain content hashes.
  const caching = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const type = path === "/" ? ".html" : extname(path);
  const body = Readable.from(portionsOf(file));
  return { status: 200, headers: { ...headersOf(type, caching), ...more }, body };
}

function headersOf(extension: string, caching: string): Readonly<Record<string, string>> {
  return {
    "content-type": TYPES[extension] ?? "application/octet-stream",
    "cache-control": caching,
    ...(extension === ".html" ? { "content-security-policy": POLICY } : {}),
  };
}

function namesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
