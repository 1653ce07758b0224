import { defineConfig } from "vitest/config";

/** `npm run test:quick`: what computes and waits for nothing. */
export default defineConfig({
  test: {
    include: ["model", "mpeg-ts", "guide-wire", "recorder/{engine,plan,sync,report,evidence}"].map(
      (folder) => `test/${folder}/**/*.test.ts`,
    ),
    testTimeout: 60_000,
    maxWorkers: 2,
    reporters: ["dot"],
  },
});
