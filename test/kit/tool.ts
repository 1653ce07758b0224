import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { outOfPatience } from "../patience.ts";

/** Runs a real tool to its end and returns its output. */
export async function told(
  command: string,
  { args, input }: { readonly args: readonly string[]; readonly input?: Buffer },
): Promise<{ readonly out: string; readonly bytes: Buffer; readonly err: string }> {
  const child = spawn(command, args, { signal: outOfPatience() });
  // A tool that has seen enough stops reading.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [bytes, err] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, "close")]);
  return { out: bytes.toString(), bytes, err };
}
