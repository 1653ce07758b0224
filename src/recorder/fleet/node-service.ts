import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { limitConnections } from "../../kit/http/connection-limit.ts";
import type { Log } from "../../kit/log.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import type { Identity } from "../../kit/net/self-signed.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { answerForFile } from "./files/file-service.ts";
import { NODE_LIMITS } from "./limits.ts";
import { NodeDoor } from "./node-door.ts";
import { TERM_HEADER, UPGRADE } from "./node-protocol.ts";
import { isProof, PROOF_HEADER, proofOf } from "./proof.ts";

export interface NodeServiceParts {
  readonly listen: { readonly host: string; readonly port: number };
  readonly identity: Identity;
  readonly secret: string;
  readonly clock: Clock;
  readonly log: Log;
}

interface Listening {
  readonly server: Server;
  readonly closeConnections: () => void;
  readonly address: string;
}

/** This node's HTTPS listener for the leader. A connection has the secret of the fleet and the term of its leader. */
export class NodeService implements AsyncDisposable {
  readonly address: string;
  readonly door = new NodeDoor();
  readonly #server: Server;
  readonly #closeConnections: () => void;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #secret: string;
  /** The latest warning of a connection without the secret. */
  #refusedMs = Number.NEGATIVE_INFINITY;

  private constructor(
    { server, closeConnections, address }: Listening,
    { clock, log, secret }: NodeServiceParts,
  ) {
    this.#clock = clock;
    this.#server = server;
    this.#closeConnections = closeConnections;
    this.address = address;
    this.#log = log;
    this.#secret = secret;
    server.on("request", (request, answer) => void this.#answer(request, answer));
    server.on("upgrade", (request, socket: Socket, head: Buffer) => {
      const refusal = this.#refusal(request);
      if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\n\r\n`);
      if (head.length > 0) socket.unshift(head);
      this.#admit(socket, { term: termOf(request), proof: this.#ownProof(request) });
    });
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const refuse = (status: number) => void answer.writeHead(status, { connection: "close" }).end();
    if (!this.#isMember(request)) return refuse(401);
    answer.setHeader(PROOF_HEADER, this.#ownProof(request));
    if (request.url !== "/") {
      const { files } = this.door;
      if (files === undefined) return refuse(503);
      // A leader that goes away, or a disk that fails: the leader sees the answer break off.
      return await answerForFile(request, answer, { files, clock: this.#clock }).catch(
        () => void answer.destroy(),
      );
    }
    answer.writeHead(200, { connection: "close" });
    answer.end(JSON.stringify({ version: VERSION, term: this.door.term }));
  }

  /** @throws RecorderdError ADDRESS_IN_USE */
  static async open(parts: NodeServiceParts): Promise<NodeService> {
    const { listen, identity } = parts;
    const server = createServer({
      ...{ key: identity.key, cert: identity.certificate, minVersion: "TLSv1.3" },
      handshakeTimeout: NODE_LIMITS.requestMs,
    });
    // A stranger with many connections must not keep the leader out.
    const closeConnections = limitConnections(server, {
      max: NODE_LIMITS.connections,
      maxPerAddress: NODE_LIMITS.connectionsOfAddress,
      isProxy: () => false,
    });
    server.headersTimeout = NODE_LIMITS.requestMs;
    server.requestTimeout = NODE_LIMITS.requestMs;
    const { host } = listen;
    try {
      server.listen(listen);
      await once(server, "listening");
    } catch (error) {
      const text = `The node cannot listen on ${host} port ${listen.port} (${systemCode(error)}): set fleet.listen to a free address of this machine.`;
      throw new RecorderdError("ADDRESS_IN_USE", text, { ...listen }, { cause: error });
    }
    const { port } = server.address() as AddressInfo;
    const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    return new NodeService({ server, closeConnections, address }, parts);
  }

  #isMember({ headers, socket }: IncomingMessage): boolean {
    // Nobody can prove anything on a connection that is gone.
    if (socket.destroyed) return false;
    return isProof(headers[PROOF_HEADER], proofOf(socket as TLSSocket, this.#secret, "leader"));
  }

  /** Only who knows the secret gets it. */
  #ownProof({ socket }: IncomingMessage): string {
    return proofOf(socket as TLSSocket, this.#secret, "node");
  }

  /** Now and then: a stranger may try without end. */
  #tellRefused(from: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#refusedMs < NODE_LIMITS.warnAgainMs) return;
    this.#refusedMs = nowMs;
    this.#log.warn("a connection with another fleet secret was refused", { from });
  }

  /** The status of a refusal. */
  #refusal(request: IncomingMessage): string | undefined {
    const from = String(request.socket.remoteAddress);
    if (!this.#isMember(request)) {
      this.#tellRefused(from);
      return "401 Unauthorized";
    }
    const term = termOf(request);
    if (request.headers.upgrade !== UPGRADE || term === 0) return "400 Bad Request";
    const { isOpen, term: latest } = this.door;
    if (term < latest) {
      this.#log.warn("orders of an earlier term were refused", { from, term, latest });
      return "409 Conflict";
    }
    return isOpen ? undefined : "503 Service Unavailable";
  }

  #admit(socket: Socket, { term, proof }: { readonly term: number; readonly proof: string }): void {
    socket.setNoDelay(true);
    const lines = ["HTTP/1.1 101 Switching Protocols", "Connection: Upgrade", `Upgrade: ${UPGRADE}`];
    socket.write([...lines, `${PROOF_HEADER}: ${proof}`, "", ""].join("\r\n"));
    this.door.admit(socket, term);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closeConnections();
    this.door.close();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** 0: none. */
function termOf({ headers }: IncomingMessage): number {
  const text = headers[TERM_HEADER];
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
