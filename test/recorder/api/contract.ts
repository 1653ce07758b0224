import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });

/** A running recorder, and the ids in it that requests need and the API document does not name. */
export interface Station {
  readonly base: string;
  /** A timer whose recording is completed, the recording, a timer to come and a show that is not booked. */
  readonly timer: string;
  readonly recording: string;
  readonly later: string;
  readonly show: number;
  /** A series of the guide without bookings; the account has no series recordings and no keywords. */
  readonly series: string;
  /** The account at the guide service. */
  readonly account: { readonly email: string; readonly password: string };
}

let ids: Station;
let document: OpenApi;

/** Exists at the control socket alone. */
const IMPORT = "post /v1/import/recordings";

/** Bodies that are good, by operation; an operation with a body and none here is a failure. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  "post /v1/what-if": () => ({ kind: "padding", minutes: 5 }),
  "post /v1/tuners/probe": () => ({ service: { onid: 0x1010, tsid: 0x0221, sid: 0x0221 } }),
  "put /v1/tuners/channels/{id}": () => ({ service: null }),
  "post /v1/recordings/{id}/flags": () => ({ protected: false }),
  "post /v1/timers": () => ({ showId: ids.show, beforeMinutes: 1 }),
  "put /v1/recordings/{id}/progress": () => ({ seconds: 3, durationSeconds: 17 }),
  "post /v1/push/browsers": () => ({
    endpoint: "https://192.168.1.1/push",
    keys: { p256dh: "AAAA", auth: "AAAA" },
    language: "en",
    timeZone: "UTC",
  }),
  "post /v1/push/browsers/remove": () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/none" }),
  "put /v1/timers/{id}": () => ({ afterMinutes: 2 }),
  "post /v1/timers/{id}/override": () => ({ priority: 60, padding: null }),
  "post /v1/series/recordings": () => ({ seriesId: ids.series, quality: "Prefer HD" }),
  "put /v1/series/recordings/{id}": () => ({ channelId: null, startMinutes: 1200 }),
  "post /v1/series/keywords": () => ({ keyword: "nothing of the kind", channelId: null }),
  "put /v1/series/keywords/{id}": () => ({ quality: "SD Only" }),
  "post /v1/series/favourites": () => ({ seriesId: ids.series }),
  "post /v1/rules": () => ({ name: "Nothing", words: "nothing of the kind", quality: "Prefer HD" }),
  "put /v1/rules/{id}": () => ({ name: "Nothing", words: "nothing at all", quality: "SD Only" }),
  "post /v1/rules/preview": () => ({ order: { name: "Some", words: "show", quality: "Prefer HD" } }),
  "post /v1/session": () => ({ user: "nobody", password: "wrong" }),
  "post /v1/guide/sign-in": () => ids.account,
  [IMPORT]: () => ({ recordings: [] }),
};

/** The status of each request that does not succeed here. */
const REFUSED: Readonly<Record<string, number>> = {
  "post /v1/session": 401,
  // At the control socket alone.
  "post /v1/links": 404,
  // No push service of a browser is in the household's network.
  "post /v1/push/browsers": 409,
  [IMPORT]: 404,
  // None of its timers is in conflict.
  "post /v1/timers/{id}/repeat": 404,
  // No sound track has this PID.
  "get /v1/recordings/{id}/hls/converted/audio-{pid}-{number}.ts": 404,
  "get /v1/live/{service}/hls/converted/audio-{pid}-{number}.ts": 404,
  // No channel has this id, or a logo.
  "get /v1/catchup/{channel}/{start}": 404,
  "get /v1/channels/{id}/logo": 404,
  // The recording has no subtitles.
  "get /v1/recordings/{id}/hls/subtitles-{pid}-{page}.m3u8": 404,
  "get /v1/live/{service}/hls/subtitles-{pid}-{page}.m3u8": 404,
  "get /v1/recordings/{id}/hls/subtitles-{pid}-{page}-{number}.vtt": 404,
  "get /v1/live/{service}/hls/subtitles-{pid}-{page}-{number}.vtt": 404,
  "get /v1/recordings/{id}/hls/bitmaps-{pid}-{page}-{number}.json": 404,
  "get /v1/live/{service}/hls/bitmaps-{pid}-{page}-{number}.json": 404,
};

/** Deletions come last: the other requests need the deleted things. */
function operations(): readonly {
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      path,
      method,
      operation,
    })),
  );
  return all.toSorted((a, b) => Number(a.method === "delete") - Number(b.method === "delete"));
}

function addressOf(path: string): string {
  const [timer, later] = [ids.timer, ids.later];
  // The guide server counts orders of all kinds.
  const order = path.startsWith("/v1/rules/") ? "3" : path.startsWith("/v1/series/keywords/") ? "2" : "1";
  if (/^\/v1\/(series|rules)\//.test(path)) return `${ids.base}${path.replace("{id}", order)}`;
  if (path.startsWith("/v1/tuners/channels/")) return `${ids.base}${path.replace("{id}", "1")}`;
  const isOpen = path === "/v1/timers/{id}" || path.endsWith("/override");
  const id = isOpen ? later : path.startsWith("/v1/timers/") ? timer : ids.recording;
  const named = path
    .replace("{channel}", "none")
    .replace("{start}", "0")
    .replace("{pid}-{page}", "288-888")
    .replace("{number}", "0")
    .replace("{segment}", "0.ts")
    .replace("{pid}", "8000")
    .replace("{number}", "0")
    .replace("{service}", "4112-545-545");
  return `${ids.base}${named.replace("{id}", encodeURIComponent(id))}`;
}

function problemsOf(schema: object, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const validate = ajv.compile(JSON.parse(text));
  return validate(value) ? undefined : validate.errors;
}

/** A schema without additional properties: a property that is sent and not described is a fault too. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

function successOf({ responses }: Operation): number {
  return Number(Object.keys(responses).find((status) => status.startsWith("2")));
}

/** Makes every request that the API document describes, deletions included. */
export function keepsItsContract(station: () => Promise<Station>): void {
  beforeAll(async () => {
    ids = await station();
    document = (await (await fetch(`${ids.base}/v1/openapi.json`)).json()) as OpenApi;
    ajv.addSchema(closed({ $id: "api", components: document.components }) as object);
  });

  describe("every operation of the OpenAPI document", () => {
    it("has an answer that matches its schema", async () => {
      for (const { name, path, method, operation } of operations()) {
        const body = operation.requestBody === undefined ? undefined : BODIES[name]?.();
        if (operation.requestBody !== undefined) expect(body, name).toBeDefined();
        const ending = new AbortController();
        const answer = await fetch(addressOf(path), {
          method: method.toUpperCase(),
          signal: ending.signal,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
        });
        const status = REFUSED[name] ?? successOf(operation);
        const type = answer.headers.get("content-type") ?? "";
        const [media = "", { schema = undefined } = {}] =
          Object.entries(operation.responses[status]?.content ?? {})[0] ?? [];
        if (answer.status === status && media !== "" && !media.includes("json")) {
          expect(type, name).toContain(media);
          ending.abort();
          continue;
        }
        const value = await answer.json();
        expect({ status: answer.status, value }, `${name} ${JSON.stringify(value)}`).toMatchObject({
          status,
        });
        if (schema !== undefined) expect(problemsOf(schema, value), name).toBeUndefined();
      }
    });

    it("refuses a malformed body with 400 and the position", async () => {
      const withBody = operations().filter(
        ({ name, operation }) => operation.requestBody !== undefined && name !== IMPORT,
      );
      for (const { name, path, method } of withBody) {
        const ask = async (body: string) => {
          const headers = { "content-type": "application/json" };
          const answer = await fetch(addressOf(path), { method: method.toUpperCase(), body, headers });
          return { status: answer.status, ...((await answer.json()) as object) };
        };
        expect(await ask("{"), name).toMatchObject({
          status: 400,
          code: "malformed",
          message: expect.stringMatching(/^body: /),
        });
        const unknown = JSON.stringify({ ...(BODIES[name]?.() as object), surplus: 1 });
        expect(await ask(unknown), name).toMatchObject({
          status: 400,
          message: expect.stringContaining("surplus"),
        });
      }
    });
  });
}
