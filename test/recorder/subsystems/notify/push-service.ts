import assert from "node:assert/strict";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import type { PushService } from "../../../../src/recorder/subsystems/notify/push/open.ts";

const fixture = (end: string) =>
  readFileSync(new URL(`../../../fixtures/guide/self-signed.${end}`, import.meta.url));

/** A message as the browser reads it, and what the push service saw of it. */
interface Pushed {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly message: { readonly id: string; readonly title: string; readonly text: string };
}

/** A push service (RFC 8030) and the browser that it serves. */
export interface TestPushService extends AsyncDisposable {
  /** The browser's PushSubscription. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  readonly received: readonly Pushed[];
  /** How the recorder reaches it. */
  readonly service: PushService;
  /** The status of the next answers; 201 at first. */
  answerWith(status: number): void;
}

export async function pushServiceForTests(): Promise<TestPushService> {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const auth = randomBytes(16);
  const received: Pushed[] = [];
  let status = 201;
  const server = createServer({ key: fixture("key"), cert: fixture("crt") }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (status < 300) {
        const body = Buffer.concat(chunks);
        assert(body.length <= 4096, "push services take 4,096 bytes");
        received.push({ headers: request.headers, message: JSON.parse(decrypted(body, { browser, auth })) });
      }
      response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const http = createHttpClient({ authorities: fixture("crt").toString() });
  return {
    subscription: {
      endpoint: `https://localhost:${port}/push/browser-1`,
      keys: { p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") },
    },
    received,
    service: { http, isPushService: ({ host }) => host === `localhost:${port}` },
    answerWith: (next) => {
      status = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** RFC 8291 §3.4 and RFC 8188 §2, read independently of the recorder's library. */
function decrypted(
  body: Buffer,
  { browser, auth }: { readonly browser: ReturnType<typeof createECDH>; readonly auth: Buffer },
): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", browser.computeSecret(sender), auth, info, 32));
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
  const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2 and zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString("utf8");
}

/** The claims of a sender (RFC 8292 §2), if its signature and its key are those of the recorder. */
export function claimsOf(
  authorization: string,
  publicKey: string,
): { readonly aud: string; readonly exp: number } {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  assert.equal(key, publicKey);
  const [head = "", body = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  assert(isSigned, "the token is not signed by the recorder");
  return JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
}
