import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { hostOf } from "../../kit/net/host-of.ts";
import { type Clock, onAbort, withDeadline } from "../../kit/time/clock.ts";
import { NODE_LIMITS } from "./limits.ts";
import { TERM_HEADER, UPGRADE } from "./node-protocol.ts";
import { isProof, PROOF_HEADER, proofOf } from "./proof.ts";

/** The listener of a node, by the database. */
export interface ServicePlace {
  /** Host and port. */
  readonly address: string;
  /** In PEM; the listener must have exactly this certificate. */
  readonly certificate: string;
}

/** Another node, by its row in the database. */
export interface NodeAddress extends ServicePlace {
  readonly node: string;
  readonly name: string;
}

export interface NodeRequest {
  readonly secret: string;
  readonly clock: Clock;
  /** The term of a leader that wants to give orders; absent: the node only answers. */
  readonly term?: number;
}

export type NodeAnswer =
  | { readonly kind: "connected"; readonly socket: Duplex }
  | { readonly kind: "answered"; readonly status: number }
  | { readonly kind: "failed"; readonly why: string };

/** A request over a connection of its own, whose two ends prove that they know the secret. */
export interface ProvenRequest {
  readonly request: ClientRequest;
  readonly socket: TLSSocket;
  /** Whether an answer comes from a node of the fleet. */
  isProven(answer: IncomingMessage): boolean;
}

/**
 * Connects to the listener of a node, and prepares a request; `end` sends it.
 *
 * @throws the system's error, or that of TLS; the signal's reason
 */
export async function provenRequest(
  { address, certificate }: ServicePlace,
  { secret, path = "/", headers = {} }: RequestWords,
  signal: AbortSignal,
): Promise<ProvenRequest> {
  const url = new URL(`https://${address}`);
  const [host, port] = [hostOf(url), Number(url.port)];
  // This very certificate: its name says nothing.
  const identity = { ca: certificate, checkServerIdentity: () => undefined, minVersion: "TLSv1.3" } as const;
  const socket = connect({ host, port, ...identity });
  const unfollow = onAbort(signal, () => socket.destroy());
  socket.once("close", unfollow);
  try {
    await once(socket, "secureConnect");
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  socket.on("error", () => {});
  const proof = { [PROOF_HEADER]: proofOf(socket, secret, "leader") };
  const expected = proofOf(socket, secret, "node");
  return {
    request: httpRequest({
      host,
      port,
      path,
      createConnection: () => socket,
      headers: { ...headers, ...proof },
    }),
    socket,
    isProven: (answer) => isProof(answer.headers[PROOF_HEADER], expected),
  };
}

interface RequestWords {
  readonly secret: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const UNPROVEN = "it does not know the secret of this fleet";

/** Sends a request to the listener of a node. Never rejects. */
export async function requestNode(
  place: ServicePlace,
  { secret, clock, term }: NodeRequest,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const headers = { connection: "Upgrade", upgrade: UPGRADE, [TERM_HEADER]: String(term) };
  const limits = { ms: NODE_LIMITS.connectMs, signal, timeoutError: () => new Error("no answer in time") };
  try {
    return await withDeadline(clock, limits, async (both) => {
      const proven = await provenRequest(place, { secret, ...(term === undefined ? {} : { headers }) }, both);
      return await answerTo(proven, both);
    });
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : reasonOf(error);
    return { kind: "failed", why };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function answerTo({ request, isProven }: ProvenRequest, signal: AbortSignal): Promise<NodeAnswer> {
  return new Promise((resolve, reject) => {
    const unfollow = onAbort(signal, () => void request.destroy());
    request.on("close", unfollow);
    request.on("upgrade", (answer, socket, head) => {
      unfollow();
      if (!isProven(answer)) {
        socket.destroy();
        return resolve({ kind: "failed", why: UNPROVEN });
      }
      if (head.length > 0) socket.unshift(head);
      (socket as TLSSocket).setNoDelay(true);
      resolve({ kind: "connected", socket });
    });
    request.on("response", (answer) => {
      const { statusCode: status = 0 } = answer;
      request.destroy();
      resolve(
        status === 200 && !isProven(answer)
          ? { kind: "failed", why: UNPROVEN }
          : { kind: "answered", status },
      );
    });
    request.on("error", reject);
    request.on("close", () => resolve({ kind: "failed", why: "no answer in time" }));
    request.end();
  });
}
