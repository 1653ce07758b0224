/** Runs until its signal is aborted. */
export type Loop = (signal: AbortSignal) => Promise<void>;

/** Runs all loops with the signal of `failed` and waits until they end; the first failure ends the others. */
export async function runTogether(
  { failed, asked }: { readonly failed: AbortController; readonly asked: AbortSignal },
  loops: readonly Loop[],
): Promise<void> {
  const fail = (error: unknown) => {
    // A loop that ends on request has not failed.
    if (!asked.aborted || error !== asked.reason) failed.abort(error);
  };
  await Promise.all(loops.map((loop) => loop(failed.signal).catch(fail)));
}
