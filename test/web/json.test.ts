import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { json } from "../../src/web/json.ts";

describe("a JSON answer", () => {
  it("has a length if it is short", () => {
    expect(json(200, { a: [1, undefined], b: undefined })).toMatchObject({
      status: 200,
      body: '{"a":[1,null]}',
    });
    expect(json(200, []).body).toBe("[]");
    expect(json(200, "word").body).toBe('"word"');
  });

  it("is sent in pieces if it is long, with turns for other work and the same contents", async () => {
    const long = { recordings: Array.from({ length: 5000 }, (_, id) => ({ id, name: "x".repeat(200) })) };
    const { body } = json(200, long);
    if (typeof body !== "object" || Buffer.isBuffer(body)) throw new Error("it is no stream");
    let turns = 0;
    let isOver = false;
    const all = text(body).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      turns += 1;
      await new Promise(setImmediate);
    }
    expect(await all).toBe(JSON.stringify(long));
    expect(turns).toBeGreaterThan(5);
  });
});
