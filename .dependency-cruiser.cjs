// Who may import whom. docs/ARCHITECTURE.md says why.
const STAGES = [
  "sync",
  "plan",
  "tune",
  "capture",
  "inspect",
  "gather",
  "report",
  "library",
  "system",
  "notify",
  "trace",
];
/** These compute and do nothing else: they import one another, and not even `node:`. */
const PURE =
  "^src/(model/|plan/|" +
  "engine/(attempt|clock|closing|concerns|curb|decide|document|draft|follow|healing|health|hindrance|leases|list-memory|lost-wishes|occurrence|plan-facts|planning|planning-text|relief|repeats|settle|snapshot|steps|timers|what-if)\\.ts$|" +
  "sync/(reconcile|absence|rekey)\\.ts$|report/(message|outbox|why)\\.ts$|" +
  "system/(status-line|wake-verdict)\\.ts$|" +
  "notify/(document|news|queue)\\.ts$|" +
  "library/(document|follow|hooks|jobs|profile|rates|retention|space|verifying)\\.ts$)";

/** The parts outside of inspect that must find packets and sections in a stream: they take a service out of a multiplex, and ask for one. */
const FINDS_PACKETS = {
  capture: "^src/capture/host/(service-filter|sources)\\.ts$",
  tune: "^src/recorder/tune/pat\\.ts$",
};

/** One npm package, one owner: name → the only files that may import it. zod schemas live where their data enters. */
const OWNERS = {
  undici: "^src/kit/http/http\\.ts$",
  "fast-xml-parser": "^src/kit/xml/xml\\.ts$",
  "node-cron": "^src/kit/time/cron\\.ts$",
  nodemailer: "^src/kit/net/mail\\.ts$",
  mqtt: "^src/kit/net/mqtt\\.ts$",
  "fluent-ffmpeg": "^src/kit/process/ffmpeg\\.ts$",
  pino: "^src/kit/log\\.ts$",
  lowdb: "^src/store/",
  yaml: "^src/config/",
  saxes: "^src/kit/xml/xml-stream\\.ts$",
  "node-sqlite3-wasm": "^src/kit/sqlite\\.ts$",
  "prom-client": "^src/recorder/api/metrics\\.ts$",
  fastify: "^src/kit/http/web-server\\.ts$",
  highs: "^src/kit/integer-program\\.ts$",
  preact: "^src/dashboard/",
  "@preact/signals": "^src/dashboard/",
  "mpegts.js": "^src/dashboard/parts/player\\.tsx$",
  commander: "^src/(cli/|main\\.ts$)",
};
const PACKAGES = [...Object.keys(OWNERS), "zod"].join("|");

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "model-imports-nothing",
      severity: "error",
      from: { path: "^src/model/" },
      to: { pathNot: "^src/model/" },
    },
    {
      name: "pure-imports-pure",
      severity: "error",
      from: { path: PURE },
      to: { pathNot: PURE },
    },
    ...STAGES.map((stage) => ({
      name: `stage-${stage}-knows-no-other-stage`,
      severity: "error",
      from: { path: `^src/${stage}/`, pathNot: Object.values(FINDS_PACKETS) },
      to: { path: "^src/", pathNot: `^src/(${stage}|model|kit|guide)/|^src/model/ports\\.ts$` },
    })),
    ...Object.entries(FINDS_PACKETS).map(([stage, path]) => ({
      name: `who-finds-packets-in-${stage}-knows-packets-alone`,
      severity: "error",
      from: { path },
      to: {
        path: "^src/",
        pathNot: `^src/(${stage}|model|kit)/|^src/model/ports\\.ts$|^src/inspect/(bytes|packet-pace|packet-reader|packets|sections)\\.ts$`,
      },
    })),
    {
      name: "drivers-know-no-driver",
      severity: "error",
      from: { path: "^src/tune/drivers/([^/]+)\\.ts$" },
      to: { path: "^src/tune/drivers/", pathNot: "^src/tune/drivers/$1\\.ts$" },
    },
    {
      name: "only-the-registry-names-drivers",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/tune/(registry\\.ts|drivers/)" },
      to: { path: "^src/tune/drivers/" },
    },
    {
      name: "kit-knows-no-television",
      severity: "error",
      from: { path: "^src/kit/" },
      to: { path: "^src/", pathNot: "^src/kit/|^src/model/(errors|limits|time)\\.ts$" },
    },
    {
      name: "guide-knows-only-words",
      severity: "error",
      from: { path: "^src/guide/" },
      to: { path: "^src/", pathNot: "^src/(guide|model|kit)/|^src/model/ports\\.ts$" },
    },
    {
      name: "site-knows-no-recorder",
      severity: "error",
      from: { path: "^src/site/" },
      to: { path: "^src/", pathNot: "^src/(site|model|kit)/" },
    },
    {
      name: "people-see-the-daemon-through-ports",
      severity: "error",
      from: { path: "^src/web/" },
      to: { path: "^src/(engine|sync|plan|tune|capture|inspect|report|library|store)/" },
    },
    {
      name: "the-dashboard-knows-only-words",
      severity: "error",
      from: { path: "^src/dashboard/" },
      to: {
        path: "^src/",
        pathNot:
          "^src/(dashboard|model)/|^src/recorder/engine/core/planning-text\\.ts$|^src/recorder/api/picture\\.ts$",
      },
    },
    {
      name: "the-dashboard-runs-in-browsers",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/dashboard/" },
      to: { path: "^src/dashboard/" },
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
      from: { path: "^src/", pathNot: "^src/(kit/clock\\.ts$|sim/)" },
      to: { path: "^(timers|timers/promises|perf_hooks)$" },
    },
    {
      name: "the-process-belongs-to-main",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(main\\.ts$|capture/host/main\\.ts$|kit/)" },
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
