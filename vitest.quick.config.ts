import { defineConfig } from "vitest/config";
import { COMPUTING } from "./test/process-groups.ts";

/** `npm run test:quick`: what computes and waits for nothing. */
export default defineConfig({
  test: {
    include: [...COMPUTING],
    isolate: false,
    testTimeout: 60_000,
    maxWorkers: 2,
    reporters: ["dot"],
  },
});
