/** What a worker and who watches it share: the watcher learns which input a worker hangs at, or died of. */
export interface SharedInput {
  /** The input that is being run; a worker that is gone cannot be asked. */
  readonly input: SharedArrayBuffer;
  /** Of `input`: its length, how many were run, whether to end. */
  readonly state: SharedArrayBuffer;
}

export const LENGTH = 0;
export const RUNS = 1;
export const END = 2;
