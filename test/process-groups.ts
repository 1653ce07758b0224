/** Tests that only compute. */
export const COMPUTING: readonly string[] = [
  "model",
  "mpeg-ts",
  "guide-wire",
  "recorder/{engine,plan,sync,report,evidence}",
].map((folder) => `test/${folder}/**/*.test.ts`);

/**
 * Tests that change their process for good. All others share processes, because each process costs a second
 * of imports: they must leave nothing behind.
 */
export const ALONE: readonly string[] = ["test/kit/ffmpeg-missing.test.ts"];

/** Folders whose tests run a browser: the longest, and they need a whole core. */
export const BROWSING: readonly string[] = ["dashboard"].map(inTests);

/** Folders whose tests wait for real time, the longest first. */
export const WAITING: readonly string[] = [
  "main-job",
  "recorder/capture",
  "recorder/subsystems",
  "kit/machine",
  "recorder/doctor",
  "recorder/tune",
  "cli",
].map(inTests);

function inTests(folder: string): string {
  return `/test/${folder}/`;
}
