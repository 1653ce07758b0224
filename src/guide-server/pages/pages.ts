import type { WebAnswer, WebRequest, WebRoute } from "../../kit/http/web-server.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { DurationMs } from "../../model/time.ts";
import { programmeRoutes } from "../../web/guide-routes.ts";
import { createGuard } from "../../web/listener/guard.ts";
import { guardRoutes, withSecurityHeaders } from "../../web/listener/http-listener.ts";
import { sessionRoutes } from "../../web/listener/session-routes.ts";
import { staticFiles } from "../../web/listener/static.ts";
import type { UserDirectory } from "../../web/listener/user-directory.ts";
import { Visitors } from "../../web/listener/visitors.ts";
import { type ApiRoute, refused } from "../../web/route.ts";
import { ruleRoutes } from "../../web/rule-routes.ts";
import { seriesRoutes } from "../../web/series-routes.ts";
import type { GuideStore } from "../data/store.ts";
import type { SignIn } from "../domain/login.ts";
import { userNamed } from "../domain/users.ts";
import { proofOf } from "../domain/visits.ts";
import type { FirstAccount } from "../first-account.ts";
import type { Service } from "../http/answer.ts";
import { accountRoutes } from "./account-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { deviceRoutes } from "./device-routes.ts";
import { households } from "./household.ts";
import { pageSessions } from "./page-sessions.ts";
import { programmeOf } from "./programme.ts";
import { ruleOrdersOf } from "./rule-orders.ts";
import { seriesOrdersOf } from "./series-orders.ts";
import { timerRoutes } from "./timer-routes.ts";
import { userRoutes } from "./user-routes.ts";

export interface PagesOptions {
  readonly service: () => Service;
  /** Called when data could not be written. */
  readonly onStoreFailure: (error: RecorderdError) => void;
  /** The folder of the built dashboard. */
  readonly folder: string;
  /** A device without contact for this long is shown as silent. */
  readonly silentAfterMs: DurationMs;
  /** Called after a person has mapped a listing's channel: listings must be read again. */
  readonly onMapped: () => void;
  /** The one-time link for the first account. */
  readonly first: FirstAccount;
  readonly clock: Clock;
}

/** Routes and files for browsers, on the same listener as the clients' API. */
export interface Pages {
  readonly routes: readonly WebRoute[];
  /** The same routes as data, for the documents. */
  readonly table: readonly ApiRoute[];
  /** Answers requests without a route; absent if none of the dashboard's files matches. */
  file(request: WebRequest): WebAnswer | undefined;
}

/** Pages for people with accounts: docs/dev/decisions/0029-guide-server-pages.md. */
export function guidePages(options: PagesOptions): Pages {
  const { clock } = options;
  const directory = userDirectory(options);
  const visitors = new Visitors(directory, {
    sessions: pageSessions(() => open(options).store, clock),
    clock,
    cookieName: "recorderd-guide",
  });
  const guard = createGuard({
    trustsLocal: false,
    names: [],
    visitors,
    guesses: () => open(options).signIn.guesses,
    clock,
  });
  const files = staticFiles(options.folder);
  const place = () => ({
    guideServer: {
      signUp: open(options).signIn.allowsSignUp,
      regions: [...open(options).store.catalogue.regions.values()].map(({ id, name }) => ({ id, name })),
    },
  });
  const of = households({ guard, store: () => open(options).store, clock });
  const routes: readonly ApiRoute[] = [
    ...sessionRoutes(() => ({ guard, visitors }), place),
    ...accountRoutes({ signIn: () => open(options).signIn, first: options.first }),
    ...deviceRoutes(of, options),
    ...userRoutes(of, () => open(options).signIn),
    ...channelRoutes(of, options),
    ...programmeRoutes(async (request) => programmeOf(await of(request))),
    ...timerRoutes(of),
    ...seriesRoutes(async (request) => seriesOrdersOf(await of(request))),
    ...ruleRoutes(async (request) => ruleOrdersOf(await of(request))),
  ];
  return {
    routes: guardRoutes(
      routes.map((route) => ({ ...route, handle: withStore(options, route) })),
      guard,
    ),
    table: routes,
    file: (request) => {
      const isPage = /^\/(pages(\/|$)|assets\/|icon\.svg$|$)/.test(request.path);
      const answer = isPage ? files(request) : undefined;
      return answer === undefined ? undefined : withSecurityHeaders(answer);
    },
  };
}

function withStore({ service, onStoreFailure }: PagesOptions, route: ApiRoute): ApiRoute["handle"] {
  return async (request) => {
    const current = service();
    if (current.kind !== "open") return refused(503, "unavailable", current.message, current.headers);
    try {
      return await route.handle(request);
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
      onStoreFailure(error);
      return refused(503, error.code, error.message);
    }
  };
}

function open({ service }: PagesOptions): { readonly store: GuideStore; readonly signIn: SignIn } {
  const current = service();
  if (current.kind === "open") return current;
  throw new RecorderdError("GUIDE_UNAVAILABLE", current.message);
}

/** The server's users with their passwords and tokens. */
function userDirectory(options: PagesOptions): UserDirectory {
  const { clock } = options;
  return {
    get canSignIn() {
      const current = options.service();
      return current.kind === "open" && current.store.directory.hasAccounts;
    },
    isRight: (name, password) => open(options).signIn.isRight(name, password),
    hashOf: async (name) => {
      const user = await userNamed(open(options).store, name);
      // A user with new rights must sign in again, as boxes must.
      return user === undefined ? undefined : proofOf(user);
    },
    nameOfToken: async (sha256) => {
      const { store } = open(options);
      const tables = await store.holding("tokens", sha256);
      const token = tables?.tokens.get(sha256);
      if (token === undefined || token.disposedAt !== undefined || token.expiresAt <= clock.now())
        return undefined;
      return tables?.users.get(token.userId)?.id;
    },
  };
}
