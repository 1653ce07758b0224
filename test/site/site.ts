import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { siteCommand } from "../../src/cli/site/site.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { createVirtualClock, type VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { createSiteClient, type SiteClient } from "../../src/site/client.ts";
import type { SiteCredentials } from "../../src/site/credentials.ts";
import { NOW } from "../guide-wire/loopback.ts";
import type { SiteEntry, SiteRedirect } from "./site-routes.ts";
import { type SiteServer, startSiteServer } from "./site-server.ts";

/** With the spaces in which sites show it, and a character that is written differently in URLs. */
export const EDITOR: SiteCredentials = { user: "editor", applicationPassword: "abCD 3fGh &jKl" };

/** `from` to `to`, both included. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Entry 1 is the oldest. */
export function entries(ids: readonly number[]): readonly SiteEntry[] {
  return ids.map((id) => ({
    id,
    title: `News ${id}`,
    date: `2026-01-01T${String(Math.floor(id / 60)).padStart(2, "0")}:${String(id % 60).padStart(2, "0")}:00`,
  }));
}

export function redirectsOf(ids: readonly number[]): readonly SiteRedirect[] {
  return ids.map((id) => ({ id, from: `/old/${id}`, to: `/new/${id}` }));
}

export interface Site extends AsyncDisposable {
  readonly server: SiteServer;
  readonly guest: SiteClient;
  readonly editor: SiteClient;
  readonly clock: VirtualClock;
}

/** A site with 25 posts, 3 files and 60 redirections, and two clients of it. */
export async function openSite(): Promise<Site> {
  const clock = createVirtualClock(NOW);
  const server = await startSiteServer({
    clock,
    ...EDITOR,
    collections: { posts: entries(range(1, 25)), media: entries(range(1, 3)) },
    redirects: redirectsOf(range(1, 60)),
  });
  const http = createHttpClient();
  const siteUrl = server.content.url;
  return {
    server,
    clock,
    guest: createSiteClient({ siteUrl, http, clock }),
    editor: createSiteClient({ siteUrl, http, clock, credentials: EDITOR }),
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

export interface Ran {
  readonly text: string;
  readonly notes: string;
  readonly code: number;
}

/** Runs `recorderd site …`. */
export async function run(...args: readonly string[]): Promise<Ran> {
  const ran = { text: "", notes: "", code: 0 };
  const command = siteCommand({
    clock: createVirtualClock(NOW),
    signal: new AbortController().signal,
    print: (text) => {
      ran.text += `${text}\n`;
    },
    note: (text) => {
      ran.notes += `${text}\n`;
    },
    exitCode: (code) => {
      ran.code = code;
    },
    readStdin: () => Promise.resolve(""),
    questions: () => {
      throw new Error("nobody is asked here");
    },
  });
  for (const each of [command, ...command.commands]) {
    each.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  await command.parseAsync([...args], { from: "user" });
  return ran;
}

export interface Folder extends AsyncDisposable {
  /** Writes a file and returns its path. */
  file(content: string, mode?: number): Promise<string>;
}

export async function openFolder(): Promise<Folder> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-site-"));
  let files = 0;
  return {
    file: async (content, mode = 0o600) => {
      files += 1;
      const path = join(folder, `${files}.json`);
      await writeFile(path, content);
      await chmod(path, mode);
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The whole text of an error: message, facts, stack and causes. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const facts = "facts" in error ? JSON.stringify(error.facts) : "";
  return `${error.message} ${facts} ${error.stack} ${error.cause === undefined ? "" : wordsOf(error.cause)}`;
}

export async function all<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const page of pages) read.push(page);
  return read;
}
