import { defineConfig } from "vitest/config";

/** `npm run test:systemd`: a real systemd with the Debian package installed. */
export default defineConfig({
  test: {
    include: ["test/systemd/**/*.systemd.ts"],
    testTimeout: 180_000,
    // Bare systems are fetched before the first test in them.
    hookTimeout: 1_200_000,
    maxWorkers: 1,
    reporters: ["verbose"],
  },
});
