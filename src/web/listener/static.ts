import { createReadStream, readdirSync, statSync } from "node:fs";
import { extname, join, sep } from "node:path";
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
  for (const name of namesIn(folder)) files.set(`/${name.split(sep).join("/")}`, join(folder, name));
  const page = files.get("/index.html");
  return ({ method, path, headers }) => {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const file = files.get(path);
    if (file !== undefined) return fileAnswer(file, path);
    // The page routes by its own address.
    const wantsPage = path === "/" || (!path.startsWith("/v1/") && headers.accept?.includes("text/html"));
    if (!wantsPage) return undefined;
    return page === undefined
      ? { status: 200, headers: headersOf(".html", "no-cache"), body: NOT_BUILT }
      : fileAnswer(page, "/");
  };
}

function fileAnswer(file: string, path: string): WebAnswer {
  // The file names contain content hashes.
  const caching = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  return { status: 200, headers: headersOf(extname(file), caching), body: createReadStream(file) };
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
