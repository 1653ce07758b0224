import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { WebAnswer } from "../../src/kit/http/web-server.ts";
import { Compression } from "../../src/web/compress.ts";
import { json } from "../../src/web/json.ts";

const BROWSER = { headers: { "accept-encoding": "gzip, deflate, br" } };
const CURL = { headers: {} };
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, title: "Harbour Watch" }));

async function unpacked({ body, headers }: WebAnswer): Promise<unknown> {
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  const bytes = body instanceof Readable ? await buffer(body) : Buffer.from(body ?? "");
  return JSON.parse(gunzipSync(bytes).toString());
}

describe("a compressed answer", () => {
  it.each([100, 10_000])("has the %i rows of the plain one", async (count) => {
    const answer = await new Compression().answer(BROWSER, json(200, rows(count)));
    expect(await unpacked(answer)).toEqual(rows(count));
  });

  it("goes only to those who can read it, and tells caches so", async () => {
    const answer = await new Compression().answer(CURL, json(200, rows(100)));
    expect(answer.headers).toEqual({ "content-type": "application/json", vary: "Accept-Encoding" });
    expect(JSON.parse(String(answer.body))).toEqual(rows(100));
  });

  it.each<[string, WebAnswer]>([
    ["one packet", json(200, rows(3))],
    [
      "events",
      { status: 200, headers: { "content-type": "text/event-stream" }, body: Readable.from(["data"]) },
    ],
    [
      "a recording",
      { status: 200, headers: { "content-type": "video/mp2t" }, body: Readable.from(["data"]) },
    ],
    ["a picture", { status: 200, headers: { "content-type": "image/jpeg" }, body: Buffer.alloc(5_000) }],
    [
      "a compressed file",
      { status: 200, headers: { "Content-Encoding": "gzip" }, body: Buffer.alloc(5_000) },
    ],
  ])("is not made of %s", async (_name, plain) => {
    expect(await new Compression().answer(BROWSER, plain)).toBe(plain);
  });

  it("is made of two answers at once, and of others when these have gone or their readers have", async () => {
    const compression = new Compression();
    const large = () => compression.answer(BROWSER, json(200, rows(10_000)));
    const [first, second, third] = [await large(), await large(), await large()];
    expect(third.headers?.["content-encoding"]).toBeUndefined();
    expect(JSON.parse(await text(third.body as Readable))).toEqual(rows(10_000));
    expect(await unpacked(first)).toEqual(rows(10_000));
    const closed = new Promise((resolve) => (second.body as Readable).once("close", resolve));
    (second.body as Readable).destroy();
    await closed;
    expect(await unpacked(await large())).toEqual(rows(10_000));
    expect(await unpacked(await large())).toEqual(rows(10_000));
  });
});
