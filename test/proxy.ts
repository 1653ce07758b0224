import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { expect } from "vitest";
import { endWithFile } from "./left-by-tests.ts";

/** A real reverse proxy on a port of loopback, as the user who runs the tests. */
export interface ReverseProxy extends AsyncDisposable {
  readonly port: number;
}

interface Program {
  readonly command: string;
  /** Its whole configuration, and its files, in a folder of its own. */
  readonly config: (folder: string, inner: string) => string;
  readonly args: (file: string, folder: string) => readonly string[];
}

const NGINX: Program = {
  command: "nginx",
  config: (folder, inner) => `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 1;
    pid ${folder}/pid;
    error_log stderr warn;
    events { worker_connections 256; }
    http {
      access_log off;
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      ${inner}
    }`,
  args: (file, folder) => ["-e", "stderr", "-p", folder, "-c", file],
};

const HAPROXY: Program = {
  command: "haproxy",
  config: (_folder, inner) => `global\n  maxconn 256\n${inner}\n`,
  args: (file) => ["-q", "-db", "-f", file],
};

/** @param inner of the block `http`. @throws Error where nginx is missing: `npm run setup` installs it */
export function nginx(port: number, inner: string): Promise<ReverseProxy> {
  return started(NGINX, port, inner);
}

/** @param inner all but `global`. @throws Error where HAProxy is missing: `npm run setup` installs it */
export function haproxy(port: number, inner: string): Promise<ReverseProxy> {
  return started(HAPROXY, port, inner);
}

async function started(
  { command, config, args }: Program,
  port: number,
  inner: string,
): Promise<ReverseProxy> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-proxy-"));
  const file = join(folder, "config");
  await writeFile(file, config(folder, inner));
  // Debian has them where only root's PATH looks.
  const child = spawn(command, args(file, folder), {
    env: { ...env, PATH: `${env["PATH"]}:/usr/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`${command} ended: ${said}`)));
  failed.catch(() => {});
  const stop = () => {
    isEnded();
    return end(child, folder);
  };
  const isEnded = endWithFile(stop);
  const listens = expect.poll(() => answers(port)).toBe(true);
  await Promise.race([listens, failed]);
  return { port, [Symbol.asyncDispose]: stop };
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  await rm(folder, { recursive: true, force: true });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** An example of docs/proxy.md with other words in it. */
export async function documented(
  language: "nginx" | "haproxy",
  words: Readonly<Record<string, string>>,
  index = 0,
): Promise<string> {
  const text = await readFile("docs/proxy.md", "utf8");
  const examples = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  let example = examples[index]?.[2] ?? "";
  for (const [word, other] of Object.entries(words)) {
    expect(example).toContain(word);
    example = example.replaceAll(word, other);
  }
  return example;
}
