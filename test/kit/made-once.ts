import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { told } from "./tool.ts";

/** Beside the clip of the simulator, which is kept in the same way. */
const FOLDER = resolve(import.meta.dirname, "../../node_modules/.cache/recorderd-films");

/**
 * The file that ffmpeg writes for these arguments. It is made once for all tests of all runs, which copy or read it: encoding it takes
 * longer than most of them.
 *
 * @param args without the name of the output; they name no file
 */
export async function madeOnce(args: readonly string[]): Promise<string> {
  const made = join(FOLDER, createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16));
  if (existsSync(made)) return made;
  await mkdir(FOLDER, { recursive: true });
  const making = await mkdtemp(join(FOLDER, "making-"));
  try {
    const file = join(making, "output");
    const { err } = await told("ffmpeg", { args: ["-v", "error", "-nostdin", ...args, file] });
    if (err !== "") throw new Error(`ffmpeg cannot make ${JSON.stringify(args)}: ${err}`);
    await rename(file, made);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return made;
}
