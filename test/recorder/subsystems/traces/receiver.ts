import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }
  | { boolValue: boolean };
type Pairs = readonly { readonly key: string; readonly value: Value }[];

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Pairs;
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: Pairs;
  }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Pairs };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The bodies in order of arrival, refused ones included. */
  readonly bodies: readonly string[];
  /** The spans of the requests that were accepted, in order. */
  readonly traces: readonly (readonly WireSpan[])[];
}

/** A receiver of OTLP over HTTP (JSON) as the protocol has it: refuses what a collector would not understand. */
export async function otlpReceiver(statusOf: (count: number) => number = () => 200): Promise<Receiver> {
  const bodies: string[] = [];
  const traces: (readonly WireSpan[])[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      bodies.push(body);
      const status = statusOf(bodies.length);
      const fits =
        request.method === "POST" &&
        request.url === "/v1/traces" &&
        request.headers["content-type"] === "application/json";
      const spans = fits ? spansOf(JSON.parse(body) as ExportRequest) : undefined;
      if (spans === undefined) return void response.writeHead(400).end();
      if (status === 200) traces.push(spans);
      response.writeHead(status, { "content-type": "application/json" }).end('{"partialSuccess":{}}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    traces,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns `undefined` where an id, an instant or a value is not as the encoding wants it */
function spansOf({ resourceSpans }: ExportRequest): readonly WireSpan[] | undefined {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  const isNamed = resourceSpans.every(
    ({ resource }) => factsOf(resource.attributes)["service.name"] !== undefined,
  );
  return isNamed && spans.every(isWellFormed) ? spans : undefined;
}

function isWellFormed(span: WireSpan): boolean {
  const { traceId, spanId, parentSpanId, startTimeUnixNano: start, endTimeUnixNano: end, attributes } = span;
  const instants = [start, end, ...span.events.map(({ timeUnixNano }) => timeUnixNano)];
  const values = [attributes, ...span.events.map((event) => event.attributes)].flat();
  return (
    /^[0-9a-f]{32}$/.test(traceId) &&
    [spanId, parentSpanId ?? spanId].every((id) => /^[0-9a-f]{16}$/.test(id)) &&
    instants.every((at) => /^\d{19}$/.test(at)) &&
    BigInt(start) <= BigInt(end) &&
    values.every(({ value }) => Object.keys(value).length === 1)
  );
}

export function factsOf(pairs: Pairs): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      "intValue" in value ? Number(value.intValue) : Object.values(value)[0],
    ]),
  );
}
