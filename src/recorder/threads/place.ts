/** A thread needs a compiled script, even when this file runs uncompiled. */
const THREADS = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/recorder/threads/" : "./",
  import.meta.url,
);
export const PLANNING_THREAD = new URL("planning-thread.js", THREADS);
export const READING_THREAD = new URL("reading-thread.js", THREADS);
export const DECODING_THREAD = new URL("decoding-thread.js", THREADS);
