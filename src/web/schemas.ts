import { z } from "zod";
import { ERRORS, type ErrorCode } from "../model/errors.ts";
import { JOB_KINDS } from "../model/job.ts";
import { USES } from "../model/lease.ts";
import { RECORDING_MOVES, type RecordingState } from "../model/recording.ts";

/**
 * Schemas with a name in the OpenAPI document. The routes' types are checked against the model's where they are
 * used.
 */
export const NAMED_SCHEMAS = z.registry<{ readonly id: string }>();

export function named<S extends z.ZodType>(id: string, schema: S): S {
  NAMED_SCHEMAS.add(schema, { id });
  return schema;
}

/** A read-only list. */
export function list<S extends z.ZodType>(schema: S) {
  return z.array(schema).readonly();
}

/** An instant: UTC milliseconds since 1970-01-01. */
export const At = z.number().describe("Instant: UTC milliseconds since 1970-01-01.");
export const Ms = z.number().describe("Milliseconds.");
export const Count = z.number();
const Id16 = z.int().min(0).max(0xffff);
export const Triplet = named("Triplet", z.object({ onid: Id16, tsid: Id16, sid: Id16 }));
export const Window = named("Window", z.object({ start: At, stop: At }));
export const Code = named("ErrorCode", z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]));
export const Use = z.enum(USES);
export const JobKind = z.enum(JOB_KINDS);
export const State = named(
  "RecordingState",
  z.enum(Object.keys(RECORDING_MOVES) as [RecordingState, ...RecordingState[]]),
);
export const Text = z.string();

/** Identifiers in requests: long enough for all of ours, short enough to be logged. */
export const Name = z.string().min(1).max(200);

/** A refusal with a message for people. */
export const Refused = named(
  "Refused",
  z.object({
    code: z
      .string()
      .describe(
        "One of ErrorCode, or of `no-route`, `method`, `too-large`, `malformed`, `failed`, `not-signed-in`, `not-allowed`, `too-many`.",
      ),
    message: Text,
    field: Text.exactOptional().describe("The faulty field of an order, if it is known."),
    why: Text.exactOptional().describe("The kind of mistake in an answer of setup, if it is known."),
  }),
);
