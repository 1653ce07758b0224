import { readdirSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";

const SRC = `${import.meta.dirname}/src`;
const DIST = `${import.meta.dirname}/dist`;

/** Parts find their files as if each of them still lay where the compiler puts it; what they are bundled into lies in `dist` itself. */
const inTheirPlaces: Plugin = {
  name: "in-their-places",
  transform(code, id) {
    if (!id.startsWith(`${SRC}/`)) return undefined;
    const file = JSON.stringify(`./${relative(SRC, id).replace(/\.ts$/, ".js")}`);
    const folder = JSON.stringify(`/${dirname(relative(SRC, id))}`);
    return code
      .replaceAll("import.meta.url", `new URL(${file}, import.meta.url).href`)
      .replaceAll("import.meta.dirname", `(import.meta.dirname + ${folder})`);
  },
};

/** V8 keeps a text in one byte for each character, or, for a single one that is beyond Latin-1, in two: escapes mean the same. */
const inSingleBytes: Plugin = {
  name: "in-single-bytes",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replace(
        /[^\0-\xff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/** Parts may be others than last time, and `dist` holds more than these: the earlier ones go. */
function insteadOfEarlier(parts: RegExp): Plugin {
  return {
    name: "instead-of-earlier",
    generateBundle() {
      for (const name of readdirSync(DIST)) if (parts.test(name)) rmSync(`${DIST}/${name}`);
    },
  };
}

/** The daemon is another bundle, to which the program's first file leads. */
const daemonElsewhere: Plugin = {
  name: "daemon-elsewhere",
  resolveId: (id) => (id === "./cli/entry/daemon.ts" ? { id: "./daemon.js", external: true } : undefined),
};

/** A bundle, with what it uses of packages alone. */
function bundle(name: string, entry: string, plugins: readonly Plugin[]): RolldownOptions {
  return {
    input: { [name]: `${SRC}/${entry}` },
    platform: "node",
    transform: { target: "node20.19" },
    // Loaded when they are needed, or never, and found with their own files then.
    external: [
      "highs",
      "node-sqlite3-wasm",
      "fluent-ffmpeg",
      "mqtt",
      "nodemailer",
      "web-push",
      "web-push",
      "light-my-request",
      "@fastify/ajv-compiler",
      "@fastify/fast-json-stringify-compiler",
    ],
    checks: { sourcemapBroken: false },
    plugins: [inTheirPlaces, inSingleBytes, ...plugins],
    output: {
      dir: DIST,
      entryFileNames: "[name].js",
      chunkFileNames: `${name}.[name].js`,
      // Names stay as they are written, for stack traces.
      minify: false,
      comments: false,
    },
  };
}

/** docs/dev/decisions/0030-bundled-program.md */
export default defineConfig([
  bundle("main", "main.ts", [daemonElsewhere, insteadOfEarlier(/^main.*\.js(\.map)?$/)]),
  bundle("daemon", "cli/entry/daemon.ts", [insteadOfEarlier(/^daemon.*\.js(\.map)?$/)]),
]);
