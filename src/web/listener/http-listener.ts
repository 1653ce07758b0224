import { Readable } from "node:stream";
import { trustedProxies } from "../../kit/http/client-address.ts";
import { SignInLimiter } from "../../kit/http/sign-in-limiter.ts";
import { readTlsFiles, type TlsFiles } from "../../kit/http/tls-files.ts";
import { createWebServer, type WebAnswer, type WebRoute, type WebServer } from "../../kit/http/web-server.ts";
import type { Log } from "../../kit/log.ts";
import { isLocal } from "../../kit/net/loopback.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { Compression } from "../compress.ts";
import { refusal } from "../json.ts";
import { WEB_LIMITS } from "../limits.ts";
import { type ApiRoute, answerOrRefuse } from "../route.ts";
import { createGuard, type Guard } from "./guard.ts";
import { addressOf, type OneTimeLinks, withLink } from "./one-time-links.ts";
import type { SignInParts } from "./session-routes.ts";
import { SessionsInMemory } from "./sessions.ts";
import { staticFiles } from "./static.ts";
import { SecretsUserDirectory, type WebSecrets } from "./user-directory.ts";
import { Visitors } from "./visitors.ts";

/** The configuration's section for the listener. */
export interface ListenerConfig {
  readonly host: string;
  readonly port: number;
  readonly names: readonly string[];
  readonly signIn: "where-needed" | "always";
  readonly tls?: TlsFiles | undefined;
  /** Addresses and networks of proxies that name their clients in X-Forwarded-For. */
  readonly trustedProxies: readonly string[];
  readonly proxy?: { readonly address: string; readonly userHeader: string } | undefined;
}

interface ListenerParts {
  readonly routes: (signInParts: SignInParts) => readonly ApiRoute[];
  /** The current users and tokens. */
  readonly secrets: () => WebSecrets;
  /** One-time links for the owner of the machine. */
  readonly links: OneTimeLinks;
  /** The folder of the built dashboard. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves the API and the dashboard over HTTP. A port in use does not prevent recording: listening is retried. */
export interface HttpListener extends AsyncDisposable {
  readonly name: "web";
  /** Absent while it does not listen. */
  readonly port: number | undefined;
  /** The address of a new one-time link; absent while it does not listen. */
  link(): string | undefined;
  /** Listens, with retries, until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws RecorderdError FILE_UNREADABLE if a TLS file cannot be read */
export async function openHttpListener(config: ListenerConfig, parts: ListenerParts): Promise<HttpListener> {
  const { clock, log } = parts;
  const tls = config.tls === undefined ? undefined : await readTlsFiles(config.tls);
  const users = new SecretsUserDirectory(parts.secrets, clock);
  const visitors = new Visitors(users, {
    sessions: new SessionsInMemory((user) => users.hashOf(user)),
    clock,
    links: parts.links,
  });
  const isBehindProxy = config.proxy !== undefined || config.trustedProxies.length > 0;
  const trustsLocal = config.signIn === "where-needed" && !isBehindProxy && isLocal(config.host);
  const guesses = new SignInLimiter();
  const guard = createGuard({
    trustsLocal,
    names: config.names,
    proxy: config.proxy,
    visitors,
    guesses: () => guesses,
    clock,
  });
  const signInParts = { guard, visitors };
  const files = staticFiles(parts.folder);
  const routes = guardRoutes(parts.routes(signInParts), guard);
  let server: WebServer | undefined;
  let port: number | undefined;
  let isTold = false;

  async function listen(): Promise<void> {
    const made = createWebServer({
      routes,
      refuse: (request, why) => {
        if (why.kind === "failed")
          log.error("a request failed", { path: request.path, text: String(why.error) });
        return withSecurityHeaders((why.kind === "no-route" ? files(request) : undefined) ?? refusal(why));
      },
      bodyBytesMax: WEB_LIMITS.bodyBytes,
      pauseMs: WEB_LIMITS.pauseMs,
      ...(tls === undefined ? {} : { tls }),
      isTrustedProxy: trustedProxies(config.trustedProxies),
      clock,
    });
    try {
      ({ port } = await made.listen({ host: config.host, port: config.port }));
      server = made;
      isTold = false;
      log.info("the dashboard and the API are available", {
        host: config.host,
        port,
        tls: tls !== undefined,
      });
    } catch (error) {
      await made[Symbol.asyncDispose]();
      if (!(error instanceof RecorderdError)) throw error;
      if (!isTold)
        log.error("the dashboard is not available; retrying", { code: error.code, text: error.message });
      isTold = true;
    }
  }

  if (!trustsLocal && !visitors.canSignIn && config.proxy === undefined) {
    log.info(
      "no user has a password: recorderd web open prints a link, recorderd web password sets a password",
    );
  }
  if (tls === undefined && !isLocal(config.host)) {
    log.warn("passwords cross the network unencrypted: set web.tls, or use a proxy with TLS");
  }
  await listen();
  return {
    name: "web",
    get port() {
      return port;
    },
    link: () =>
      port === undefined
        ? undefined
        : withLink(addressOf({ host: config.host, port, isTls: tls !== undefined }), parts.links.make()),
    run: async (signal) => {
      while (!signal.aborted) {
        await clock.sleep(WEB_LIMITS.retryMs, signal).catch(() => {});
        if (server === undefined && !signal.aborted) await listen();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await server?.[Symbol.asyncDispose]();
    },
  };
}

/** Makes each route check with the guard first, and compresses its answers. */
export function guardRoutes(routes: readonly ApiRoute[], guard: Guard): readonly WebRoute[] {
  const compression = new Compression();
  return routes.map((route) => ({
    method: route.method,
    path: route.path,
    ...(route.open === true ? { bodyBytesMax: WEB_LIMITS.openBodyBytes } : {}),
    ...(route.long === true ? { longFor: guard.payer } : {}),
    admit: async (request) => {
      const refusal = await answerOrRefuse(() => guard.admit(request, route));
      return refusal === undefined ? undefined : withSecurityHeaders(refusal);
    },
    handle: async (request) => {
      const answer = await route.handle(request);
      if (route.open !== true && answer.body instanceof Readable) guard.follow(request, answer.body);
      return withSecurityHeaders(await compression.answer(request, answer));
    },
  }));
}

export function withSecurityHeaders(answer: WebAnswer): WebAnswer {
  return {
    ...answer,
    headers: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      ...answer.headers,
    },
  };
}
