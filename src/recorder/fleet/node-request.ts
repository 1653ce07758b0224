import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { hostOf } from "../../kit/net/host-of.ts";
import { type Clock, onAbort } from "../../kit/time/clock.ts";
import { NODE_LIMITS } from "./limits.ts";
import { TERM_HEADER, UPGRADE } from "./node-protocol.ts";

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

/** Sends a request to the listener of a node. Never rejects. */
export function requestNode(
  { address, certificate }: ServicePlace,
  { secret, clock, term }: NodeRequest,
  signal: AbortSignal,
): Promise<NodeAnswer> {
  const url = new URL(`https://${address}`);
  const orders = { connection: "Upgrade", upgrade: UPGRADE, [TERM_HEADER]: String(term) };
  return new Promise((resolve) => {
    const request = httpsRequest({
      ...{ host: hostOf(url), port: url.port, agent: false, minVersion: "TLSv1.3" },
      // This very certificate: its name says nothing.
      ...{ ca: certificate, checkServerIdentity: () => undefined },
      headers: { authorization: `Bearer ${secret}`, ...(term === undefined ? {} : orders) },
    });
    const over = (answer: NodeAnswer) => {
      callOff();
      unfollow();
      resolve(answer);
    };
    const end = () => request.destroy();
    const callOff = clock.after(NODE_LIMITS.connectMs, end);
    const unfollow = onAbort(signal, end);
    request.on("upgrade", (_answer, socket: Socket, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      socket.setNoDelay(true);
      over({ kind: "connected", socket });
    });
    request.on("response", ({ statusCode: status = 0 }) => {
      end();
      over({ kind: "answered", status });
    });
    request.on("error", (error) =>
      over({ kind: "failed", why: "code" in error ? String(error.code) : error.message }),
    );
    request.on("close", () => over({ kind: "failed", why: "no answer in time" }));
    request.end();
  });
}
