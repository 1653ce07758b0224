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
