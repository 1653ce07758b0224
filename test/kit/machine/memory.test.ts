import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const KIT = join(import.meta.dirname, "../../../dist/kit");

/** The output of a separate process, so that the modules and garbage collection of the tests do not count. */
function said(script: string): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it("the garbage of the start is collected once afterwards, without further clock reads", () => {
  const script = `
    import { releaseMemoryAfterStart } from "${KIT}/machine/memory.js";
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const waits = [];
    const clock = { sleep: (ms) => new Promise((resolve) => void waits.push(resolve)) };
    let left = { of: "the start" };
    const seen = new WeakRef(left);
    left = undefined;
    const given = releaseMemoryAfterStart(clock, new AbortController().signal);
    await turn();
    const before = seen.deref() !== undefined;
    await turn();
    waits[0]();
    while (waits.length < 2) await turn();
    waits[1]();
    await given;
    console.log(JSON.stringify({ before, after: seen.deref() !== undefined, waits: waits.length, gc: typeof globalThis.gc }));
  `;
  expect(said(script)).toEqual({ before: true, after: false, waits: 2, gc: "undefined" });
});

it("a web server does not load a schema compiler", () => {
  const script = `
    import Module from "node:module";
    import { createWebServer } from "${KIT}/http/web-server.js";
    import { systemClock } from "${KIT}/time/clock.js";
    const route = { method: "GET", path: "/", handle: async () => ({ status: 200 }) };
    const refuse = () => ({ status: 404 });
    const server = createWebServer({ routes: [route], refuse, bodyBytesMax: 1, clock: systemClock() });
    await server.listen({ host: "127.0.0.1", port: 0 });
    const loaded = Object.keys(Module._cache).filter((name) => name.includes("/node_modules/"));
    await server[Symbol.asyncDispose]();
    console.log(JSON.stringify({ any: loaded.length > 0, compilers: loaded.filter((name) => /(ajv|stringify)-compiler/.test(name)) }));
  `;
  expect(said(script)).toEqual({ any: true, compilers: [] });
});
