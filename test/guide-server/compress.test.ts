import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";
import { GUIDE, type Hosted, hosted, NOW, PASSWORD } from "./hosted.ts";

const shows = Array.from({ length: 200 }, (_, n) => ({
  id: 100 + n,
  channelId: 7,
  start: NOW + n * HOUR,
  durationMinutes: 60,
  title: `Show ${n}`,
}));

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted({ guide: { ...GUIDE, shows } });
});
afterAll(() => guide[Symbol.asyncDispose]());

async function get(path: string, accepted: string, body?: string) {
  const url = new URL(path, guide.baseUrl);
  url.searchParams.set("email_address", guide.email);
  url.searchParams.set("token", guide.token);
  const headers = { "accept-encoding": accepted };
  const method = body === undefined ? "GET" : "POST";
  return new Promise<{ encoding: string | undefined; vary: string; body: Buffer }>((resolve, reject) => {
    const sent = request(url, { headers, method }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const { "content-encoding": encoding, vary = "" } = answer.headers;
        resolve({ encoding, vary, body: Buffer.concat(parts) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("a long answer", () => {
  it.each(["gzip", "deflate, gzip;q=0.5", "*", "GZIP"])(
    "is compressed for a client that accepts %s",
    async (accepted) => {
      const plain = await get("/shows", "identity");
      const small = await get("/shows", accepted);
      expect([plain.encoding, small.encoding]).toEqual([undefined, "gzip"]);
      expect(gunzipSync(small.body)).toEqual(plain.body);
      expect(small.body.length).toBeLessThan(plain.body.length / 5);
      expect([plain.vary, small.vary]).toEqual([
        expect.stringContaining("Accept-Encoding"),
        expect.stringContaining("Accept-Encoding"),
      ]);
    },
  );

  it.each(["", "identity", "gzip;q=0", "br", "gzip;q=0, *"])(
    "is not compressed for a client that accepts %j",
    async (accepted) => {
      expect((await get("/shows", accepted)).encoding).toBeUndefined();
    },
  );

  it("arrives whole for every client, even with many requests at once", async () => {
    const plain = await get("/shows", "identity");
    const answers = await Promise.all(Array.from({ length: 12 }, () => get("/shows", "gzip")));
    for (const { encoding, body } of answers) {
      expect(encoding === "gzip" ? gunzipSync(body) : body).toEqual(plain.body);
    }
  });
});

describe("an uncompressed answer", () => {
  it("is short, or contains a token", async () => {
    expect((await get("/regions", "gzip")).encoding).toBeUndefined();
    const label = "long enough to be worth it ".repeat(7).trim();
    const member = { email_address: guide.email, password: PASSWORD };
    const device = { uid: "u".repeat(200), label, type_id: 1 };
    const answer = await get("/login", "gzip", JSON.stringify({ member, device }));
    expect(answer.encoding).toBeUndefined();
    expect(answer.body.toString()).toContain("token");
  });
});
