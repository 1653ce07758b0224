import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type MultiplexKey, multiplexKey, type Triplet } from "../../../../src/model/service.ts";
import { ServiceStream } from "../../capture/station.ts";

export const ONE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };
export const TWO: Triplet = { onid: 4112, tsid: 545, sid: 1057 };
export const ELSEWHERE: Triplet = { onid: 12_802, tsid: 928, sid: 929 };
export const ON_AIR: readonly Triplet[] = [ONE, TWO, ELSEWHERE];

/** On which frequency its multiplex is, where a server knows frequencies: DVB-T, 7 MHz, 64-QAM. */
export function kilohertzOf(service: Triplet): number {
  return multiplexKey(service) === multiplexKey(ELSEWHERE) ? 184_500 : 226_500;
}

/** A channel list (VDR) of services on the air. */
export function vdrList(
  services: readonly Triplet[],
  pidsOf: (service: Triplet) => string = () => "0:0",
): string {
  const lines = services.map((service) => {
    const { onid, tsid, sid } = service;
    const tuning = `${kilohertzOf(service)}:B7C34D0G16I999M64S0T8Y0:T:0`;
    return `Service ${sid}:${tuning}:${pidsOf(service)}:0:0:${sid}:${onid}:${tsid}:0\n`;
  });
  return lines.join("");
}

export const USER = { user: "rec@order", password: "p/w:ü?1" };

/** The fault that a fake server must show. */
export type Trouble = "no lock" | "forbidden" | "no rights" | "limit";

/** The receiving side of a fake server: so many tuners, one multiplex each. */
export interface Receivers {
  /** Takes a tuner for a service, or gives none. @returns how to give it back */
  take(service: Triplet, holder: string): (() => void) | undefined;
  inUse(): number;
  /** The uses of each tuner in use, in the order in which they were taken. */
  uses(): readonly (readonly Use[])[];
}

interface Use {
  readonly service: Triplet;
  readonly holder: string;
}

export function receivers({
  count,
  shared,
}: {
  readonly count: number;
  readonly shared: boolean;
}): Receivers {
  const held: { readonly key: MultiplexKey; readonly uses: Set<Use> }[] = [];
  return {
    take(service, holder) {
      const key = multiplexKey(service);
      const same = shared ? held.find((each) => each.key === key) : undefined;
      if (same === undefined && held.length >= count) return undefined;
      const tuner = same ?? { key, uses: new Set() };
      if (same === undefined) held.push(tuner);
      const use = { service, holder };
      tuner.uses.add(use);
      return () => {
        if (tuner.uses.delete(use) && tuner.uses.size === 0) held.splice(held.indexOf(tuner), 1);
      };
    },
    inUse: () => held.length,
    uses: () => held.map(({ uses }) => [...uses]),
  };
}

export interface FakeServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** Method, path and query of every request, in order. */
  readonly requests: readonly string[];
}

type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => void;

export async function serve(handler: Handler): Promise<FakeServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.method !== "GET") response.writeHead(405).end();
    else handler(request, response, request.url ?? "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closed: Promise<unknown> | undefined;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      closed ??= new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a service in real time until the other side goes. */
export function onAir(
  response: ServerResponse,
  service: Triplet,
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { "content-type": "video/mp2t", ...headers });
  const stream = new ServiceStream(service);
  const timer = setInterval(() => response.write(stream.next()), 20);
  response.write(stream.next());
  response.on("close", () => clearInterval(timer));
}

export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Whether the request is by `USER`; otherwise it is answered with a challenge. RFC 7617, RFC 7616 (MD5, qop=auth). */
export function admitted(
  request: IncomingMessage,
  response: ServerResponse,
  scheme: "basic" | "digest",
  /** The status that answers a wrong password, unless it is a new challenge. */
  wrong = 401,
): boolean {
  const given = request.headers.authorization ?? "";
  if (scheme === "basic" ? given === basic() : isDigest(given, request)) return true;
  if (given !== "" && wrong !== 401) {
    response.writeHead(wrong).end();
    return false;
  }
  const challenge =
    scheme === "basic"
      ? 'Basic realm="box"'
      : `Digest realm="tvheadend", qop="auth", nonce="${NONCE}", opaque="o"`;
  response.writeHead(401, { "www-authenticate": challenge }).end();
  return false;
}

const NONCE = "dcd98b7102dd2f0e8b11d0f600bfb0c0";

function basic(): string {
  return `Basic ${Buffer.from(`${USER.user}:${USER.password}`).toString("base64")}`;
}

function isDigest(header: string, { method, url }: IncomingMessage): boolean {
  const field = (name: string) => {
    const [, quoted, plain = ""] = new RegExp(`${name}=(?:"([^"]*)"|([^",]*))`).exec(header) ?? [];
    return quoted ?? plain;
  };
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const ha1 = md5(`${USER.user}:tvheadend:${USER.password}`);
  const ha2 = md5(`${method}:${url}`);
  const expected = md5([ha1, NONCE, field("nc"), field("cnonce"), "auth", ha2].join(":"));
  return header.startsWith("Digest ") && field("uri") === url && field(" response") === expected;
}
