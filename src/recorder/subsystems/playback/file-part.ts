import { open } from "../../../kit/files/steady-fs.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";

/** Bytes of a file. */
export interface Part {
  readonly first: number;
  /** The last byte; absent: the end. */
  readonly last?: number;
}

/** Reads until the end or the signal. `onRead` is called with each piece. */
export async function* partOf(
  file: string,
  { first, last, signal, onRead }: Part & { readonly signal: AbortSignal; readonly onRead: () => void },
): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    let position = first;
    const end = (last ?? Number.POSITIVE_INFINITY) + 1;
    while (position < end && !signal.aborted) {
      const length = Math.min(PLAYBACK_LIMITS.readBytes, end - position);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
      if (bytesRead === 0) return;
      onRead();
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
