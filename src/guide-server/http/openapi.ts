import { z } from "zod";
import { DOCUMENTS, type DocumentKind } from "../../guide-wire/documents.ts";
import type { RouteFacts } from "./route.ts";

type Json = { readonly [key: string]: unknown };

/**
 * Describes the API as an OpenAPI 3.1 document, built from the routes and from their schemas.
 *
 * @param serverUrl the address for clients; without it, the document's own origin
 */
export function openApiDocument(routes: readonly RouteFacts[], serverUrl: string | undefined): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Television guide and recorder service",
      version: "1",
      description:
        "Every path may end in .json or .xml. The extension sets the format of an answer; otherwise Accept, then the " +
        "request's Content-Type, then JSON. XML is in UTF-8, or in ISO-8859-1 if the parameter encoding or " +
        "Accept-Charset requests it. Schemas show the JSON form; in XML the same fields are attributes and child elements. " +
        "Query parameters that are not listed are ignored.",
    },
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    security: [{ apiKey: [] }],
    paths,
    components: { schemas: schemas(), securitySchemes: SECURITY },
  };
}

const SECURITY: Json = {
  apiKey: {
    type: "apiKey",
    in: "query",
    name: "api_key",
    description: "Any value, unless the server has a configured one: then it refuses others with 403.",
  },
  email: { type: "apiKey", in: "query", name: "email_address" },
  token: { type: "apiKey", in: "query", name: "token", description: "The token from login." },
};

const TOO_MANY =
  "Too many requests of this session, or without one from this address; Retry-After says when to ask again.";

const UNCHANGED = "The list is the one with this ETag; no body.";
const IF_NONE_MATCH: Json = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the client's list.",
  schema: { type: "string" },
};

function operationOf({ path, summary, account, query = {}, success, statuses, ...route }: RouteFacts): Json {
  const common = {
    403: "The server has an api_key, and the request has a different one or none.",
    429: TOO_MANY,
    ...(route.body === undefined ? {} : { 413: "The body is larger than 1 MiB." }),
  };
  const refused = Object.entries({ ...common, ...statuses }).map(([status, condition]) => [
    status,
    { description: condition, content: contentOf("error") },
  ]);
  const done =
    route.events !== undefined
      ? { description: route.events, content: { "text/event-stream": { schema: { type: "string" } } } }
      : route.answer === undefined
        ? { description: "Done; no body." }
        : { description: summary, content: contentOf(route.answer) };
  return {
    summary,
    operationId: operationIdOf(route.method, path),
    ...(account === "none" ? {} : { security: [{ apiKey: [], email: [], token: [] }] }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...(route.isConditional === true ? [IF_NONE_MATCH] : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: contentOf(route.body) } }),
    responses: {
      [success]: done,
      ...(route.isConditional === true ? { 304: { description: UNCHANGED } } : {}),
      ...Object.fromEntries(refused),
    },
  };
}

/** `GET /regions/{region_id}/channels` → `get_regions_region_id_channels` */
function operationIdOf(method: string, path: string): string {
  return [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join("_");
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: Readonly<Record<string, string>>): readonly Json[] {
  const all = { application_version: "Time zone of the client.", encoding: "UTF-8 or ISO-8859-1.", ...query };
  return Object.entries(all).map(([name, description]) => ({
    name,
    in: "query",
    description,
    schema: { type: "string" },
  }));
}

function contentOf(kind: DocumentKind): Json {
  const schema = { $ref: `#/components/schemas/${kind}` };
  return { "application/json": { schema }, "application/xml": { schema } };
}

function schemas(): Json {
  const kinds = Object.entries(DOCUMENTS);
  return Object.fromEntries(
    kinds.map(([kind, schema]) => {
      const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: "input" });
      return [kind, described];
    }),
  );
}
