// Packages, cycles and Node.js modules: who may import them. Folders: scripts/import-table.mjs.
/** One npm package, one owner: name → the only files that may import it. zod schemas live where their data enters. */
const OWNERS = {
  undici: "^src/kit/http/http\\.ts$",
  "fast-xml-parser": "^src/kit/xml/xml\\.ts$",
  "node-cron": "^src/kit/time/cron\\.ts$",
  nodemailer: "^src/kit/net/mail\\.ts$",
  "web-push": "^src/recorder/subsystems/notify/push/",
  mqtt: "^src/kit/net/mqtt\\.ts$",
  "fluent-ffmpeg": "^src/kit/process/ffmpeg\\.ts$",
  pino: "^src/kit/log\\.ts$",
  lowdb: "^src/recorder/store/",
  yaml: "^src/recorder/config/",
  re2js: "^src/rules/expression\\.ts$",
  saxes: "^src/kit/xml/xml-stream\\.ts$",
  kysely: "^src/guide-server/data/",
  pg: "^src/kit/postgres/",
  "node-sqlite3-wasm": "^src/kit/sqlite\\.ts$",
  "prom-client": "^src/(recorder/api/metrics|guide-server/http/request-metrics)\\.ts$",
  fastify: "^src/kit/http/web-server\\.ts$",
  highs: "^src/kit/integer-program\\.ts$",
  preact: "^src/dashboard/",
  "@preact/signals": "^src/dashboard/",
  "hls.js": "^src/dashboard/player/(hls|recovery)\\.ts$",
  "@fluent/bundle": "^src/words/catalogue\\.ts$",
  commander: "^src/(cli/|main\\.ts$)",
};
const PACKAGES = [...Object.keys(OWNERS), "zod"].join("|");

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "drivers-know-no-driver",
      severity: "error",
      from: { path: "^src/recorder/tune/drivers/([^/]+)\\.ts$" },
      to: { path: "^src/recorder/tune/drivers/", pathNot: "^src/recorder/tune/drivers/$1\\.ts$" },
    },
    {
      name: "only-the-registry-names-drivers",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/recorder/tune/(registry\\.ts|drivers/)" },
      to: { path: "^src/recorder/tune/drivers/" },
    },
    ...Object.entries(OWNERS).map(([name, owner]) => ({
      name: `owner-of-${name}`,
      severity: "error",
      from: { path: "^src/", pathNot: owner },
      to: { path: `node_modules/(@types/)?${name}/` },
    })),
    {
      name: "every-package-has-an-owner",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "node_modules/", pathNot: `node_modules/(@types/)?(${PACKAGES})/` },
    },
    {
      name: "time-comes-from-the-clock",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(kit/time/clock\\.ts$|simulator/)" },
      to: { path: "^(timers|timers/promises|perf_hooks)$" },
    },
    {
      name: "the-process-belongs-to-main",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(main\\.ts$|recorder/capture/host/main\\.ts$|kit/)" },
      to: { path: "^process$" },
    },
    {
      name: "one-place-starts-programs",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/kit/process/child\\.ts$" },
      to: { path: "^child_process$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "src-knows-no-test",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^test/" },
    },
    { name: "not-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
