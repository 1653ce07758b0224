import type { Facts } from "../../../model/errors.ts";
import type { Span, Trace } from "./spans.ts";

/**
 * The request body for OTLP over HTTP, in JSON: ids in hexadecimal digits, 64-bit integers as strings.
 *
 * @see OpenTelemetry Protocol 1.x, "OTLP/HTTP", "JSON Protobuf Encoding"; opentelemetry/proto/trace/v1/trace.proto
 */
export function exportRequest(trace: Trace, resource: Facts): string {
  const { "service.version": version = "" } = resource;
  const spans = trace.spans.map((span) => spanOf(span, trace.id));
  const scope = { name: "recorderd", version };
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: pairs(resource) }, scopeSpans: [{ scope, spans }] }],
  });
}

const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;

function spanOf(span: Span, traceId: string) {
  const { id, parentId, name, isRequest, start, end, attributes, events, error } = span;
  return {
    traceId,
    spanId: id,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind: isRequest === true ? CLIENT : INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: pairs(inOurName(attributes)),
    events: events.map((event) => ({
      timeUnixNano: nanoseconds(event.at),
      name: event.name,
      attributes: pairs(inOurName(event.attributes)),
    })),
    status: error === undefined ? {} : { code: ERROR, message: error },
  };
}

function nanoseconds(at: number): string {
  return `${Math.round(at)}000000`;
}

function inOurName(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [`recorderd.${key}`, value]));
}

function pairs(facts: Facts) {
  return Object.entries(facts).map(([key, value]) => ({ key, value: typed(value) }));
}

function typed(value: Facts[string]) {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "string") return { stringValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
