import type { Environment } from "vitest/runtime";

type End = () => Promise<unknown>;

declare global {
  /** Ours and that of the tests are two copies of this module: vitest evaluates an environment apart from them. */
  var endsOfWorker: Set<End> | undefined;
}

/** For what the files of a worker share. It has a minute; after that, vitest kills the worker. */
export function endWithWorker(end: End): void {
  globalThis.endsOfWorker ??= new Set();
  globalThis.endsOfWorker.add(end);
}

/** That of Node, with an end: a worker that is told to end gets half a second, which is too short to end a browser. */
// biome-ignore lint/style/noDefaultExport: vitest takes an environment from it
export default {
  name: "node-with-end",
  viteEnvironment: "ssr",
  setup: () => ({
    teardown: async () => void (await Promise.all([...(globalThis.endsOfWorker ?? [])].map((end) => end()))),
  }),
} satisfies Environment;
