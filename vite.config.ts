import { defineConfig } from "vite";

/** The dashboard, as the daemon serves it: docs/dev/decisions/0019-the-dashboard.md. */
export default defineConfig({
  root: "src/dashboard",
  base: "/",
  build: { outDir: "../../dist/dashboard", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});
