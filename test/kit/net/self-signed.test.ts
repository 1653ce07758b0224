import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { selfSigned } from "../../../src/kit/net/self-signed.ts";

/** The status of an answer, or why there is none. */
function statusOf(port: number, ca: string): Promise<unknown> {
  const order = { host: "127.0.0.1", port, ca, checkServerIdentity: () => undefined, agent: false };
  return new Promise((resolve) => {
    get(order, (answer) => resolve(answer.resume().statusCode)).on("error", (error) =>
      resolve("code" in error ? error.code : error),
    );
  });
}

describe("a certificate that signs itself", () => {
  it("is accepted by who knows it, and by nobody else, whatever its name", async () => {
    const [own, other] = [selfSigned("attic"), selfSigned("attic")];
    const server = createServer({ key: own.key, cert: own.certificate, minVersion: "TLSv1.3" }, (_, answer) =>
      answer.end(),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await statusOf(port, own.certificate)).toBe(200);
    expect(await statusOf(port, other.certificate)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    server.close();
  });

  it.each(["a", "n".repeat(64)])("names its owner, and is valid at all times: %s", (name) => {
    const found = new X509Certificate(selfSigned(name).certificate);
    expect(found.subject).toBe(`CN=${name}`);
    expect(found.verify(found.publicKey)).toBe(true);
    expect(found.validFrom).toBe("Jan  1 00:00:00 1970 GMT");
    expect(found.validTo).toBe("Dec 31 23:59:59 9999 GMT");
  });
});
