import { readFile } from "node:fs/promises";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { SignInLimiter } from "../../kit/http/sign-in-limiter.ts";
import { createWebServer, type WebAnswer, type WebRoute, type WebServer } from "../../kit/http/web-server.ts";
import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { LIMITS } from "../../model/limits.ts";
import { refusal } from "../json.ts";
import type { ApiRoute } from "../route.ts";
import { createGuard, type Guard } from "./guard.ts";
import { KnownBySecrets, type WebSecrets } from "./known.ts";
import { isLocal } from "./local.ts";
import { addressOf, type OneTimeLinks, withLink } from "./one-time-links.ts";
import type { Entrance } from "./session-routes.ts";
import { staticFiles } from "./static.ts";
import { Visitors } from "./visitors.ts";

/** As the configuration has it. */
export interface DoorConfig {
  readonly host: string;
  readonly port: number;
  readonly names: readonly string[];
  readonly signIn: "where-needed" | "always";
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly proxy?: { readonly address: string; readonly userHeader: string } | undefined;
}

interface DoorParts {
  readonly routes: (entrance: Entrance) => readonly ApiRoute[];
  /** Who may come in, as it is now. */
  readonly secrets: () => WebSecrets;
  /** By which the owner of the machine comes in. */
  readonly links: OneTimeLinks;
  /** Of the dashboard, as built. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The API and the dashboard for whom may have them. A port that is taken keeps nothing from being recorded: it is tried again. */
export interface HttpDoor extends AsyncDisposable {
  /** Absent while it does not listen. */
  readonly port: number | undefined;
  /** The address of a new one-time link; absent while it does not listen. */
  link(): string | undefined;
  /** Listens, sooner or later, until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws RecorderdError FILE_UNREADABLE where a file for TLS cannot be read */
export async function openHttpDoor(config: DoorConfig, parts: DoorParts): Promise<HttpDoor> {
  const { clock, log } = parts;
  const tls = config.tls === undefined ? undefined : await pemOf(config.tls);
  const visitors = new Visitors(new KnownBySecrets(parts.secrets, clock), { clock, links: parts.links });
  const trustsLocal = config.signIn === "where-needed" && config.proxy === undefined && isLocal(config.host);
  const guesses = new SignInLimiter();
  const guard = createGuard({
    trustsLocal,
    names: config.names,
    proxy: config.proxy,
    visitors,
    guesses: () => guesses,
    clock,
  });
  const entrance = { guard, visitors };
  const files = staticFiles(parts.folder);
  const routes = behindGuard(parts.routes(entrance), guard);
  let server: WebServer | undefined;
  let port: number | undefined;
  let isTold = false;

  async function listen(): Promise<void> {
    const made = createWebServer({
      routes,
      refuse: (request, why) => {
        if (why.kind === "failed")
          log.error("a request failed", { path: request.path, text: String(why.error) });
        return guarded((why.kind === "no-route" ? files(request) : undefined) ?? refusal(why));
      },
      bodyBytesMax: LIMITS.apiBodyBytes,
      pauseMs: LIMITS.webPauseMs,
      ...(tls === undefined ? {} : { tls }),
      clock,
    });
    try {
      ({ port } = await made.listen({ host: config.host, port: config.port }));
      server = made;
      isTold = false;
      log.info("the dashboard and the API are there", { host: config.host, port, tls: tls !== undefined });
    } catch (error) {
      await made[Symbol.asyncDispose]();
      if (!(error instanceof RecorderdError)) throw error;
      if (!isTold) log.error("no dashboard: trying again", { code: error.code, text: error.message });
      isTold = true;
    }
  }

  if (!trustsLocal && !visitors.canSignIn && config.proxy === undefined) {
    log.info("nobody has a password: recorderd web open prints a link, recorderd web password gives one");
  }
  if (tls === undefined && !isLocal(config.host)) {
    log.warn("passwords go over the network as they are: see web.tls, or use a proxy that speaks TLS");
  }
  await listen();
  return {
    get port() {
      return port;
    },
    link: () =>
      port === undefined
        ? undefined
        : withLink(addressOf({ host: config.host, port, isTls: tls !== undefined }), parts.links.make()),
    run: async (signal) => {
      while (!signal.aborted) {
        await clock.sleep(LIMITS.webRetryMs, signal).catch(() => {});
        if (server === undefined && !signal.aborted) await listen();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await server?.[Symbol.asyncDispose]();
    },
  };
}

/** Each asks the guard before it does anything. */
export function behindGuard(routes: readonly ApiRoute[], guard: Guard): readonly WebRoute[] {
  return routes.map((route) => ({
    method: route.method,
    path: route.path,
    ...(route.open === true ? { bodyBytesMax: LIMITS.openBodyBytes } : {}),
    admit: async (request) => {
      const refusal = await guard.admit(request, route);
      return refusal === undefined ? undefined : guarded(refusal);
    },
    handle: async (request) => guarded(await route.handle(request)),
  }));
}

/** As all that a browser is told. */
export function guarded(answer: WebAnswer): WebAnswer {
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

async function pemOf({
  certFile,
  keyFile,
}: {
  readonly certFile: string;
  readonly keyFile: string;
}): Promise<{ readonly cert: Buffer; readonly key: Buffer }> {
  return { cert: await pemFile(certFile), key: await pemFile(keyFile) };
}

async function pemFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadableFile(file, error);
  }
}
