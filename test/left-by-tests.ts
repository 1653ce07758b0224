type End = () => unknown;

/** A test that is cut off by its time never gets to end what it has started. The end of its file does. */
const left = new Set<End>();

/** @returns to be called when the test has ended it by itself */
export function endWithFile(end: End): () => void {
  left.add(end);
  return () => left.delete(end);
}

export async function endWhatIsLeft(): Promise<void> {
  const ends = [...left];
  left.clear();
  await Promise.all(ends.map((end) => end()));
}
