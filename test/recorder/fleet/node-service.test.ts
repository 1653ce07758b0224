import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpsRequest } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { selfSigned } from "../../../src/kit/net/self-signed.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Config } from "../../../src/recorder/config/schema.ts";
import { fileSource } from "../../../src/recorder/fleet/files/file-source.ts";
import { NodeAgent } from "../../../src/recorder/fleet/node-agent.ts";
import { NodeLink } from "../../../src/recorder/fleet/node-link.ts";
import { provenRequest, requestNode } from "../../../src/recorder/fleet/node-request.ts";
import { NodeService } from "../../../src/recorder/fleet/node-service.ts";
import { PROOF_HEADER } from "../../../src/recorder/fleet/proof.ts";
import { openNodePorts } from "../../../src/recorder/wiring/node-ports.ts";
import { MemoryPart } from "../../../src/simulator/fleet/memory-part.ts";

const clock = systemClock();
const SECRET = "s".repeat(24);
const SERVICE = { onid: 1, tsid: 1, sid: 1 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-node-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A log that remembers. */
function remembering() {
  const said: string[] = [];
  const say = (message: string, facts: object = {}) => void said.push(`${message} ${JSON.stringify(facts)}`);
  return { said, log: { ...silentLog, info: say, warn: say, error: say } };
}

/** A node with one tuner, which leaders may use. */
async function node() {
  await mkdir(join(folder, "data"));
  const config = Config.parse({
    guide: { url: "http://127.0.0.1:1/", regionId: 1 },
    recordings: { folder },
    tuners: [
      {
        kind: "url",
        id: "own",
        services: [{ service: "1/1/1", url: "http://127.0.0.1:1/", programme: "single" }],
      },
    ],
    data: { folder: join(folder, "data") },
  });
  const identity = selfSigned("recorderd");
  const { said, log } = remembering();
  const listen = { host: "127.0.0.1", port: 0 };
  const service = await NodeService.open({ listen, identity, secret: SECRET, clock, log });
  const agent = await NodeAgent.open({ clock, log, part: new MemoryPart() }, (events) =>
    openNodePorts(config, events, { clock, log }),
  );
  service.door.offer(agent);
  const leaderOf = (term: number, { secret = SECRET, certificate = identity.certificate } = {}) => {
    const own = remembering();
    const to = { node: "n", name: "attic", address: service.address, certificate };
    const link = NodeLink.open(to, {
      connect: (at, signal) => requestNode(at, { term, secret, clock }, signal),
      clock,
      log: own.log,
      onOffers: () => {},
      isReplaced: () => true,
      onLaterTerm: () => own.said.push("a later term"),
      onEnded: () => {},
      knows: () => true,
      claim: async () => new Set(),
    });
    return { link, said: own.said, [Symbol.asyncDispose]: () => link[Symbol.asyncDispose]() };
  };
  const place = { address: service.address, certificate: identity.certificate };
  const filesFor = (secret: string) => fileSource(() => ({ node: "n", name: "attic", ...place }), secret);
  return {
    service,
    said,
    leaderOf,
    filesFor,
    place,
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe("a node that records for a leader", () => {
  it("offers its tuners, and reports the failures of its drivers", async () => {
    await using here = await node();
    await using leader = here.leaderOf(1);
    await expect.poll(() => leader.link.isAlive).toBe(true);
    expect(leader.link.offers).toMatchObject([{ id: "own", kind: "url", services: ["1/1/1"] }]);
    const open = (tunerId: string, sid: number) =>
      leader.link.ask({ type: "open", session: sid, tunerId, service: { ...SERVICE, sid } });
    expect(await open("own", 1)).toEqual({ programme: "single" });
    await expect(open("own", 2)).rejects.toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
    await expect(open("other", 1)).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
    const start = { type: "start", session: 7, id: "r.1", service: SERVICE, endsInMs: 1000 } as const;
    await expect(leader.link.ask(start)).rejects.toMatchObject({ code: "CAPTURE_NOT_STARTED" });
  });

  it("refuses orders of an earlier term, also on a connection from before, and says so", async () => {
    await using here = await node();
    await using second = here.leaderOf(2);
    await expect.poll(() => second.link.isAlive).toBe(true);
    await using first = here.leaderOf(1);
    await expect.poll(() => first.said.join()).toContain("status 409");
    expect(first.link.isAlive).toBe(false);
    expect(first.said).toContain("a later term");
    expect(here.said.join()).toContain("orders of an earlier term were refused");

    await using third = here.leaderOf(3);
    await expect.poll(() => third.link.isAlive).toBe(true);
    await expect.poll(() => second.said.join()).toContain("status 409");
    await expect(second.link.ask({ type: "stop", id: "r.1", hangs: false })).rejects.toMatchObject({
      code: "TUNER_UNREACHABLE",
    });
    here.service.door.knows(4);
    await expect.poll(() => third.said.join()).toContain("status 409");
  });

  it("is reached by its leader although strangers hold connections that say nothing, and ends with them", async () => {
    await using here = await node();
    const [host, port] = here.service.address.split(":");
    const strangers = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"].flatMap((localAddress) =>
      Array.from({ length: 100 }, () => connect({ host, port: Number(port), localAddress })),
    );
    for (const socket of strangers) socket.on("error", () => {});
    await Promise.all(strangers.map((socket) => once(socket, "connect")));
    await using leader = here.leaderOf(1);
    await expect.poll(() => leader.link.isAlive).toBe(true);
  });

  it("sends files only with the secret of the fleet, and none if the nodes share a folder", async () => {
    await using here = await node();
    const never = new AbortController().signal;
    const asked = (secret: string) => here.filesFor(secret).read({ kind: "segment", id: "r.1" }, 0, never);
    await expect(asked("w".repeat(24))).rejects.toThrow("status 401");
    await expect(asked(SECRET)).rejects.toThrow("status 503");
  });

  it("learns no secret of a leader that the database has misled, and gives it neither orders nor files", async () => {
    const { key, certificate } = selfSigned("recorderd");
    const heard: string[] = [];
    const impostor = createServer({ key, cert: certificate, minVersion: "TLSv1.3" }, (request, answer) => {
      heard.push(JSON.stringify(request.headers));
      answer.setHeader(PROOF_HEADER, String(request.headers[PROOF_HEADER]));
      answer.end("of the impostor");
    });
    impostor.on("upgrade", ({ headers }, socket) => {
      heard.push(JSON.stringify(headers));
      const proof = `${PROOF_HEADER}: ${headers[PROOF_HEADER]}`;
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n${proof}\r\n\r\n`,
      );
      socket.on("error", () => {});
    });
    impostor.listen(0, "127.0.0.1");
    await once(impostor, "listening");
    try {
      const { port } = impostor.address() as AddressInfo;
      const to = { node: "n", name: "attic", address: `127.0.0.1:${port}`, certificate };
      const never = new AbortController().signal;
      const why = { kind: "failed", why: "it does not know the secret of this fleet" };
      expect(await requestNode(to, { term: 1, secret: SECRET, clock }, never)).toEqual(why);
      expect(await requestNode(to, { secret: SECRET, clock }, never)).toEqual(why);
      const source = fileSource(() => to, SECRET);
      await expect(source.read({ kind: "segment", id: "r.1" }, 0, never)).rejects.toThrow(
        "secret of this fleet",
      );
      expect(heard.length).toBe(3);
      expect(heard.join()).not.toContain(SECRET);
    } finally {
      impostor.closeAllConnections();
      impostor.close();
    }
  });

  it("takes no proof of another connection", async () => {
    await using here = await node();
    const [host, port] = here.service.address.split(":");
    const to = { ...here.place, name: "attic", node: "n" };
    const never = new AbortController().signal;
    const { request, socket } = await provenRequest(to, { secret: SECRET }, never);
    const proof = String(request.getHeader(PROOF_HEADER));
    socket.destroy();
    request.on("error", () => {});
    const replayed = await new Promise((resolve) => {
      const options = { host, port, ca: to.certificate, checkServerIdentity: () => undefined };
      httpsRequest({ ...options, headers: { [PROOF_HEADER]: proof } }, ({ statusCode }) =>
        resolve(statusCode),
      ).end();
    });
    expect(replayed).toBe(401);
  });

  it("takes orders only with the secret of the fleet, and says it to nobody but the node with that certificate", async () => {
    await using here = await node();
    const wrong = "w".repeat(24);
    await using stranger = here.leaderOf(1, { secret: wrong });
    await expect.poll(() => stranger.said.join()).toContain("status 401");
    expect(stranger.link.isAlive).toBe(false);
    await using misled = here.leaderOf(1, { certificate: selfSigned("recorderd").certificate });
    await expect.poll(() => misled.said.join()).toContain("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect([...here.said, ...stranger.said, ...misled.said].join()).not.toMatch(/sss|www/);
  });
});
