/** No measure of speed: a busy machine may need a minute for what takes a second on an idle one. */
const PATIENCE_MS = 240_000;

/** Ends what a test waits for if it never comes. */
export function outOfPatience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}
