import type { FileHandle } from "node:fs/promises";

const PORTION_BYTES = 1024 * 1024;

/** Appends the whole content of one open file to another; both stay open. @throws the system's error */
export async function copyBytes(from: FileHandle, to: FileHandle): Promise<void> {
  const buffer = Buffer.allocUnsafe(PORTION_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    await to.writeFile(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
