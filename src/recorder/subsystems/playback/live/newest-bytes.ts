/** The newest bytes of a buffer in memory, so that a viewer of its newest segment needs no second read of the file. */
export interface NewestBytes {
  /** The next portion begins there; what was before is forgotten. */
  begin(first: number): void;
  /** @param portion copied: its memory may be used again */
  push(portion: Uint8Array): void;
  /** A copy of these bytes, which the reader may change; `undefined` if some of them are not here. */
  read(range: { readonly first: number; readonly last: number }): Buffer | undefined;
}

/**
 * @param bytesMax kept. One block of memory for all: blocks that come and go with the stream would each be a work of the garbage
 * collector, which costs more than to read the file
 */
export function newestBytes(bytesMax: number): NewestBytes {
  let block: Buffer | undefined;
  let begin = 0;
  let end = 0;

  return {
    begin: (first) => {
      begin = first;
      end = first;
    },
    push: (portion) => {
      block ??= Buffer.allocUnsafeSlow(bytesMax);
      const kept = portion.subarray(Math.max(0, portion.length - bytesMax));
      end += portion.length;
      if (bytesMax === 0) return;
      const at = (end - kept.length) % bytesMax;
      const fits = Math.min(kept.length, bytesMax - at);
      block.set(kept.subarray(0, fits), at);
      block.set(kept.subarray(fits), 0);
    },
    read: ({ first, last }) => {
      if (block === undefined || last >= end || first < Math.max(begin, end - bytesMax)) return undefined;
      const at = first % bytesMax;
      const length = last + 1 - first;
      const copy = Buffer.allocUnsafe(length);
      const fits = block.copy(copy, 0, at, Math.min(bytesMax, at + length));
      block.copy(copy, fits, 0, length - fits);
      return copy;
    },
  };
}
