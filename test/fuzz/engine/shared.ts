/** Memory of a worker and its watcher: the watcher learns which input made a worker hang or die. */
export interface SharedInput {
  /** The input that runs now; a dead worker cannot report it. */
  readonly input: SharedArrayBuffer;
  /** Facts about `input`: its length, the number of runs, whether to end. */
  readonly state: SharedArrayBuffer;
}

export const LENGTH = 0;
export const RUNS = 1;
export const END = 2;
