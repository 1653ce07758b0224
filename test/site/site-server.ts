import {
  createWebServer,
  type WebAnswer,
  type WebRequest,
  type WebRoute,
} from "../../src/kit/http/web-server.ts";
import type { Clock } from "../../src/kit/time/clock.ts";
import {
  BATCH_ARGUMENTS,
  type GivenValues,
  readArguments,
  refusal,
  type SiteReply,
} from "./site-arguments.ts";
import { indexOf, routesOf, type SiteContent, type SiteRoute } from "./site-routes.ts";

export interface SiteServerOptions extends Omit<SiteContent, "url"> {
  readonly clock: Clock;
  /** The only user, with all rights. */
  readonly user: string;
  readonly applicationPassword: string;
}

/** A content site on loopback. Its content may be replaced at any time. */
export interface SiteServer extends AsyncDisposable {
  readonly content: SiteContent;
  /** The latest requests, for example `GET /wp-json/wp/v2/posts?page=1`. */
  readonly requests: readonly string[];
}

const BODY_BYTES_MAX = 2 * 1024 * 1024;
const REQUESTS_KEPT = 2000;
const ROOT = "/wp-json";

/** Starts a small content site on a port of loopback that the system chooses. */
export async function startSiteServer({
  clock,
  user,
  applicationPassword,
  ...content
}: SiteServerOptions): Promise<SiteServer> {
  const requests: string[] = [];
  const login = `${user}:${applicationPassword.replaceAll(" ", "")}`;
  const state = { ...content, url: "" };
  const handle = async (request: WebRequest): Promise<WebAnswer> => {
    requests.push(`${request.method} ${request.path}${request.query.size > 0 ? `?${request.query}` : ""}`);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    return webAnswer(answerTo(request, state, login));
  };
  const methods = ["GET", "POST", "PUT", "DELETE"] as const;
  const server = createWebServer({
    routes: [ROOT, `${ROOT}/*`].flatMap((path) =>
      methods.map((method): WebRoute => ({ method, path, handle })),
    ),
    bodyBytesMax: BODY_BYTES_MAX,
    clock,
    refuse: () => webAnswer(noRoute()),
  });
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
  state.url = `http://127.0.0.1:${port}`;
  return { content: state, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function webAnswer({ status, headers = {}, body }: SiteReply): WebAnswer {
  const type = { "content-type": "application/json; charset=UTF-8" };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}

function answerTo(request: WebRequest, content: SiteContent, login: string): SiteReply {
  const { method, headers, query } = request;
  const path = request.path.slice(ROOT.length);
  const signedIn = isSignedIn(headers.authorization, login);
  if (signedIn === undefined) return refusal(401, "incorrect_password", "The password is not correct.");
  const body = request.body.length === 0 ? {} : parsedObject(request.body);
  if (body === undefined) return refusal(400, "rest_invalid_json", "Invalid JSON body passed.");
  // The real program finds it with and without a slash at the end.
  if (method === "GET" && (path === "/" || path === "")) return indexOf(content);
  if (method === "POST" && path === "/batch/v1") return batch(content, { signedIn, body });
  const call = matched(content, { method, path, given: { ...Object.fromEntries(query), ...body } });
  return "status" in call ? call : call.run(signedIn);
}

/** `undefined` for wrong credentials, which are refused even if none are needed. */
function isSignedIn(authorization: string | undefined, login: string): boolean | undefined {
  if (authorization === undefined) return false;
  const [, encoded = ""] = /^Basic (\S+)$/.exec(authorization) ?? [];
  const [user, ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return `${user}:${password.join(":").replaceAll(" ", "")}` === login ? true : undefined;
}

interface SiteRequest {
  readonly method: string;
  /** Below the root of the interface. */
  readonly path: string;
  readonly given: GivenValues;
}

interface Valid {
  readonly route: SiteRoute;
  readonly run: (signedIn: boolean) => SiteReply;
}

/** A valid request with its route, or the refusal. */
function matched(content: SiteContent, { method, path, given }: SiteRequest): Valid | SiteReply {
  const [, kept, digits] = /^(.*?)(?:\/(\d+))?$/.exec(path) ?? [];
  const wanted = digits === undefined ? path : `${kept}/(?P<id>[\\d]+)`;
  const route = routesOf(content).find((each) => each.method === method && each.path === wanted);
  if (route === undefined) return noRoute();
  const read = readArguments(route.parameters, given);
  if ("refused" in read) return read.refused;
  const { collection = "" } = route;
  const call = { content, values: read.values, collection, id: Number(digits) };
  return { route, run: (signedIn) => route.run({ ...call, signedIn }) };
}

/** All requests are validated before the first is carried out. */
function batch(
  content: SiteContent,
  { signedIn, body }: { readonly signedIn: boolean; readonly body: GivenValues },
): SiteReply {
  const read = readArguments(BATCH_ARGUMENTS, body);
  if ("refused" in read) return read.refused;
  const calls = (read.values["requests"] as readonly GivenValues[]).map((request) =>
    batched(content, request),
  );
  const refused = calls.map((call) => ("status" in call ? enveloped(call) : null));
  if (read.values["validation"] === "require-all-validate" && refused.some((each) => each !== null)) {
    return { status: 207, body: { failed: "validation", responses: refused } };
  }
  const responses = calls.map((call) => enveloped("status" in call ? call : call.run(signedIn)));
  return { status: 207, body: { responses } };
}

function batched(content: SiteContent, { method = "POST", path, body = {} }: GivenValues): Valid | SiteReply {
  if (!["POST", "PUT", "PATCH", "DELETE"].includes(String(method)) || typeof path !== "string") {
    return refusal(400, "rest_invalid_param", "Invalid parameter(s): requests");
  }
  const url = new URL(path, "http://site.invalid");
  const given = { ...Object.fromEntries(url.searchParams), ...(body as GivenValues) };
  const call = matched(content, { method: String(method), path: url.pathname, given });
  if ("status" in call || call.route.batch === true) return call;
  return refusal(400, "rest_batch_not_allowed", "The requested route does not support batch requests.");
}

function enveloped({ status, headers = {}, body }: SiteReply) {
  return { body, status, headers };
}

function noRoute(): SiteReply {
  return refusal(404, "rest_no_route", "No route was found matching the URL and request method.");
}

function parsedObject(body: Buffer): GivenValues | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as GivenValues) : undefined;
  } catch {
    return undefined;
  }
}
