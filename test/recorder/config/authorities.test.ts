import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createHttpClient, type HttpClientOptions } from "../../../src/kit/http/http.ts";
import { trustOf } from "../../../src/recorder/config/authorities.ts";

const fixture = (end: string) =>
  fileURLToPath(new URL(`../../fixtures/guide/self-signed.${end}`, import.meta.url));
/** Its own authority, for localhost and 127.0.0.1. */
const server = createServer(
  { key: readFileSync(fixture("key")), cert: readFileSync(fixture("crt")) },
  (_, response) => response.end("here"),
);
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => vi.unstubAllEnvs());

async function asked(options: HttpClientOptions, host = "127.0.0.1") {
  await using http = createHttpClient(options);
  const url = new URL(`https://${host}:${port}/`);
  const { signal } = new AbortController();
  return await http.request({ method: "GET", url, headers: {}, bodyBytesMax: 100 }, signal);
}

describe("the trust in the guide service", () => {
  it("comes only from guide.caFile if that is set", async () => {
    expect(await asked(await trustOf(fixture("crt")))).toMatchObject({ kind: "answer", status: 200 });
  });

  it("comes from the known authorities by default", async () => {
    expect(await asked(await trustOf(undefined))).toMatchObject({ kind: "failed", cause: "tls" });
  });

  it("cannot be switched off by the environment", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect(await asked({})).toMatchObject({ kind: "failed", cause: "tls" });
  });

  it("still requires the host name", async () => {
    const trust = await trustOf(fixture("crt"));
    expect(await asked(trust, "127.0.0.2")).toMatchObject({ kind: "failed" });
  });

  it("is refused if the file is missing or no certificate", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-ca-"));
    const file = join(folder, "ca.pem");
    await expect(trustOf(file)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await writeFile(file, "no certificate");
    await expect(trustOf(file)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await rm(folder, { recursive: true });
  });
});
