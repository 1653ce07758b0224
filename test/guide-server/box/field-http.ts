import { request } from "node:http";
import { gunzipSync } from "node:zlib";

export type Json = Readonly<Record<string, unknown>>;

export interface FieldAnswer {
  readonly status: number;
  readonly json: Json;
  readonly bytes: number;
}

/** One request as boxes send it: JSON, with a body on GET as well, and compressed answers taken. */
export function fieldRequest(
  { method, url }: { readonly method: string; readonly url: URL },
  body: Json,
): Promise<FieldAnswer> {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "gzip",
    "content-length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const packed = Buffer.concat(parts);
        const isPacked = answer.headers["content-encoding"] === "gzip";
        const plain = (isPacked ? gunzipSync(packed) : packed).toString();
        const json = (plain === "" ? {} : JSON.parse(plain)) as Json;
        resolve({ status: answer.statusCode ?? 0, json, bytes: packed.length });
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
