import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { pause } from "./recorder.ts";

/** A secret that nothing else in the world contains. */
export function plant(name: string): string {
  return `planted-${name}-${randomBytes(8).toString("hex")}`;
}

/** Looks for secrets in every text it is given, and remembers where one was. */
export class Seeker {
  readonly #forms: readonly { readonly name: string; readonly form: string }[];
  readonly #found = new Set<string>();
  /** Texts of processes, which rarely change between two looks. */
  readonly #known = new Set<string>();
  #bytes = 0;

  constructor(secrets: Readonly<Record<string, string>>) {
    this.#forms = Object.entries(secrets).flatMap(([name, secret]) =>
      formsOf(secret).map((form) => ({ name, form })),
    );
  }

  /** The findings, such as `log: apiKey`, each once. */
  get found(): readonly string[] {
    return [...this.#found].sort();
  }

  /** How much was looked at. */
  get bytes(): number {
    return this.#bytes;
  }

  look(place: string, said: string | Buffer): void {
    this.#bytes += said.length;
    for (const { name, form } of this.#forms) if (said.includes(form)) this.#found.add(`${place}: ${name}`);
  }

  /** Every file below a folder, its name too, but those whose path is to hold secrets. */
  async lookInFolder(folder: string, isMeantFor: (path: string) => boolean): Promise<void> {
    for (const path of await readdir(folder, { recursive: true }).catch(() => [])) {
      if (isMeantFor(path)) continue;
      this.look("name of a file", path);
      const isFile = await lstat(join(folder, path)).then(
        (found) => found.isFile(),
        () => false,
      );
      // The next look finds a file that is gone by now, or the file never existed for long.
      if (isFile) this.look(path, await readFile(join(folder, path)).catch(() => ""));
    }
  }

  /** Arguments and environment of every process of the machine that can be read. */
  lookAtProcesses(): void {
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const command = ofProcess(id, "cmdline");
      // A thread of the kernel has neither.
      if (command === "") continue;
      for (const [what, text] of [
        ["cmdline", command],
        ["environ", ofProcess(id, "environ")],
      ] as const) {
        if (this.#known.has(text)) continue;
        this.#known.add(text);
        this.look(`${what} of a process`, text);
      }
    }
  }
}

/** Read synchronously: it comes from memory, and a detour over other threads takes three times the processor time. */
function ofProcess(id: string, what: string): string {
  try {
    return readFileSync(`/proc/${id}/${what}`, "latin1");
  } catch {
    // It has ended, or belongs to another user.
    return "";
  }
}

/** A secret as it is, as addresses write it, and within anything in base64, wherever in it it begins. */
function formsOf(secret: string): readonly string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]).toString("base64");
    // The edges depend on the neighbouring bytes.
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  const query = new URLSearchParams([["", secret]]).toString().slice(1);
  return [...new Set([secret, encodeURI(secret), encodeURIComponent(secret), query, ...base64])];
}

/** A proxy between the recorder and a server. */
export interface Between extends AsyncDisposable {
  readonly url: string;
  /** The requests: address and `Authorization`. */
  readonly asked: readonly string[];
  /** How it answers from now on. */
  behave(how: keyof typeof HABITS | "well"): void;
  /** Cuts every answer that is under way. */
  cut(): void;
}

/** Answers of bad services and proxies: each repeats the whole request. */
const HABITS = {
  "as a proxy": (asked: string) => [502, "text/html", `<html><h1>Bad Gateway</h1>${asked}</html>`],
  "refuses who asks": (asked: string) => [401, "application/json", JSON.stringify(errorOf("no", asked))],
  "forbids it": (asked: string) => [403, "application/json", JSON.stringify(errorOf(asked, asked))],
  torn: (asked: string) => [200, "application/json", `{"timers": [{"id": "${asked}`],
  "as another service": (asked: string) => [200, "application/json", JSON.stringify({ [asked]: asked })],
  "leads elsewhere": (asked: string) => [302, "text/plain", asked],
} as const satisfies Record<string, (asked: string) => readonly [number, string, string]>;
export const HABIT_NAMES = Object.keys(HABITS) as readonly (keyof typeof HABITS)[];

function errorOf(code: string, message: string): object {
  return { error: { code, message, field: message } };
}

/**
 * A server before `target` that repeats what it is asked in answers of its own. Behind it the planted key is the one that is known
 * there, and `below`, where it is asked for, the beginning of every path.
 */
export async function between(
  target: string,
  { apiKey = SIM_API_KEY, below = "" }: { readonly apiKey?: string; readonly below?: string },
): Promise<Between> {
  const asked: string[] = [];
  let habit: keyof typeof HABITS | "well" = "well";
  const answers = new Set<ServerResponse>();
  const server = createServer((incoming, response) => {
    const all = `${incoming.url} ${incoming.headers.authorization ?? ""}`;
    asked.push(all);
    answers.add(response);
    response.on("close", () => answers.delete(response));
    if (habit !== "well") {
      const [status, type, body] = HABITS[habit](all);
      response.writeHead(status, {
        "content-type": type,
        location: `/elsewhere${incoming.url}`,
        "www-authenticate": `Basic realm="here"`,
      });
      response.end(body);
      return;
    }
    const path = (incoming.url ?? "").replace(below, "").replace(apiKey, SIM_API_KEY);
    passOn(new URL(path, target), incoming, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (how) => {
      habit = how;
    },
    cut: () => {
      for (const response of answers) response.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(url: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { host: _host, authorization: _authorization, ...headers } = incoming.headers;
  const onward = request(url, { method: incoming.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  incoming.pipe(onward);
}

/**
 * The port of the one listener on TCP that a process has, as soon as it has one: a recorder may answer on its socket before.
 * @see proc_net(5)
 */
export async function portOf(pid: number | undefined): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const port = await listenerOf(pid ?? 0);
    if (port !== undefined) return port;
    if (Date.now() > deadline) throw new Error(`process ${pid} listens on no port`);
    await pause(100);
  }
}

async function listenerOf(pid: number): Promise<number | undefined> {
  const folder = `/proc/${pid}/fd`;
  const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ""));
  const sockets = new Set(await Promise.all(links));
  const rows = (await readFile(`/proc/${pid}/net/tcp`, "utf8"))
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  const row = rows.find((fields) => fields[3] === "0A" && sockets.has(`socket:[${fields[9]}]`));
  return row === undefined ? undefined : Number.parseInt(row[1]?.split(":")[1] ?? "", 16);
}
