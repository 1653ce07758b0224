import { lockFolder } from "../kit/files/lock.ts";
import { makeNamedFolder } from "../kit/files/make-folder.ts";
import { finishStaging } from "../kit/files/staged-files.ts";
import type { TrustedProxy } from "../kit/http/client-address.ts";
import { createWebServer, type WebRoute, type WebServer } from "../kit/http/web-server.ts";
import type { Log } from "../kit/log.ts";
import { isLoopback } from "../kit/net/loopback.ts";
import type { DatabaseAddress } from "../kit/postgres/address.ts";
import type { Clock } from "../kit/time/clock.ts";
import { WakeSignal } from "../kit/time/wake-signal.ts";
import type { RecorderdError } from "../model/errors.ts";
import { Compression } from "../web/compress.ts";
import { createGuideServerAdmin, type GuideServerAdmin } from "./admin.ts";
import { type GuideStore, openGuideStore } from "./data/store.ts";
import { SignIn } from "./domain/login.ts";
import { FirstAccount } from "./first-account.ts";
import {
  type AnswerOptions,
  BROKEN,
  CLOSING,
  LOADING,
  refusalAnswer,
  type Service,
  transportRefusal,
  webRoute,
} from "./http/answer.ts";
import { type MetricsOptions, metricsRoute } from "./http/metrics-route.ts";
import { openApiDocument } from "./http/openapi.ts";
import { RequestLimits } from "./http/request-limits.ts";
import type { GuideRoute } from "./http/route.ts";
import { GUIDE_ROUTES } from "./http/routes.ts";
import { SERVER_LIMITS } from "./limits.ts";
import { ListChanges } from "./list-changes.ts";
import { type MisbehaveOptions, misbehaving } from "./misbehave.ts";
import { guidePages, type PagesOptions } from "./pages/pages.ts";

export interface GuideServerOptions {
  /** Created if missing. One server at a time may use it. With a database it has only what this process needs. */
  readonly dataFolder: string;
  /** A PostgreSQL database that several servers share; absent: the data is in the folder. */
  readonly database?: DatabaseOptions;
  /** Set for a single task that then closes the server: other servers and commands wait for its end. */
  readonly isBrief?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Without a key, any api_key is accepted. */
  readonly apiKey?: string;
  /**
   * The address for clients if it differs from the listening one, for example behind a TLS proxy. With or without a
   * slash at its end.
   */
  readonly publicUrl?: string;
  /** Proxies that name their clients in X-Forwarded-For; absent: the address of a proxy counts as its clients' own. */
  readonly isTrustedProxy?: TrustedProxy;
  /** Whether POST login with an unknown e-mail address creates an account; by default no. */
  readonly allowSignUp?: boolean;
  /** The N of scrypt for new password hashes; absent: that of `hashPassword`. */
  readonly passwordCost?: number;
  /** Served at /metrics; absent: requests are not counted. */
  readonly metrics?: MetricsOptions;
  /** Pages for browsers; absent: none. */
  readonly pages?: Pick<PagesOptions, "folder" | "silentAfterMs">;
  /** Checked before old records are removed; absent: the clock is trusted. */
  readonly isClockTrusted?: () => Promise<boolean>;
  /** Deliberate faults, so that people and tests can watch a recorder survive them. */
  readonly misbehave?: MisbehaveOptions;
}

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  /** Absent: that of PGPASSFILE. */
  readonly password?: string;
}

export interface ListenAddress {
  readonly host: string;
  /** 0: the system chooses. */
  readonly port: number;
}

/**
 * A guide service on its own data. Closing lets current requests end and refuses new ones with 503; closing twice is
 * harmless.
 */
export interface GuideServer extends AsyncDisposable, GuideServerAdmin {
  /** @throws RecorderdError ADDRESS_IN_USE */
  listen(address: ListenAddress): Promise<{ readonly baseUrl: string }>;
}

/**
 * Loads the data and is ready to listen.
 *
 * @throws RecorderdError STORE_LOCKED, STORE_DAMAGED naming file and line, FILE_UNREADABLE, DISK_FULL or
 * WRITE_FAILED
 */
export async function openGuideServer(options: GuideServerOptions): Promise<GuideServer> {
  const server = new GuideService(options);
  try {
    const inside = await server.load();
    server.open();
    return {
      ...inside,
      listen: async (address) => {
        const bound = await server.listen(address);
        await server.offerFirstAccount();
        return bound;
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** The lifecycle of a guide server, for callers that listen before the data is loaded: it answers 503 until `open`. */
export class GuideService implements AsyncDisposable {
  readonly #options: GuideServerOptions;
  readonly #web: WebServer;
  readonly #mappingsChanged = new WakeSignal();
  readonly #first: FirstAccount;
  #baseUrl: string | undefined;
  #service: Service = LOADING;
  #loaded: { readonly store: GuideStore; readonly signIn: SignIn; readonly changes: ListChanges } | undefined;
  #lock: AsyncDisposable | undefined;

  constructor(options: GuideServerOptions) {
    this.#options = options;
    const { apiKey, clock, log, isTrustedProxy, metrics } = options;
    this.#first = new FirstAccount(options.dataFolder, clock);
    const publicUrl = options.publicUrl?.replace(/\/+$/, "");
    const answering: AnswerOptions = {
      service: () => this.#service,
      onStoreFailure: (error) => this.#break(error),
      apiKey,
      publicUrl,
      clock,
      limits: new RequestLimits(),
    };
    const compression = new Compression();
    const packed = (route: GuideRoute, web: WebRoute) =>
      // Only the answer to a login contains a secret.
      route.answer === "login" ? web : compression.route(web);
    const spoil = misbehaving(options.misbehave ?? { kinds: [], seed: 0 }, clock);
    const pages =
      options.pages === undefined
        ? undefined
        : guidePages({
            ...answering,
            ...options.pages,
            first: this.#first,
            onMapped: () => this.#mappingsChanged.signal(),
          });
    const routes = [
      ...GUIDE_ROUTES.map((route) => packed(route, spoil(route, webRoute(route, answering)))),
      openApi(publicUrl),
      ...(pages?.routes ?? []),
      ...(metrics === undefined ? [] : [metricsRoute(metrics, answering)]),
    ];
    this.#web = createWebServer({
      routes: metrics === undefined ? routes : routes.map((route) => metrics.requests.counted(route)),
      refuse: (request, refusal) => {
        const file = refusal.kind === "no-route" ? pages?.file(request) : undefined;
        const answer = file ?? refusalAnswer(request, transportRefusal(request, refusal, log));
        // The route has counted a failure of its own.
        if (refusal.kind !== "failed") metrics?.requests.unrouted(answer);
        return answer;
      },
      bodyBytesMax: SERVER_LIMITS.bodyBytes,
      extensions: ["json", "xml"],
      connectionsMax: SERVER_LIMITS.connections,
      isProxy: isLoopback,
      ...(isTrustedProxy === undefined ? {} : { isTrustedProxy }),
      clock,
    });
  }

  /** @throws RecorderdError ADDRESS_IN_USE */
  async listen({ host, port }: ListenAddress): Promise<{ readonly baseUrl: string }> {
    const bound = await this.#web.listen({ host, port });
    const name = host.includes(":") ? `[${host}]` : host;
    this.#baseUrl = `http://${name}:${bound.port}`;
    return { baseUrl: this.#baseUrl };
  }

  /** Reads the data. @throws as openGuideServer */
  async load(): Promise<GuideServerAdmin> {
    const { dataFolder, isBrief = false, clock, log, allowSignUp = false, passwordCost } = this.#options;
    const { isClockTrusted = async () => true } = this.#options;
    await makeNamedFolder(dataFolder, 0o700);
    this.#lock = await lockFolder(dataFolder, { isBrief });
    const store = await this.#openStore();
    this.#loaded = {
      store,
      signIn: new SignIn({ store, clock, allowSignUp, passwordCost }),
      changes: new ListChanges(store, clock),
    };
    return createGuideServerAdmin({
      ...this.#loaded,
      mappingsChanged: this.#mappingsChanged,
      isClockTrusted,
      clock,
      log,
    });
  }

  async #openStore(): Promise<GuideStore> {
    const { dataFolder, database, clock, log } = this.#options;
    if (database !== undefined) {
      const { address, password } = database;
      // Loaded on first use: the driver takes memory that a single server does not need.
      const { openSharedStore } = await import("./data/postgres/shared-store.ts");
      return await openSharedStore({ address, password, folder: dataFolder, clock, log });
    }
    if (await finishStaging(dataFolder)) log.info("an interrupted restore was completed");
    return await openGuideStore(dataFolder, log);
  }

  /** Starts to carry out requests. */
  open(): void {
    if (this.#loaded !== undefined && this.#service !== CLOSING) {
      this.#service = { kind: "open", ...this.#loaded };
    }
  }

  /**
   * Writes the one-time link for the first account, if there is no account and the pages cannot create one
   * otherwise.
   *
   * @returns the file with the link; `undefined` if an account exists or no link is needed
   * @throws RecorderdError DISK_FULL or WRITE_FAILED
   */
  async offerFirstAccount(): Promise<string | undefined> {
    const { pages, publicUrl } = this.#options;
    const address = publicUrl ?? this.#baseUrl;
    const signIn = this.#loaded?.signIn;
    const isWanted = signIn?.awaitsFirst === true && !signIn.allowsSignUp && pages !== undefined;
    if (!isWanted || address === undefined) {
      // Removes the link of a server that was killed.
      await this.#first.withdraw();
      return undefined;
    }
    await this.#first.offer(address);
    return this.#first.file;
  }

  /** Reports the first failure only. */
  #break(error: RecorderdError): void {
    if (this.#service.kind !== "open") return;
    this.#service = BROKEN;
    this.#options.log.error("the data of the guide server could not be written", {
      code: error.code,
      text: error.message,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#service = CLOSING;
    // Streams never end by themselves.
    this.#loaded?.changes[Symbol.dispose]();
    await this.#web[Symbol.asyncDispose]();
    if (this.#loaded !== undefined) await this.#first.withdraw();
    await this.#loaded?.store[Symbol.asyncDispose]();
    await this.#lock?.[Symbol.asyncDispose]();
  }
}

function openApi(publicUrl: string | undefined): WebRoute {
  const body = JSON.stringify(openApiDocument(GUIDE_ROUTES, publicUrl));
  return {
    method: "GET",
    path: "/openapi",
    handle: async () => ({ status: 200, headers: { "Content-Type": "application/json" }, body }),
  };
}
