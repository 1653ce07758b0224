import { spawnSync } from "node:child_process";
import { TarFlaw, TarReader } from "../../../src/backup/tar-reader.ts";
import { BUDGET, inTwo, law, same, type Target } from "../target.ts";

/** Backup archives, unpacked: what tar made, and what others make of it. */
export const backups: Target = {
  name: "backups",
  bytesMax: 64 * 1024,
  budget: BUDGET,
  seeds: () => ["gnu", "ustar", "pax"].map(archive),
  run(archived) {
    const input = withChecksums(archived);
    const whole = read([input]);
    same("portions change nothing", whole, read(inTwo(input)));
    return whole;
  },
};

function archive(format: string): Uint8Array {
  const folder = "test/fixtures/channel-lists";
  return spawnSync("tar", [
    "--create",
    `--format=${format}`,
    "--directory",
    folder,
    ".",
    "--exclude",
    "*lamedb*",
  ]).stdout.subarray(0, backups.bytesMax);
}

function read(portions: readonly Uint8Array[]): readonly unknown[] {
  const files: { readonly path: string; readonly bytes: number; came: number }[] = [];
  const reader = new TarReader();
  try {
    for (const event of portions.flatMap((portion) => reader.push(portion))) {
      if (event.kind === "file") files.push({ ...event, came: 0 });
      const file = files.at(-1);
      if (event.kind !== "data") continue;
      law("data is of a file", file !== undefined);
      if (file !== undefined) file.came += event.bytes.length;
    }
  } catch (error) {
    if (error instanceof TarFlaw) return [error.message];
    throw error;
  }
  law(
    "no file is longer than it says",
    files.every(({ bytes, came }) => came <= bytes),
  );
  law(
    "sizes are whole numbers",
    files.every(({ bytes }) => Number.isSafeInteger(bytes) && bytes >= 0),
  );
  return [...files, reader.isOver];
}

/** Without the right one nothing of a header would be read. */
function withChecksums(archived: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archived);
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    const header = bytes.subarray(at, at + 512);
    if (header.toString("latin1", 257, 262) !== "ustar") continue;
    header.write("        ", 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  }
  return bytes;
}
