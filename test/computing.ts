/** Tests that only compute: they leave nothing behind in their process, so many share one. */
export const COMPUTING: readonly string[] = [
  "model",
  "mpeg-ts",
  "guide-wire",
  "recorder/{engine,plan,sync,report,evidence}",
].map((folder) => `test/${folder}/**/*.test.ts`);
