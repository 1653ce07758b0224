import type { Written } from "../library/removal.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";
import { openOwn } from "./own-file.ts";

/** Bytes of a file. */
export interface Part {
  readonly first: number;
  /** The last byte; absent: the end. */
  readonly last?: number;
}

export interface RecordedFile extends Written {
  readonly file: string;
}

/** Reads until the end or the signal. `onRead` is called with each piece. @throws RecorderdError as openOwn */
export async function* partOf(
  recorded: RecordedFile,
  { first, last, signal, onRead }: Part & { readonly signal: AbortSignal; readonly onRead: () => void },
): AsyncGenerator<Buffer> {
  const handle = await openOwn(recorded.file, recorded);
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
