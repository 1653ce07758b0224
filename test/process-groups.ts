/** Tests that only compute. */
export const COMPUTING: readonly string[] = [
  "model",
  "mpeg-ts",
  "guide-wire",
  "recorder/{engine,plan,sync,report,evidence}",
].map((folder) => `test/${folder}/**/*.test.ts`);

/** Tests that leave nothing behind in their process, so that many files share one: each process costs its imports. */
export const SHARING: readonly string[] = [
  ...COMPUTING,
  ...["guide-server", "guide-contract", "site", "simulator", "web"].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  ...["api", "config", "store", "subsystems"].map((folder) => `test/recorder/${folder}/**/*.test.ts`),
];
