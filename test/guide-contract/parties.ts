import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuideService } from "../../src/guide-server/server.ts";
import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import type { WireFormat } from "../../src/guide-wire/codec.ts";
import type { Credentials } from "../../src/guide-wire/exchange.ts";
import { createHttpClient, type HttpAnswer, type HttpClient } from "../../src/kit/http/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { GUIDE, type Hosted, hosted } from "../guide-server/hosted.ts";
import { type Made, NOTHING, openSubject, type Subject } from "./subjects.ts";

export type Request = Parameters<HttpClient["request"]>[0];
/** A change to a request on its way: the test's source of mistakes that our client does not make. */
export type Tampering = (request: Request) => Request;

/** The servers of the contract, and our clients of them, all speaking one format. */
export interface Parties extends AsyncDisposable {
  readonly wire: WireFormat;
  readonly server: Hosted;
  /** The server's guide. */
  readonly subject: Subject;
  /** Books a show of one hour that begins in an hour; the timer's id. */
  book(): Promise<string>;
  /** Signed in; `tamper` changes its requests. */
  client(tamper?: Tampering): GuideClient;
  /** A client with this token, which may belong to no session. */
  clientAs(token: string): GuideClient;
  /** A client of a server with a region and nothing else, signed in. */
  readonly bare: GuideClient;
  /** A client of a server without data. */
  readonly empty: GuideClient;
  /** A client of a server that still loads. */
  readonly loading: GuideClient;
  /** A client of another server like the first, for requests that would spoil the first. */
  clientOf(other: Hosted): GuideClient;
  /** The last request as it left, and the answer as it came. */
  last(): { readonly request: Request; readonly answer: HttpAnswer } | undefined;
}

export async function openParties(wire: WireFormat, made: Made): Promise<Parties> {
  const http = createHttpClient();
  const subject = await openSubject(made);
  const { server } = subject;
  const bare = await hosted({ guide: { ...NOTHING, regions: GUIDE.regions, types: GUIDE.types } });
  const [empty, loading] = [await ownService("open"), await ownService("loading")];
  let last: ReturnType<Parties["last"]>;
  const clientAt = (baseUrl: string, credentials: Credentials, tamper: Tampering = (request) => request) =>
    createGuideClient({
      baseUrl,
      apiKey: "k3y of the contract suite",
      applicationVersion: "recorderd/contract",
      wire,
      clock: systemClock(),
      credentials: () => credentials,
      http: {
        ...http,
        request: async (honest, signal) => {
          const request = tamper(honest);
          const outcome = await http.request(request, signal);
          last = outcome.kind === "answer" ? { request, answer: outcome } : undefined;
          return outcome;
        },
      },
    });
  return {
    wire,
    server,
    subject,
    book: () => server.book(subject.channels[0].id),
    client: (tamper) => clientAt(server.baseUrl, server, tamper),
    clientAs: (token) => clientAt(server.baseUrl, { email: server.email, token }),
    bare: clientAt(bare.baseUrl, bare),
    empty: clientAt(empty.baseUrl, server),
    loading: clientAt(loading.baseUrl, server),
    clientOf: (other) => clientAt(other.baseUrl, other),
    last: () => last,
    [Symbol.asyncDispose]: async () => {
      await http.close();
      for (const each of [server, bare, empty, loading]) await each[Symbol.asyncDispose]();
    },
  };
}

/** A server without data; it may still be opening. */
async function ownService(how: "open" | "loading"): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const dataFolder = await mkdtemp(join(tmpdir(), "recorderd-guide-contract-"));
  const service = new GuideService({ dataFolder, clock: systemClock(), log: silentLog });
  const { baseUrl } = await service.listen({ host: "127.0.0.1", port: 0 });
  if (how === "open") {
    await service.load();
    service.open();
  }
  return {
    baseUrl,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
