import type { Duplex } from "node:stream";
import { z } from "zod";
import { ERRORS, type ErrorCode, RecorderdError } from "../../model/errors.ts";
import { NODE_LIMITS } from "./limits.ts";
import type { TunerOffer } from "./offer.ts";

/** Incremented when nodes with different numbers can no longer work together. */
export const NODE_PROTOCOL = 1;
/** The protocol in the header `Upgrade`, and the header with the term of the leader. */
export const UPGRADE = "recorderd-node";
export const TERM_HEADER = "recorderd-term";
/** The status of an answer to the leader of an earlier term. */
export const LATER_TERM = 409;

const Id = z.int().min(0).max(0xffff);
const Service = z.object({ onid: Id, tsid: Id, sid: Id });
const Count = z.int().min(0);
/** It becomes a file name, so it must not be a path. */
export const CaptureId = z.string().regex(/^[\w-][\w.-]{0,199}$/);
const TunerId = z.string().max(200);
const request = Count;

/** A recording that a node begins and ends by itself while no leader is there. Instants are UTC milliseconds. */
export const PartRecording = z.object({
  /** The one in the ids of its captures. */
  recordingId: CaptureId,
  timerId: z.string().max(1000),
  service: Service,
  serviceName: z.string().max(1000),
  /** The tuner by the name that the node itself has for it, and by that of the plan. */
  tunerId: TunerId,
  plannedTunerId: TunerId,
  /** The number of the next attempt. */
  attempt: Count.min(1),
  start: z.int(),
  stop: z.int(),
  /** A capture that nobody ends stops then. */
  endsBy: z.int(),
});
export type PartRecording = z.infer<typeof PartRecording>;

/** An order of a leader. A session is a tuner that was opened over this connection, by a number of the leader's choice. */
export const NodeOrder = z.discriminatedUnion("type", [
  z.object({ type: z.literal("open"), request, session: Count, tunerId: TunerId, service: Service }),
  z.object({ type: z.literal("close"), session: Count }),
  /** Asks why the session's source gives nothing. */
  z.object({ type: z.literal("explain"), request, session: Count }),
  z.object({ type: z.literal("reception"), request, tunerId: TunerId, service: Service }),
  z.object({
    type: z.literal("start"),
    request,
    session: Count,
    id: CaptureId,
    service: Service,
    serviceName: z.string().max(1000).optional(),
    endsInMs: z.number().min(0),
  }),
  /** Answered when the capture is gone. */
  z.object({ type: z.literal("stop"), request, id: CaptureId, hangs: z.boolean() }),
  /** The leader has all of a segment, or of a finished recording: it need not stay on the node. By the path of requests for it. */
  z.object({ type: z.literal("drop"), request, path: z.string().max(NODE_LIMITS.pathLength) }),
  /** A start will follow soon. */
  z.object({ type: z.literal("alert") }),
  /** A sign of life of the leader, each second, to a node that keeps its part of the plan. */
  z.object({ type: z.literal("lead") }),
  /** The node's part of the plan. */
  z.object({ type: z.literal("part"), recordings: z.array(PartRecording).max(NODE_LIMITS.part) }),
]);
export type NodeOrder = z.infer<typeof NodeOrder>;

const NodeFailure = z.object({
  code: z.string(),
  message: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type NodeFailure = z.infer<typeof NodeFailure>;

/** A tuner as its node offers it; facts that only a later version knows stay. */
const Offer: z.ZodType<TunerOffer> = z.custom<TunerOffer>(
  (value) =>
    z
      .object({
        ...{ id: TunerId, kind: z.string(), share: z.string().optional(), warmUpMs: z.number() },
        services: z.union([z.literal("any"), z.array(z.string())]),
        ...{ atOnce: z.record(z.string(), z.number()), atOnceElse: z.number().optional() },
        offers: z.array(z.object({ triplet: Service, name: z.string() })).optional(),
        unknown: z.array(Service).optional(),
      })
      .safeParse(value).success,
);

/** Attempts whose segments are on a node, and the texts of the notes beside them. */
const HeldByNode = z.object({
  attempts: z.array(CaptureId).readonly(),
  notes: z.record(CaptureId, z.string()),
});
export type HeldByNode = z.infer<typeof HeldByNode>;

/** A message of a node to its leader. */
export const FromNode = z.discriminatedUnion("type", [
  /** The first message. */
  z.object({
    type: z.literal("hello"),
    protocol: z.int(),
    tuners: z.array(Offer).readonly(),
    /** Ids of its captures. */
    running: z.array(CaptureId).readonly(),
    /** It understands the order `part`. */
    keepsPart: z.boolean().exactOptional(),
    /** Absent: the nodes share a folder. */
    held: HeldByNode.exactOptional(),
  }),
  z.object({ type: z.literal("tuners"), tuners: z.array(Offer).readonly() }),
  z.object({ type: z.literal("alive") }),
  z.object({ type: z.literal("ended"), id: CaptureId }),
  z.object({ type: z.literal("done"), request: Count, result: z.unknown().optional() }),
  z.object({ type: z.literal("failed"), request: Count, failure: NodeFailure }),
]);
export type FromNode =
  | { readonly type: "done"; readonly request: number; readonly result?: unknown }
  | Exclude<z.infer<typeof FromNode>, { readonly type: "done" }>;

export function sendLine(socket: Duplex, message: NodeOrder | FromNode): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/** A failure as another node reports it. */
export function errorOf({ code, message, facts }: NodeFailure): RecorderdError {
  const known = Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : "CAPTURE_NOT_STARTED";
  return new RecorderdError(known, message, facts);
}
