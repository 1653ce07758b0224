import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebAnswer, WebRequest } from "../../src/kit/http/web-server.ts";
import { staticFiles } from "../../src/web/listener/static.ts";
import { temporaryFolder } from "../main-job/recorder.ts";

const [PAGE, PROGRAM, PICTURE] = ["<!doctype html><p>page", "export const x = 1;", "picture"];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let files: ReturnType<typeof staticFiles>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "assets"));
  const texts = { "index.html": PAGE, "assets/main-a1.js": PROGRAM };
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(folder.path, name), text);
    await writeFile(join(folder.path, `${name}.gz`), gzipSync(text));
  }
  await writeFile(join(folder.path, "icon.png"), PICTURE);
  files = staticFiles(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

function ask(path: string, headers: Readonly<Record<string, string>> = {}): WebAnswer | undefined {
  return files({ method: "GET", path, headers } as unknown as WebRequest);
}

async function bodyOf(answer: WebAnswer | undefined): Promise<Buffer> {
  return await buffer(answer?.body as NodeJS.ReadableStream);
}

describe("the files of the dashboard", () => {
  it.each([
    { path: "/", type: "text/html; charset=utf-8", text: PAGE },
    { path: "/recordings", type: "text/html; charset=utf-8", text: PAGE },
    { path: "/assets/main-a1.js", type: "text/javascript; charset=utf-8", text: PROGRAM },
  ])(
    "are compressed for browsers that accept it, with their own type: $path",
    async ({ path, type, text }) => {
      const accept = "text/html,*/*";
      const answer = ask(path, { accept, "accept-encoding": "gzip, br" });
      const vary = "accept-encoding";
      expect(answer?.headers).toMatchObject({ "content-type": type, "content-encoding": "gzip", vary });
      expect(gunzipSync(await bodyOf(answer)).toString()).toBe(text);
      const plain = ask(path, { accept });
      expect(plain?.headers).toMatchObject({ "content-type": type, vary });
      expect(plain?.headers).not.toHaveProperty("content-encoding");
      expect((await bodyOf(plain)).toString()).toBe(text);
    },
  );

  it("are sent as they are if the build did not compress them", async () => {
    const answer = ask("/icon.png", { "accept-encoding": "gzip" });
    expect(answer?.headers).not.toHaveProperty("content-encoding");
    expect((await bodyOf(answer)).toString()).toBe(PICTURE);
  });

  it("have no addresses for compressed copies and other files", () => {
    const browser = { "accept-encoding": "gzip" };
    expect(
      ["/assets/main-a1.js.gz", "/../package.json", "/v1/none"].map((path) => ask(path, browser)),
    ).toEqual([undefined, undefined, undefined]);
  });
});
