import { z } from "zod";
import { VERSION } from "../../kit/version.ts";
import type { ApiRoute } from "../../web/route.ts";
import { NAMED_SCHEMAS, Refused } from "../../web/schemas.ts";

type Json = Readonly<Record<string, unknown>>;

/** The route table as an OpenAPI 3.1 document, with the schemas that check requests and type answers. */
export function openApi(routes: readonly ApiRoute[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const each of routes) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    const operations = paths[path] ?? {};
    paths[path] = operations;
    operations[each.method.toLowerCase()] = operationOf(each);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "recorderd",
      version: VERSION,
      description:
        "The API of the recorder's dashboard and command line. Instants are UTC milliseconds since 1970-01-01. docs/dev/api.md describes access.",
    },
    paths,
    components: {
      schemas: schemas(),
      responses: {
        Refused: {
          description: "Why the request failed, as a sentence",
          content: { "application/json": { schema: schemaOf(Refused) } },
        },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        password: { type: "http", scheme: "basic" },
        session: { type: "apiKey", in: "cookie", name: "recorderd" },
      },
    },
    security: [{ token: [] }, { password: [] }, { session: [] }, {}],
  };
}

function operationOf({ summary, params, query, body, status, answer, open }: ApiRoute): Json {
  const refusals = [...(params || query || body ? [400] : []), ...(open ? [] : [401, 403]), 404, 409];
  return {
    summary,
    ...(open ? { security: [{}] } : {}),
    ...(params || query
      ? { parameters: [...parametersOf("path", params), ...parametersOf("query", query)] }
      : {}),
    ...(body
      ? { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } } }
      : {}),
    responses: {
      [status]: { description: "Done", ...contentOf(answer) },
      ...Object.fromEntries(refusals.map((code) => [code, { $ref: "#/components/responses/Refused" }])),
    },
  };
}

function contentOf(answer: ApiRoute["answer"]): Json {
  if (answer === undefined) return {};
  if (typeof answer === "string") return { content: { [answer]: {} } };
  return { content: { "application/json": { schema: schemaOf(answer) } } };
}

function parametersOf(place: "path" | "query", schema: z.ZodObject | undefined): readonly Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || !value.safeParse(undefined).success,
    schema: withoutStandard(z.toJSONSchema(value, { io: "input" })),
  }));
}

function schemaOf(schema: z.ZodType): Json {
  const name = NAMED_SCHEMAS.get(schema)?.id;
  return name === undefined
    ? withoutStandard(z.toJSONSchema(schema, { io: "input" }))
    : { $ref: refTo(name) };
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function schemas(): Json {
  const { schemas: made } = z.toJSONSchema(NAMED_SCHEMAS, { io: "input", uri: refTo });
  const sorted = Object.entries(made).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, schema]) => [name, withoutStandard(schema)]));
}

/** Drops `$schema` and `$id`: the document names the standard once. */
function withoutStandard(schema: Json): Json {
  const { $schema: _standard, $id: _id, ...rest } = schema;
  return rest;
}
