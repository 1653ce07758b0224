import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { endWithFile } from "../left-by-tests.ts";

export const MAIN = resolve(import.meta.dirname, "../../dist/main.js");

/** `recorderd guide-server` as a process of its own, which serves requests. Disposing kills it. */
export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** Its exit status; `null` after a signal. */
  readonly ended: Promise<number | null>;
  /** Its latest messages. */
  log(): string;
}

/** @throws Error with what the server said, if it ends before it serves */
export async function serverProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN, "guide-server", ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-COMPLAINTS_KEPT);
  });
  const ended = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
  const first = new Promise<string>((done) => child.stdout.setEncoding("utf8").once("data", done));
  const line = await Promise.race([first, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`the guide server did not start: ${complaints}`);
  const kill = async () => {
    isEnded();
    child.kill("SIGKILL");
    await ended;
  };
  const isEnded = endWithFile(kill);
  return { child, baseUrl: line.trim(), ended, log: () => complaints, [Symbol.asyncDispose]: kill };
}

const COMPLAINTS_KEPT = 16 * 1024;
